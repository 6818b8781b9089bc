/**
 * A request and its whole response, over undici's own handler: a response that is read as a whole needs no stream, which
 * would cost as much as the rest of the exchange.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type Ending, whenOver } from '#core/async/deadline.ts'

export interface WholeResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Bytes, or the text that a client of texts has read. */
  readonly body: Buffer | string
}

const NOTHING = Buffer.alloc(0)

const join = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? NOTHING : Buffer.concat(chunks)

class Exchange implements Dispatcher.DispatchHandler {
  readonly #ending: Ending
  readonly #resolve: (response: WholeResponse) => void
  readonly #reject: (error: unknown) => void
  /** Stops waiting for the end. */
  readonly #forget: () => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: IncomingHttpHeaders = {}

  constructor(ending: Ending, resolve: (response: WholeResponse) => void, reject: (error: unknown) => void) {
    this.#ending = ending
    this.#resolve = resolve
    this.#reject = reject
    this.#forget = whenOver(ending, () => this.#abort())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ending.aborted) controller.abort(this.#ending.reason)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#forget()
    this.#resolve({ status: this.#status, headers: this.#headers, body: join(this.#chunks) })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  fail(error: unknown): void {
    this.#forget()
    this.#reject(error)
  }

  /** Ends a request at once, even while it waits for a connection; when it gets one, nothing is sent. */
  #abort(): void {
    this.#controller?.abort(this.#ending.reason)
    this.fail(this.#ending.reason)
  }
}

/**
 * Sends a request and reads the response.
 * @param ending comes when no request waits any longer.
 * @throws the HTTP client's error, or the reason of the end.
 */
export const exchange = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  ending: Ending,
): Promise<WholeResponse> =>
  new Promise((resolve, reject) => {
    if (ending.aborted) return reject(ending.reason)
    const handler = new Exchange(ending, resolve, reject)
    try {
      dispatcher.dispatch(options, handler)
    } catch (error) {
      handler.fail(error)
    }
  })
