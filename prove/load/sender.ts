/**
 * Senders of load: each is a client with connections of its own. One that is open sends at its rate whatever comes of what it has
 * sent, and counts latencies from the moment at which a request was due; one that is closed sends as soon as it is answered.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, Connection } from './connection.ts'
import { Histogram, type Latency } from './histogram.ts'

/** Stands in a request for a number that no other request has. */
export const NUMBER = '################'

/** A whole request, with the name of what it asks for. */
export interface Text {
  readonly kind: string
  readonly text: string
}

export interface SenderJob {
  readonly client: string
  readonly connections: number
  /** Requests a second; as many as are answered where it is absent. */
  readonly perSecond?: number
  /** Sent in turn. */
  readonly texts: readonly Text[]
}

export interface SenderResult {
  readonly client: string
  readonly sent: number
  /** Requests that were due while every connection waited for an answer. */
  readonly unsent: number
  readonly accepted: Latency
  /** The same by what was asked for. */
  readonly kinds: Readonly<Record<string, Latency>>
  readonly refused: Latency
  /** Refusals that do not say when to come back. */
  readonly withoutRetryAfter: number
  /** Other statuses, and how often each came; 0 where no whole answer came. */
  readonly others: Readonly<Record<string, number>>
}

const TICK_MS = 1
const OPEN_AT_ONCE = 50

let number = 0
const digits = (value: number, count: number): string => String(value % 10 ** count).padStart(count, '0')
/** Of this process at this time. */
const OWN = digits(process.pid, 5) + digits(Math.floor(Date.now() / 1_000), 3)

const numbered = (text: string): string =>
  text.replace(NUMBER, () => OWN + digits(number++, NUMBER.length - OWN.length))

export class Sender {
  readonly #job: SenderJob
  readonly #all: Connection[]
  readonly #idle: Connection[]
  readonly #accepted = new Histogram()
  readonly #kinds = new Map<string, Histogram>()
  readonly #refused = new Histogram()
  readonly #others: Record<string, number> = {}
  #withoutRetryAfter = 0
  #sent = 0
  #unsent = 0
  #turn = 0
  #due = 0

  constructor(port: number, job: SenderJob) {
    this.#job = job
    this.#all = Array.from({ length: job.connections }, () => new Connection(port))
    this.#idle = [...this.#all]
  }

  /** Requests that were due so far, at its rate. */
  get due(): number {
    return this.#due
  }

  /** Opens every connection and shows its token, so that none counts as a stranger's. */
  async open(): Promise<void> {
    const [first] = this.#job.texts
    for (let from = 0; from < this.#all.length; from += OPEN_AT_ONCE)
      await Promise.all(
        this.#all.slice(from, from + OPEN_AT_ONCE).map(one => one.send(numbered(first!.text))),
      )
  }

  async run(seconds: number): Promise<SenderResult> {
    const { perSecond } = this.#job
    await (perSecond === undefined ? this.#closed(seconds) : this.#open(seconds, perSecond))
    return {
      client: this.#job.client,
      sent: this.#sent,
      unsent: this.#unsent,
      accepted: this.#accepted.latency,
      kinds: Object.fromEntries([...this.#kinds].map(([kind, { latency }]) => [kind, latency])),
      refused: this.#refused.latency,
      withoutRetryAfter: this.#withoutRetryAfter,
      others: this.#others,
    }
  }

  close(): void {
    for (const one of this.#all) one.close()
  }

  /** Sends the next request over a connection, and counts its answer. @param since the moment from which it has waited. */
  async #send(one: Connection, since: number): Promise<void> {
    const { texts } = this.#job
    const { kind, text } = texts[this.#turn++ % texts.length]!
    this.#sent++
    const answer = await one.send(numbered(text))
    this.#note(kind, answer, performance.now() - since)
  }

  #ofKind(kind: string): Histogram {
    const known = this.#kinds.get(kind) ?? new Histogram()
    this.#kinds.set(kind, known)
    return known
  }

  #note(kind: string, answer: Answer | undefined, ms: number): void {
    const status = answer?.status ?? 0
    if (status >= 200 && status < 300) {
      this.#accepted.add(ms)
      this.#ofKind(kind).add(ms)
    } else if (status === 503) {
      this.#refused.add(ms)
      if (!answer!.hasRetryAfter) this.#withoutRetryAfter++
    } else this.#others[status] = (this.#others[status] ?? 0) + 1
  }

  async #closed(seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1_000
    const work = async (one: Connection) => {
      while (performance.now() < until) await this.#send(one, performance.now())
    }
    await Promise.all(this.#all.map(work))
  }

  async #open(seconds: number, perSecond: number): Promise<void> {
    const began = performance.now()
    const total = Math.round(seconds * perSecond)
    const running = new Set<Promise<void>>()
    while (this.#due < total) {
      const now = performance.now()
      const reached = Math.min(total, Math.floor(((now - began) * perSecond) / 1_000))
      for (; this.#due < reached; this.#due++) {
        const one = this.#idle.shift()
        if (!one) this.#unsent++
        else {
          const sending = this.#sendOn(one, began + (this.#due * 1_000) / perSecond)
          running.add(sending)
          void sending.then(() => running.delete(sending))
        }
      }
      await delay(TICK_MS)
    }
    await Promise.all(running)
  }

  async #sendOn(one: Connection, dueAt: number): Promise<void> {
    await this.#send(one, dueAt)
    this.#idle.push(one)
  }
}
