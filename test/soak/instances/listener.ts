/** A subscriber that comes back with its last cursor when it was cut, to whichever gateway is next. */
import { setTimeout as delay } from 'node:timers/promises'
import { bearer, connect, type Result } from '../../support/subscribe.ts'

const AGAIN_MS = 50
const PASSING = new Set(['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED'])

export interface Heard {
  readonly eventid: string
  readonly cursor: string
  /** From the event's time in the database until it was here. */
  readonly latencyMs: number
}

export interface ListenerOptions {
  readonly addresses: readonly string[]
  readonly token: string
  /** A subscription field, such as `paymentEvents`. */
  readonly field: string
  readonly after: string
}

export class Listener {
  readonly heard: Heard[] = []
  readonly unforeseen: string[] = []
  readonly #options: ListenerOptions
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  #cursor: string
  #turn = 0
  /** How often it was cut. */
  cuts = 0

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#cursor = options.after
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#listen().catch(() => undefined)
      this.cuts++
      await delay(AGAIN_MS)
    }
  }

  /** Ends by failing: when the connection is cut, or the subscription is ended. */
  async #listen(): Promise<void> {
    const { addresses, token, field } = this.#options
    using socket = connect(addresses[this.#turn++ % addresses.length]!, bearer(token))
    const query = `subscription ($after: String) { ${field}(after: $after) { cursor eventid eventTime } }`
    using events = socket.subscribe(query, { after: this.#cursor })
    const stop = () => events[Symbol.dispose]()
    this.#stop.signal.addEventListener('abort', stop, { once: true })
    events.ended.then(error => this.#noteEnd(error))
    for (;;) this.#take(await events.next())
  }

  #take({ data, errors }: Result): void {
    const event = data?.[this.#options.field]
    if (!event) throw this.#noteEnd(errors)
    this.#cursor = event.cursor
    const latencyMs = Date.now() - Date.parse(event.eventTime)
    this.heard.push({ eventid: event.eventid, cursor: event.cursor, latencyMs })
  }

  #noteEnd(errors: unknown): unknown {
    if (!Array.isArray(errors)) return errors
    for (const { message, extensions } of errors)
      if (!PASSING.has(extensions?.code)) this.unforeseen.push(`${this.#options.field}: ${message}`)
    return errors
  }
}
