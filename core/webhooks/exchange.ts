/**
 * A request and the start of its response, over undici's own handler: a stream for each response would cost as much as
 * the rest of the exchange.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { MAX_READ, readStart, type Start } from './response-excerpt.ts'

/** A response, as far as it was read. */
export interface EndpointResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Empty where the response is a success. */
  readonly start: Start
}

export const isSuccess = ({ status }: { readonly status: number | null }): boolean =>
  status !== null && status >= 200 && status < 300

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
export function startExchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Exchange {
  const { promise, resolve, reject } = Promise.withResolvers<EndpointResponse>()
  const handler = new ResponseHandler(resolve, reject)
  try {
    dispatcher.dispatch(options, handler)
  } catch (error) {
    reject(error)
  }
  return { response: promise, breakOff: reason => handler.breakOff(reason) }
}
