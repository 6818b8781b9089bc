/**
 * Identical reads of a subgraph that are in flight at the same time are one call. Reads of entities are shared by clients
 * with the same visibility, reads of root fields by requests of one client alone. Each request has its own deadline, and
 * its own copy of the result unless it only reads it.
 *
 * A read that began before a write through this gateway had its response is not shared with requests that come after
 * it, so that clients see what they wrote. Reads that follow a mutation or an event within their operation are not
 * shared either.
 */
import { type FormattedExecutionResult, OperationTypeNode } from 'graphql'
import { audienceOf, clientAlone } from '#core/access/visibility.ts'
import { type Ending, OwnEnding, whenOver } from '#core/async/deadline.ts'
import { type SharedKey, sharedKey } from '#core/async/single-flight.ts'
import { failedResult } from '#core/errors/faults.ts'
import { copyJson } from '#core/values/json.ts'
import {
  type Fetch,
  representationsOf,
  type SentOperation,
  type SubgraphSource,
  sentOperation,
} from '#gateway/transport/transport.ts'

interface Waiter<T> {
  readonly signal: AbortSignal
  /** Whether it only reads the result. */
  readonly isReading: boolean
  resolve(result: T): void
  /** Stops waiting for the end of its time. */
  forget(): void
}

/** One call that several requests wait for: each until its own deadline, the call as long as one of them waits. */
class CoalescedCall<T> {
  readonly #own = new OwnEnding()
  readonly #waiters = new Set<Waiter<T>>()
  readonly #copy: (result: T) => T
  readonly #ended: () => void

  /**
   * Begins the call.
   * @param run never fails, whatever its end is.
   * @param ended called when no request may join any longer.
   */
  constructor(run: (ending: Ending) => Promise<T>, copy: (result: T) => T, ended: () => void) {
    this.#copy = copy
    this.#ended = ended
    run(this.#own).then(result => this.#give(result))
  }

  /**
   * Result for one request: a copy of its own, unless it only reads it.
   * @throws the signal's reason as soon as it is aborted.
   */
  take(signal: AbortSignal, isReading = false): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const leave = () => {
      reject(signal.reason)
      this.#leave(waiter)
    }
    const waiter = { signal, isReading, resolve, forget: whenOver(signal, leave) }
    this.#waiters.add(waiter)
    if (signal.aborted) leave()
    return promise
  }

  /** Copies the result before any waiter goes on, for each that may change its own, but for one that is alone. */
  #give(result: T): void {
    this.#ended()
    const isShared = this.#waiters.size > 1
    for (const { isReading, resolve, forget } of this.#waiters) {
      forget()
      resolve(isShared && !isReading ? this.#copy(result) : result)
    }
  }

  #leave(waiter: Waiter<T>): void {
    this.#waiters.delete(waiter)
    if (this.#waiters.size > 0) return
    this.#ended()
    this.#own.abort(waiter.signal.reason)
  }
}

/** Codes that concern one client alone: its token, its rights, its time. */
const PERSONAL = new Set<unknown>(['UNAUTHORIZED', 'PERMISSION_DENIED', 'REQUEST_TIMEOUT_EXCEEDED'])

const isPersonal = ({ errors }: FormattedExecutionResult): boolean =>
  errors?.some(({ extensions }) => PERSONAL.has(extensions?.['code'])) ?? false

const isOfQuery = ({ incomingRequestContext }: Fetch): boolean =>
  incomingRequestContext?.operation?.operation === OperationTypeNode.QUERY

/** Request as it is sent. */
export interface SentRequest {
  readonly operation: SentOperation
  /** JSON text of its variables, which is part of the body and distinguishes two reads. */
  readonly variables: string
}

/** Prepares a request to be sent. */
export const sentRequest = ({ query, operationName, variables = {} }: Fetch['request']): SentRequest => ({
  operation: sentOperation(query!, operationName),
  variables: JSON.stringify(variables),
})

/** Source whose reads can be those of several requests. */
export interface ReadSource extends SubgraphSource {
  /** Executes a read until an end that need not be that of its own request. It never fails. */
  read(fetch: Fetch, ending: Ending, sent?: SentRequest): Promise<FormattedExecutionResult>
}

/**
 * Key of a read: an entity is the same for all clients that may see it; a root field may be about the client itself, as
 * `me` is.
 */
const keyOf = (
  { context, request }: Fetch,
  { operation, variables }: SentRequest,
  writes: number,
): SharedKey => {
  const { principal } = context.caller
  const audience = representationsOf(request, operation) ? audienceOf(principal) : clientAlone(principal)
  return sharedKey(audience, `${writes} ${operation.id} ${variables}`)
}

/**
 * Makes a source whose identical reads are shared.
 * @param writes gives the number of writes that have ended.
 */
export function coalesceReads(source: ReadSource, writes: () => number): SubgraphSource {
  const inFlight = new Map<SharedKey, CoalescedCall<FormattedExecutionResult>>()

  const open = (key: SharedKey, fetch: Fetch, sent: SentRequest) => {
    const run = (ending: Ending) => source.read(fetch, ending, sent)
    const close = () => void (inFlight.get(key) === call && inFlight.delete(key))
    const call = new CoalescedCall(run, copyJson, close)
    inFlight.set(key, call)
    return call
  }

  /**
   * Executes a fetch by a shared call. A result that concerns only the client that began the call is not taken over:
   * the fetch is sent again.
   */
  const processShared = (fetch: Fetch, sent: SentRequest): Promise<FormattedExecutionResult> => {
    const { signal } = fetch.context.caller
    const key = keyOf(fetch, sent, writes())
    const joined = inFlight.get(key)
    const isReading = fetch.distinct?.isRead
    const result = joined
      ? joined.take(signal, isReading).then(shared => (isPersonal(shared) ? source.process(fetch) : shared))
      : open(key, fetch, sent).take(signal, isReading)
    return result.catch(failedResult)
  }

  return {
    async process(fetch) {
      if (!isOfQuery(fetch)) return source.process(fetch)
      const sent = sentRequest(fetch.request)
      return sent.operation.isQuery ? processShared(fetch, sent) : source.process(fetch)
    },
  }
}
