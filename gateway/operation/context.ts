/**
 * Context of an operation in the gateway: its caller, its deadline and each subgraph's own context. Beside it the type of the
 * response, as `Accept` asks for it: JSON, a stream, or a file of rows.
 */
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { ACTING_USER, type Caller, type Principal } from '#core/access/principal.ts'
import { startDeadline } from '#core/async/deadline.ts'
import type { AccessTrail } from '#core/audit/access-recorder.ts'
import { invalid, type ServiceError, unavailable } from '#core/errors/catalogue.ts'
import type { SharedByOperation } from '#core/graph/loaders.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import type { HttpRequest } from '#core/http/exchange.ts'
import { CORRELATOR } from '#core/http/pre-auth.ts'
import { preferencesOf } from '#core/http/responses.ts'
import type { FormatName } from '#core/http/row-files.ts'
import { EXPLAIN } from '#core/observability/explanation.ts'
import { currentFacts, type RequestFacts } from '#core/observability/request-facts.ts'
import type { GraphRequest } from '#core/streams/result-stream.ts'
import type { Delivery } from '../deferral/parts.ts'

export interface GatewayContext {
  readonly caller: Caller
  /** Facts of the client's request; undefined outside of one. */
  readonly facts?: RequestFacts
  /** Headers for another process: the client's own token, the correlator, its place in a trace. */
  readonly headers: Readonly<Record<string, string>>
  /** Gives the context of a subgraph. All fetches of the operation get the same one, and so share its DataLoaders. */
  forSubgraph(subgraph: Subgraph): object
  /** Receives a subscription that has passed the limits; absent where none can be served. */
  readonly captured?: CapturedOperation
  /** Result of an operation that was executed beforehand. Apollo Server only formats it. */
  readonly executed?: Promise<object>
  /** Delivery in parts. Absent where the client accepts only a whole response. */
  readonly delivery?: Delivery | undefined
  /** Stops the clock of the operation. */
  done(): void
  /** Ends what is in flight for the operation, since its client has left. */
  cancel(): void
}

export interface ContextOptions {
  readonly principal: Principal
  /** `Authorization` header of the principal. */
  readonly authorization: string
  readonly correlator: string
  /** The person behind the client, as far as it is known. */
  readonly user?: string | undefined
  /** Records the customers and subscribers that the operation reaches. */
  readonly trail: AccessTrail
  /** Trace headers of the request. */
  readonly trace?: Readonly<Record<string, string>>
  /** Time for the operation, in milliseconds. */
  readonly timeoutMs: number
  /** Part of that time that was spent before, in milliseconds; none unless given. */
  readonly spentMs?: number
  /** Whether the client takes the response in parts, where the operation defers some. */
  readonly takesParts?: boolean
}

/** Makes the header that names the person to another process. A person's own token names the person already. */
const namedUser = (principal: Principal, user: string | undefined) =>
  user !== undefined && principal.user === undefined ? { [ACTING_USER]: user } : undefined

/** Makes the context of an operation; its signal is aborted when the time is up. */
export function createContext(options: ContextOptions): GatewayContext {
  const { principal, authorization, correlator, user, trail, trace, timeoutMs } = options
  const { signal, stop, cancel } = startDeadline(timeoutMs, options.spentMs)
  const caller: Caller = { principal, correlator, user, trail, signal }
  const contexts = new Map<Subgraph, object>()
  const shared: SharedByOperation = {}
  const facts = currentFacts()
  const explained = facts?.explanation && { [EXPLAIN]: '1' }
  return {
    caller,
    facts,
    headers: {
      ...trace,
      authorization,
      [CORRELATOR]: correlator,
      ...namedUser(principal, user),
      ...explained,
    },
    delivery: options.takesParts ? {} : undefined,
    done: stop,
    cancel: () => cancel(unavailable('The client has left')),
    forSubgraph(subgraph) {
      const context = contexts.get(subgraph) ?? subgraph.context(caller, shared)
      contexts.set(subgraph, context)
      return context
    },
  }
}

/** Receiver of a subscription that passed Apollo Server; a request without one cannot subscribe. */
export interface CapturedOperation {
  /** A GET must not change anything. */
  readonly readOnly: boolean
  document?: DocumentNode
  operation?: OperationDefinitionNode
  /** Message of a validation that failed unexpectedly. */
  fault?: string
}

const JSON_TYPE = 'application/json'
const GRAPHQL_TYPE = 'application/graphql-response+json'

/** Types of responses, in the order of preference where the client accepts both alike. */
const TYPES = [JSON_TYPE, GRAPHQL_TYPE] as const

export type ResponseType = (typeof TYPES)[number]

/** Media ranges of a type, the most specific first, which decides (RFC 9110 §12.5.1). */
const rangesOf = (type: ResponseType) => [type, 'application/*', '*/*']

interface Accepted {
  readonly type: ResponseType
  readonly weight: number
  /** Index of the matching range in `rangesOf`, and its position in the header. */
  readonly range: number
  readonly place: number
}

const acceptedTypes = (accept: string): Accepted[] => {
  const preferences = preferencesOf(accept)
  const names = preferences.map(({ name }) => name)
  return TYPES.flatMap(type => {
    const range = rangesOf(type).findIndex(one => names.includes(one))
    const place = names.indexOf(rangesOf(type)[range] ?? '')
    const weight = preferences[place]?.weight ?? 0
    return weight > 0 ? [{ type, weight, range, place }] : []
  })
}

const better = (one: Accepted, other: Accepted): number =>
  other.weight - one.weight || one.range - other.range || one.place - other.place

/** Preferred types by `Accept` header. There are fewer than 100 values among browsers and libraries. */
const known = new LRUCache<string, { readonly type: ResponseType | undefined }>({ max: 100 })

/** Finds the type that a client prefers; undefined where it accepts none. */
export const responseTypeOf = (accept: string | undefined): ResponseType | undefined => {
  if (!accept) return JSON_TYPE
  const found = known.get(accept) ?? { type: acceptedTypes(accept).toSorted(better)[0]?.type }
  known.set(accept, found)
  return found.type
}

/** Finds the preferred type with its charset; JSON where none is accepted, for the error. */
export const contentTypeOf = (accept: string | undefined): string =>
  `${responseTypeOf(accept) ?? JSON_TYPE}; charset=utf-8`

/** Makes the error 406, which comes before anything is executed. */
export const notAcceptable = (): ServiceError =>
  invalid(`Responses are ${TYPES.join(' or ')}: accept one of them`, { status: 406 })

/**
 * Tells whether a client names `application/json` and prefers it. Such a client ignores the body of any status but 200, so the
 * response to a well-formed request has that status (GraphQL over HTTP, "application/json").
 */
export const takesOnly200 = (accept: string | undefined): boolean =>
  responseTypeOf(accept) === JSON_TYPE && preferencesOf(accept).some(({ name }) => name === JSON_TYPE)

const JSON_TYPES = /application\/(graphql-response\+)?json/
const SUBSCRIPTION = /(?:^|\})\s*subscription\b/
const COMMENT = /#[^\n]*/g

/** Tells whether a request wants a stream. Clients that always accept both JSON and a stream want one for subscriptions alone. */
export function wantsStream(request: HttpRequest): boolean {
  const accept = request.headers.accept ?? ''
  if (!accept.includes('text/event-stream')) return false
  if (!JSON_TYPES.test(accept)) return true
  const { query } = (request.body ?? request.query ?? {}) as GraphRequest
  return typeof query === 'string' && SUBSCRIPTION.test(query.replace(COMMENT, ''))
}

const FORMAT_OF = new Map<string, FormatName>([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
])

/** Finds the file format that a client prefers to all other types; undefined where it prefers no file. */
export const fileFormatOf = (accept: string | undefined): FormatName | undefined => {
  if (!accept || !(accept.includes('csv') || accept.includes('ndjson'))) return undefined
  const [preferred] = preferencesOf(accept)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return preferred && FORMAT_OF.get(preferred.name)
}
