/** Operations of a service's REST paths, as a service gives them and `rest.ts` serves them. */
import type { Caller } from '../access/principal.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import type { Query } from '../values/text.ts'

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
