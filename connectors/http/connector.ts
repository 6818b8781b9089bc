/**
 * A charging system over HTTP, by the protocol of `schema/charging.openapi.yaml` (docs/connectors.md, "Charging over
 * HTTP"). Only a response that the document describes is a result; everything else leaves the outcome unknown.
 */
import type { Dispatcher } from 'undici'
import { Breaker } from '#core/async/retry.ts'
import {
  type ChargeOrder,
  type ChargeProgress,
  type ChargeResult,
  type ChargingConnector,
  NotSentError,
} from '#core/charging/charging.ts'
import type { ChargingSettings } from '#core/config/charging.ts'
import { ChargingClient, type HttpResponse } from './client.ts'
import { bodyOf, progressOf, type ReportedOrder, readState, reversalOf, saysUnknown } from './messages.ts'

export interface HttpChargingOptions extends Pick<ChargingSettings, 'token' | 'timeoutMs' | 'parallel'> {
  readonly url: string
  /** The clock, in milliseconds. */
  readonly now?: () => number
}

const TOO_MANY = 429

const pathOf = ({ transactionId }: ChargeOrder, step = '') => `/orders/${transactionId}${step}`

/** Finds the code of a fault, for the log. One that is no word of capitals is left out. */
const codeIn = (body: unknown): string => {
  const code = (body as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? ` ${code}` : ''
}

export class HttpCharging implements ChargingConnector {
  readonly embedded = false
  readonly name = 'charging'
  readonly deadlineMs: number
  readonly #client: ChargingClient
  readonly #breaker: Breaker
  readonly #now: () => number
  readonly #mostParallel: number
  #lastFault = ''
  /** Number of settlers that use it, since one system may stand behind several services. The last one closes it. */
  #users = 0

  constructor({ url, token, timeoutMs, parallel, now = () => performance.now() }: HttpChargingOptions) {
    this.deadlineMs = timeoutMs
    this.#mostParallel = parallel
    this.#now = now
    this.#client = new ChargingClient({ url, token, timeoutMs, connections: parallel })
    this.#breaker = new Breaker({ probeMs: timeoutMs, now })
  }

  /** Number of orders that may be in flight. After failures it is one, which finds out whether the system is back. */
  get parallel(): number {
    return this.#breaker.isOpen ? 1 : this.#mostParallel
  }

  unavailable(): string | undefined {
    return this.#breaker.isClosedToAll ? this.warning() : undefined
  }

  warning(): string | undefined {
    return this.#breaker.isOpen
      ? `it failed several times in a row, the last time: ${this.#lastFault}`
      : undefined
  }

  warningSince(): Date | undefined {
    return this.#breaker.failingSince
  }

  async submit(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress> {
    return progressOf(await this.#call(order, signal, 'PUT', pathOf(order), bodyOf(order)))
  }

  async inquire(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress | undefined> {
    const response = await this.#exchange(order, signal, 'GET', pathOf(order))
    if (response.status === 404 && saysUnknown(response.body)) return undefined
    return progressOf(this.#stateIn(response, order))
  }

  async capture(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress> {
    return progressOf(await this.#call(order, signal, 'POST', pathOf(order, '/capture')))
  }

  async cancel(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress> {
    return progressOf(await this.#call(order, signal, 'POST', pathOf(order, '/cancellation')))
  }

  async reverse(order: ChargeOrder, signal: AbortSignal): Promise<ChargeResult> {
    return reversalOf(await this.#call(order, signal, 'POST', pathOf(order, '/reversal')))
  }

  /** Only counts its user: results that the system reports by itself come to `/charging/callbacks`. */
  async start(): Promise<void> {
    this.#users++
  }

  async stop(): Promise<void> {
    if (--this.#users === 0) await this.#client.close()
  }

  async #call(
    order: ChargeOrder,
    signal: AbortSignal,
    method: Dispatcher.HttpMethod,
    path: string,
    body?: string,
  ): Promise<ReportedOrder> {
    return this.#stateIn(await this.#exchange(order, signal, method, path, body), order)
  }

  /** @throws Error for a response that the document does not describe; it counts as a failure of the system. */
  #stateIn({ status, body }: HttpResponse, { transactionId }: ChargeOrder): ReportedOrder {
    const state = status >= 200 && status < 300 ? readState(body) : undefined
    if (state?.transactionId === transactionId) {
      this.#breaker.succeeded()
      return state
    }
    throw this.#failed(new Error(`an answer that is none (${status}${codeIn(body)})`))
  }

  async #exchange(
    { trace }: ChargeOrder,
    signal: AbortSignal,
    method: Dispatcher.HttpMethod,
    path: string,
    body?: string,
  ): Promise<HttpResponse> {
    if (!this.#breaker.claim()) throw new NotSentError('the system is given time after failures')
    const began = this.#now()
    const response = await this.#client.send(method, path, signal, { body, trace }).catch(error => {
      throw this.#isOurs(signal, began) ? this.#abandoned(error) : this.#failed(error)
    })
    if (response.status === TOO_MANY) {
      this.#breaker.succeeded()
      throw new NotSentError('the system wants fewer orders at a time', {
        retryAfterMs: response.retryAfterMs,
      })
    }
    if (response.status === 404 && saysUnknown(response.body)) this.#breaker.succeeded()
    return response
  }

  /** Tells whether this process aborted the call because it stops, and not because the system took too long. */
  #isOurs(signal: AbortSignal, began: number): boolean {
    return signal.aborted && this.#now() - began < this.deadlineMs / 2
  }

  #abandoned(error: unknown): unknown {
    this.#breaker.abandoned()
    return error
  }

  #failed(error: Error): Error {
    this.#lastFault = error.message
    this.#breaker.failed()
    return error
  }
}
