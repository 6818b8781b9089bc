/**
 * Streams of results, over any transport and at any server: the operation that a client sends, the session whose token is verified
 * for as long as the connection lasts, and the texts of results. Identical subscribers share a result, so its text is written once.
 */
import type { FormattedExecutionResult } from 'graphql'
import type { Access } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { DONE, type Stream, streamOf } from '../async/stream.ts'
import type { AccessTrail } from '../audit/access-recorder.ts'
import { ServiceError, toGraphQLError, unavailable } from '../errors/catalogue.ts'
import { type RequestFacts, withFacts } from '../observability/request-facts.ts'

/** A GraphQL request, over any transport. */
export interface GraphRequest {
  readonly query?: string
  /** The id of a document that the server has, in place of a text. */
  readonly documentId?: string
  readonly operationName?: string
  readonly variables?: Record<string, unknown>
  readonly extensions?: Record<string, unknown>
}

/** The sender of an operation. */
export interface Sender {
  readonly principal: Principal
  /** The sender's `Authorization` value, passed on to other processes. */
  readonly authorization: string
  readonly correlator: string
  /** The person behind the client, as far as it is known. */
  readonly user?: string | undefined
  /** Records the customers and subscribers that the operation reaches. */
  readonly trail: AccessTrail
  /** The trace headers that came with the request. */
  readonly trace?: Readonly<Record<string, string>>
  /** Whether it came by a method that must not change anything. */
  readonly readOnly?: boolean
  /** Whether it takes the result of a query or mutation in parts, where some are deferred. */
  readonly takesParts?: boolean
}

export type ResultStream = AsyncGenerator<FormattedExecutionResult, undefined, undefined>

/** One result, a stream of them, or one in parts. */
export type OperationResponse =
  | { readonly result: FormattedExecutionResult }
  | { readonly stream: ResultStream }
  /** Result of a query or mutation that defers fragments: its first part, and those that follow. */
  | { readonly parts: ResultStream }

/** Runs an operation: a query or a mutation for one result, a subscription for a stream of them. */
export type RunOperation = (request: GraphRequest, sender: Sender) => Promise<OperationResponse>

/** Name that a client gave an operation: the planner adds subgraph and number to it (`Customer360__prepaid__1`). */
export const clientOperation = (name: string | null | undefined): string | undefined =>
  name?.split(/__[a-z]+(?:_[a-z]+)*__\d+$/, 1)[0] || undefined

/** The time after which a client that was disabled gets nothing more, in milliseconds. */
const RECHECK_MS = 5_000
/** The wait while a token should have ended but is accepted still, within the tolerance of clocks. */
const SHORTEST_MS = 250

export interface StreamSession {
  readonly principal: Principal
  /** Aborted with the ServiceError UNAUTHORIZED when the token ends, SERVICE_UNAVAILABLE when the session is closed. */
  readonly signal: AbortSignal
  /** Stops verifying, and aborts the signal. */
  close(): void
}

/**
 * Opens a session for an `Authorization` value.
 * @throws ServiceError UNAUTHORIZED for a missing or wrong token, SERVICE_UNAVAILABLE when it cannot be verified.
 */
export async function openSession(access: Access, authorization: string | undefined): Promise<StreamSession> {
  const principal = await access.verify(authorization)
  const controller = new AbortController()
  let timer: NodeJS.Timeout
  const recheck = () =>
    access.verify(authorization).then(schedule, error => {
      if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') controller.abort(error)
      else schedule(principal)
    })
  const schedule = ({ expiresAt }: Principal) => {
    if (controller.signal.aborted) return
    const untilEnd = expiresAt.getTime() - Date.now()
    timer = setTimeout(recheck, Math.min(RECHECK_MS, Math.max(SHORTEST_MS, untilEnd))).unref()
  }
  schedule(principal)
  return {
    principal,
    signal: controller.signal,
    close() {
      clearTimeout(timer)
      controller.abort(unavailable('The connection has ended'))
    },
  }
}

/** Ends a stream of results with the signal's reason as its error, even while the stream waits. */
export function endWithSession(stream: ResultStream, signal: AbortSignal): ResultStream {
  let fail: (error: unknown) => void = () => undefined
  // One listener for all results: one for each would be most of the cost of a result here.
  const abort = () => fail(toGraphQLError(signal.reason))
  signal.addEventListener('abort', abort)
  const next = () =>
    new Promise<Awaited<ReturnType<ResultStream['next']>>>((resolve, reject) => {
      fail = reject
      if (signal.aborted) abort()
      else stream.next().then(resolve, error => reject(toGraphQLError(error)))
    })
  return streamOf(next, () => {
    signal.removeEventListener('abort', abort)
    return stream.return(undefined)
  })
}

const texts = new WeakMap<FormattedExecutionResult, string>()

export const resultText = (result: FormattedExecutionResult): string => {
  const known = texts.get(result)
  if (known !== undefined) return known
  const text = JSON.stringify(result)
  texts.set(result, text)
  return text
}

/** The results of a response as a stream. */
export const resultsOf = (response: OperationResponse): ResultStream => {
  if ('result' in response) return streamOfOne(response.result)
  return 'stream' in response ? response.stream : response.parts
}

/** A stream of one result, or of none once it was taken. */
export const streamOfOne = (result: FormattedExecutionResult): ResultStream => {
  let left = true
  return streamOf<FormattedExecutionResult>(
    async () => {
      if (!left) return DONE
      left = false
      return { done: false, value: result }
    },
    () => undefined,
  )
}

/**
 * Sends each result as a `next` message of graphql-transport-ws, as soon as the one before was sent. graphql-ws would
 * write a text of each result for each client.
 * @param id the operation's id on its connection.
 * @param facts of the operation, which record what is sent.
 * @returns a stream without items that ends or fails as the results do, for graphql-ws to report.
 */
export function sendResults(
  results: ResultStream,
  id: string,
  facts: RequestFacts,
  send: (message: string) => Promise<void>,
): Stream<never> {
  const start = `{"id":${JSON.stringify(id)},"type":"next","payload":`
  const sendAll = async () => {
    for (;;) {
      const { done, value } = await results.next()
      if (done) return DONE
      const message = `${start}${resultText(value)}}`
      facts.deliver(Buffer.byteLength(message))
      await send(message)
    }
  }
  return streamOf<never>(
    () => withFacts(facts, sendAll),
    () => results.return(undefined),
  )
}
