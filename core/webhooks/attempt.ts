/** One attempt: the event is posted to its endpoint within the time limit, over one HTTP exchange. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { whenOver } from '../async/deadline.ts'
import { VERSION } from '../config/project-files.ts'
import { redactExcerpt, type Start } from './response-excerpt.ts'
import { readRetryAfter } from './schedule.ts'

/** A response, as far as it was read. */
export interface EndpointResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Empty where the response is a success. */
  readonly start: Start
}

export const isSuccess = ({ status }: { readonly status: number | null }): boolean =>
  status !== null && status >= 200 && status < 300

/** The most that is read of a response, so that an endpoint cannot fill our memory. */
const MAX_READ = 16 * 1024

/** The start of a body that came in these pieces. @param isCut whether something broke it off. */
const readStart = (chunks: readonly Buffer[], isCut: boolean): Start => {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  return { text: bytes.toString('utf8', 0, MAX_READ), isCut }
}

/** The reason to read a response no further; it is never shown. */
const ENOUGH = new Error('enough of the response is read')

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: EndpointResponse) => void
  readonly #reject: (reason: unknown) => void
  readonly #chunks: Buffer[] = []
  #length = 0
  #controller: Dispatcher.DispatchController | undefined
  #status: number | undefined
  #retryAfter: string | undefined
  #brokenOff: Error | undefined

  constructor(resolve: (response: EndpointResponse) => void, reject: (reason: unknown) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#brokenOff) controller.abort(this.#brokenOff)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An informational response comes before the final one.
    if (status < 200) return
    this.#status = status
    this.#retryAfter = [headers['retry-after']].flat()[0]
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length
    if (!isSuccess({ status: this.#status! })) this.#chunks.push(chunk)
    if (this.#length >= MAX_READ) this.breakOff(ENOUGH)
  }

  onResponseEnd(): void {
    this.#end(false)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(true, error)
  }

  /** One that still waits for a connection ends at once; when it gets one, nothing is sent. */
  breakOff(reason: Error): void {
    this.#brokenOff = reason
    this.#end(true, reason)
    this.#controller?.abort(reason)
  }

  /** A response that is broken off after its status counts as far as it came. */
  #end(isCut: boolean, error?: Error): void {
    const [status, retryAfter] = [this.#status, this.#retryAfter]
    if (status === undefined) this.#reject(error)
    else this.#resolve({ status, retryAfter, start: readStart(this.#chunks, isCut) })
  }
}

/** An exchange in flight. */
export interface Exchange {
  /** Fails with what the HTTP client throws, or the reason for which it was broken off before its status came. */
  readonly response: Promise<EndpointResponse>
  breakOff(reason: Error): void
}

/** Sends a request and reads the start of the response. */
function startExchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Exchange {
  const { promise, resolve, reject } = Promise.withResolvers<EndpointResponse>()
  const handler = new ResponseHandler(resolve, reject)
  try {
    dispatcher.dispatch(options, handler)
  } catch (error) {
    reject(error)
  }
  return { response: promise, breakOff: reason => handler.breakOff(reason) }
}

/** Total, from looking up the name to the last byte of the response that is read. */
export const TIME_LIMIT_MS = 10_000

/** A message and the address that it is sent to. */
export interface WebhookMessage {
  readonly url: URL
  readonly body: string
  readonly headers: Record<string, string>
  /** The `notificationUrl` as it was posted, and the token: neither may stand in an error that is kept. */
  readonly address: string
  readonly token: string | undefined
}

/** A response with its status, or the reason why there was none. */
interface Result {
  readonly status: number | null
  readonly error: string | null
  readonly retryAfterMs?: number
  /** We broke it off, since the process stops. */
  readonly interrupted?: boolean
}

/** The result of an attempt, with its time. */
export interface AttemptResult extends Result {
  /** When it began. */
  readonly at: Date
  /** How long it took, in whole milliseconds. */
  readonly durationMs: number
}

export interface AttemptOptions {
  readonly dispatcher: Dispatcher
  /** Breaks the attempt off. */
  readonly stop: AbortSignal
  readonly timeLimitMs: number
  now(): number
}

/** Reasons in words that name no address, by the codes of Node and undici. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer came',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  ENOTFOUND: 'the name of the receiver cannot be found',
  EAI_AGAIN: 'the name of the receiver cannot be looked up at the moment',
  ETIMEDOUT: 'the connection could not be made in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'the receiver cannot be reached',
  ENETUNREACH: 'the receiver cannot be reached',
  REFUSED_ADDRESS: 'the address is not one of the public internet',
  UND_ERR_HEADERS_OVERFLOW: 'the answer had too large headers',
}

const isTlsFailure = (code: string) =>
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(code)

/** The codes of Node, undici and OpenSSL; any other text in the place of one may name an address. */
const CODE = /^[A-Z][A-Z0-9_]{1,63}$/

/** The reason why there was no response. Of an unforeseen error it has the code alone: its message may name an address. */
const reasonOf = (error: unknown): string => {
  const { code: given, errors, name } = error as { code?: unknown; errors?: unknown[]; name?: string }
  if (errors?.[0]) return reasonOf(errors[0])
  const code = typeof given === 'string' && CODE.test(given) ? given : 'UNKNOWN'
  if (name === 'HTTPParserError') return 'the answer is not HTTP'
  if (isTlsFailure(code)) return `no trusted connection could be made (${code})`
  return REASONS[code] ? `${REASONS[code]} (${code})` : `the attempt failed (${code})`
}

/** Reasons to break off; they are never shown. */
const TOO_LATE = new Error('the time is up')
const STOPPING = new Error('the process is stopping')

const failureOf = (error: unknown, { stop, timeLimitMs }: AttemptOptions): Result => {
  if (stop.aborted) return { status: null, error: null, interrupted: true }
  if (error === TOO_LATE) return { status: null, error: `no answer within ${timeLimitMs / 1_000} s` }
  return { status: null, error: reasonOf(error) }
}

const USER_AGENT = `partner-graph/${VERSION}`

/** Breaks the exchange off when the time is up or the process stops; returns the function that ends its timer. */
const limit = ({ breakOff }: Exchange, { stop, timeLimitMs }: AttemptOptions) => {
  const timer = setTimeout(breakOff, timeLimitMs, TOO_LATE)
  const forget = whenOver(stop, () => breakOff(STOPPING))
  return () => {
    clearTimeout(timer)
    forget()
  }
}

const send = async (message: WebhookMessage, options: AttemptOptions): Promise<Result> => {
  if (options.stop.aborted) return failureOf(STOPPING, options)
  const { url, body, headers } = message
  const exchange = startExchange(options.dispatcher, {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
    body,
  })
  const end = limit(exchange, options)
  try {
    const { status, retryAfter, start } = await exchange.response
    if (isSuccess({ status })) return { status, error: null }
    const error = redactExcerpt(start, message.address, message.token) || null
    return { status, error, retryAfterMs: readRetryAfter(retryAfter, options.now()) }
  } catch (error) {
    return failureOf(error, options)
  } finally {
    end()
  }
}

/** Makes the attempt, and times it. Never throws: every failure is a result. */
export async function attempt(message: WebhookMessage, options: AttemptOptions): Promise<AttemptResult> {
  const [at, started] = [new Date(options.now()), performance.now()]
  const response = await send(message, options)
  return { ...response, at, durationMs: Math.round(performance.now() - started) }
}
