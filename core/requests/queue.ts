/**
 * The queue of ended requests on their way to the request log. It is bounded: above its mark, requests that are alike
 * become one entry that counts them, so that sums stay exact while less is written.
 */
import type { RequestFacts } from '../observability/request-facts.ts'

/** A request, and how many like it the row stands for. */
export interface LoggedRequest {
  readonly facts: RequestFacts
  weight: number
}

interface QueueLimits {
  /** Entries from which on successful requests that posted nothing are joined with others like them. */
  readonly mark: number
  /** Most entries: beyond, all requests are joined with others like them. */
  readonly most: number
}

/** Requests are alike where they differ in time, duration, transaction and correlator alone. */
const likenessOf = ({ principal, way, operation, status, code, reason, field }: RequestFacts): string =>
  `${principal?.clientId}\n${way}\n${operation}\n${status}\n${code}\n${reason}\n${field}`

const isOrdinary = ({ code, transactionId }: RequestFacts): boolean =>
  code === undefined && transactionId === undefined

export class RequestQueue {
  readonly #limits: QueueLimits
  #entries: LoggedRequest[] = []
  /** Entries by their likeness, as long as the queue is above its mark. */
  #alike: Map<string, LoggedRequest> | undefined
  #joined = 0
  #lost = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Entries that wait. */
  get size(): number {
    return this.#entries.length
  }

  /** Requests so far that became part of another's entry. */
  get joined(): number {
    return this.#joined
  }

  /** Requests so far that no entry stands for, since the queue was full of others. */
  get lost(): number {
    return this.#lost
  }

  add(facts: RequestFacts): void {
    const { mark, most } = this.#limits
    if (this.size < mark || (this.size < most && !isOrdinary(facts))) this.#push({ facts, weight: 1 })
    else this.#join(facts, this.size < most)
  }

  /** Takes all entries. */
  take(): LoggedRequest[] {
    const taken = this.#entries
    this.#entries = []
    this.#alike = undefined
    return taken
  }

  /** Puts entries back that could not be written; what there is no room for is lost. */
  giveBack(entries: readonly LoggedRequest[]): void {
    const room = Math.max(0, this.#limits.most - this.size)
    for (const { weight } of entries.slice(room)) this.#lost += weight
    this.#entries = [...entries.slice(0, room), ...this.#entries]
    this.#alike = undefined
  }

  #push(entry: LoggedRequest): void {
    this.#entries.push(entry)
    this.#alike?.set(likenessOf(entry.facts), entry)
  }

  #join(facts: RequestFacts, hasRoom: boolean): void {
    this.#alike ??= new Map(this.#entries.map(entry => [likenessOf(entry.facts), entry]))
    const entry = this.#alike.get(likenessOf(facts))
    if (entry) {
      entry.weight += 1
      this.#joined += 1
    } else if (hasRoom) this.#push({ facts, weight: 1 })
    else this.#lost += 1
  }
}
