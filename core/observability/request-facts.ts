/**
 * Facts of a request: one record for each request of a client, filled on its way and handed to listeners at its end.
 * The log line, the request log and the metrics are listeners. What may be read from a replica is decided by them: reads of requests
 * that change nothing, of clients that are known.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServiceError } from '../errors/catalogue.ts'
import type { Explanation } from './explanation.ts'
import type { TraceSpan } from './tracing.ts'

/**
 * Way by which a request comes. `STREAM` is an operation over WebSocket or server-sent events; `FETCH` is what a gateway
 * asks a subgraph in another process, which is part of a client's request and none of its own.
 */
export type Way = 'REST' | 'GRAPH' | 'STREAM' | 'TOKEN' | 'EXPORT' | 'PAGE' | 'FETCH'

/**
 * How the graph executed an operation: `FAST` as compiled before, without Apollo Server; `COMPILED` likewise, after its
 * checks; `PLANNED` and compiled for this request; `APOLLO` by Apollo Gateway.
 */
export type ExecutionPath = 'FAST' | 'COMPILED' | 'PLANNED' | 'APOLLO'

/** Time in which at least one of several overlapping waits lasts. */
class WaitingTime {
  #open = 0
  #since = 0
  #total = 0

  /** Milliseconds so far. */
  get ms(): number {
    return this.#open > 0 ? this.#total + performance.now() - this.#since : this.#total
  }

  begin(): void {
    if (this.#open === 0) this.#since = performance.now()
    this.#open += 1
  }

  /** Ends one wait; called once for each `begin`. */
  end(): void {
    this.#open -= 1
    if (this.#open === 0) this.#total += performance.now() - this.#since
  }
}

/** Client of a request, as far as its observers need it. */
interface KnownClient {
  readonly clientId: string
  readonly role: string
}

/** Use of a part of the schema that goes some day. */
interface DeprecatedUse {
  readonly coordinate: string
  readonly reason: string
}

/** Head of a request. */
interface RequestHead {
  readonly correlator: string
  readonly method: string
  /** Path without its query. */
  readonly path: string
  readonly way: Way
  /** Pattern of the route; undefined where no route fits. */
  readonly route?: string
  readonly operation?: string
  /** Place in a trace that the client sent along (`tracing.ts`). */
  readonly sentTrace?: string | undefined
}

/** Error in its final form, as the graph's clients get it. */
interface GraphFailure {
  readonly extensions?: Readonly<Record<string, unknown>>
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Facts of one request. A member is undefined as long as nobody knows it. */
export class RequestFacts {
  /** Arrival, in milliseconds since 1970. */
  readonly at = Date.now()
  readonly correlator: string
  readonly method: string
  readonly path: string
  readonly route: string | undefined
  way: Way
  /** `operationId` of the contract, or name of the GraphQL operation. */
  operation: string | undefined
  /** Type of the GraphQL operation. */
  operationType: 'query' | 'mutation' | 'subscription' | undefined = undefined
  /** Id of a trusted document. */
  operationId: string | undefined = undefined
  /** Client, once its token is verified. */
  principal: KnownClient | undefined = undefined
  /** Span of the request, where requests are traced. */
  span: TraceSpan | undefined = undefined
  readonly #sentTrace: string | undefined
  /** Person behind the client: the header `x-acting-user` of a portal. */
  user: string | undefined = undefined
  /** Code of the first error. */
  code: string | undefined = undefined
  /** Reason of the first error. */
  reason: string | undefined = undefined
  /** Field that the first error names. */
  field: string | undefined = undefined
  /** Transaction that was posted, or that stood in the way. */
  transactionId: string | undefined = undefined
  /** How the graph executed a query or mutation. */
  execution: ExecutionPath | undefined = undefined
  /** Cost of a GraphQL operation. */
  cost: number | undefined = undefined
  /** Parts of the schema that the operation uses and that go some day. */
  deprecations: readonly DeprecatedUse[] = []
  /** Explanation of the operation, where its client may have one and wants it. */
  explanation: Explanation | undefined = undefined
  /** Results that a stream has sent. */
  delivered: number | undefined = undefined
  /** Service whose response was passed on: the service's process keeps the request in the log. */
  passedTo: string | undefined = undefined
  /** Whether it was reported: nothing changes any more. A stream that its client left fails after that. */
  isEnded = false
  /** HTTP status; over WebSocket that of the first error, or 200. Set at the end. */
  status = 0
  /** Milliseconds until the end. */
  durationMs = 0
  /** Size of the response's body in bytes, as it was sent. */
  bytes: number | undefined = undefined
  /** Waits for statements, also those of round trips that are shared with other requests. */
  readonly database = new WaitingTime()
  /** Waits for subgraphs. */
  readonly subgraphs = new WaitingTime()

  constructor({ correlator, method, path, way, route, operation, sentTrace }: RequestHead) {
    this.correlator = correlator
    this.method = method
    this.path = path
    this.way = way
    this.route = route
    this.operation = operation
    this.#sentTrace = sentTrace
  }

  /** Place of the request in a trace: of its span, or the client's own where requests are not traced. */
  get trace(): string | undefined {
    return this.span ? this.span.trace : this.#sentTrace
  }

  /** Time in which the request waited for statements, in milliseconds. */
  get databaseMs(): number {
    return this.database.ms
  }

  /** Time in which the request waited for subgraphs, in milliseconds. */
  get subgraphMs(): number {
    return this.subgraphs.ms
  }

  /** Records a result of a stream, by its size in bytes. */
  deliver(bytes: number): void {
    this.delivered = (this.delivered ?? 0) + 1
    this.bytes = (this.bytes ?? 0) + bytes
  }

  /** Records a failure; the first one before the end counts. */
  fail({ code, field, extensions }: Pick<ServiceError, 'code' | 'field' | 'extensions'>): void {
    if (this.isEnded || this.code !== undefined) return
    this.code = code
    this.reason = textOf(extensions['reason'])
    this.field = field
    this.transactionId ??= textOf(extensions['existingId'])
  }

  /** Records an error of the graph; the first one before the end counts. */
  failInGraph({ extensions = {} }: GraphFailure): void {
    if (this.isEnded || this.code !== undefined) return
    this.code = textOf(extensions['code'])
    this.reason = textOf(extensions['reason'])
    this.field = textOf(extensions['field'])
    this.transactionId ??= textOf(extensions['existingId'])
  }
}

const current = new AsyncLocalStorage<RequestFacts | undefined>()

/**
 * Facts of the request that is being worked on; undefined in background work. Batches and shared look-ups belong to no
 * request.
 */
export const currentFacts = (): RequestFacts | undefined => current.getStore()

/** Runs work, and all that it begins, on behalf of a request. */
export const withFacts = <T>(facts: RequestFacts | undefined, work: () => T): T => current.run(facts, work)

/** Observer of ended requests. It does the least at once, since the request's process waits for it. */
export type RequestListener = (facts: RequestFacts) => void

/** Ends of all requests of a process. */
export interface Requests {
  /** Adds a listener, called once at the end of each request, until the returned function is called. */
  onEnd(listener: RequestListener): () => void
  /** Reports the end of a request. */
  end(facts: RequestFacts): void
}

/** Makes them. @param onFault gets the failure of a listener, which ends nothing else. */
export function createRequests(onFault: (error: unknown) => void): Requests {
  const listeners = new Set<RequestListener>()
  return {
    onEnd(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    end(facts) {
      facts.isEnded = true
      for (const listener of listeners) {
        try {
          listener(facts)
        } catch (error) {
          onFault(error)
        }
      }
    },
  }
}

const shared = new AsyncLocalStorage<true>()

/**
 * Whether a request only reads. Who its client is, is read from the primary, and so is all that a request that posts decides by:
 * correlators, limits, the directory.
 */
export const isReading = (facts: RequestFacts | undefined): boolean => {
  if (facts?.principal === undefined) return false
  const { way, method, operationType } = facts
  if (way === 'REST' || way === 'EXPORT') return method === 'GET' || method === 'HEAD'
  return (way === 'GRAPH' || way === 'FETCH') && operationType === 'query'
}

/** Runs reads that several requests share, all of which only read. */
export const asReading = <T>(work: () => T): T => shared.run(true, work)

/** Whether what is read now may be read from a replica. */
export const mayReadReplica = (): boolean => shared.getStore() ?? isReading(currentFacts())
