/**
 * A request and its whole response, over undici's own handler: a response that is read as a whole needs no stream, which
 * would cost as much as the rest of the exchange.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { whenOver } from '#core/async/deadline.ts'

export interface WholeResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const NOTHING = Buffer.alloc(0)

const join = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? NOTHING : Buffer.concat(chunks)

class Exchange implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal
  readonly #resolve: (response: WholeResponse) => void
  readonly #reject: (error: unknown) => void
  /** Stops listening to the signal. */
  readonly #forget: () => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: IncomingHttpHeaders = {}

  constructor(
    signal: AbortSignal,
    resolve: (response: WholeResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    this.#forget = whenOver(signal, () => this.#abort())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#signal.aborted) controller.abort(this.#signal.reason)
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
    this.#controller?.abort(this.#signal.reason)
    this.fail(this.#signal.reason)
  }
}

/**
 * Sends a request and reads the response.
 * @param signal aborted when no request waits any longer.
 * @throws the HTTP client's error, or the signal's reason.
 */
export const exchange = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<WholeResponse> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const handler = new Exchange(signal, resolve, reject)
    try {
      dispatcher.dispatch(options, handler)
    } catch (error) {
      handler.fail(error)
    }
  })
