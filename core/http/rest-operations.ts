/** Operations of a service's REST paths, as a service gives them and `rest.ts` serves them. */
import type { Caller } from '../access/principal.ts'
import type { AccessTrail } from '../audit/access-recorder.ts'
import type { App } from '../context/app.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import type { Query } from '../values/text.ts'
import { type AuthenticateDependencies, principalOf } from './authenticate.ts'
import type { HttpRequest } from './exchange.ts'

/** Parts of a process that serve REST. */
export type RestDependencies = AuthenticateDependencies & Pick<App, 'config' | 'accessRecords' | 'answers'>

export interface RestRequest {
  readonly caller: Caller
  /** The body as it was sent, without members that its schema does not name; undefined where there is none. */
  readonly body: unknown
  /** Faults of the body by its schema, which has stand-ins for them: the operation must throw this. */
  readonly shape?: ServiceError
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  /** `Idempotency-Key`, if the request has one. */
  readonly idempotencyKey?: string | undefined
  /** `Accept`, if the request has one. */
  readonly accept?: string | undefined
}

export interface RestResponse {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string | number>>
}

/** A service's handlers by `operationId`. */
export type Operations = Readonly<Record<string, (request: RestRequest) => Promise<RestResponse>>>

/** Header with the key under which a repeated request gets the first response again. */
const IDEMPOTENCY_KEY = 'idempotency-key'

/** Makes the request of an operation of one that has passed `authenticate`. @param shape faults of its body, if any. */
export const toRequest = (
  request: HttpRequest,
  trail: AccessTrail,
  signal: AbortSignal,
  shape?: ServiceError,
): RestRequest => ({
  caller: {
    principal: principalOf(request),
    correlator: request.id,
    user: request.facts?.user,
    trail,
    signal,
  },
  body: request.body,
  shape,
  params: request.params as Record<string, string>,
  query: request.query as Query,
  idempotencyKey: [request.headers[IDEMPOTENCY_KEY]].flat()[0],
  accept: request.headers.accept,
})
