/**
 * Health of endpoints, client by client: the failures of one client's webhooks say nothing of another's. It is kept in
 * memory alone: another process finds out for itself, and after a start every endpoint is believed to be well. So is what
 * claims left behind: a new delivery does not pass what waits for the same endpoint.
 */
import { LRUCache } from 'lru-cache'

export interface EndpointOptions {
  /** The most attempts at a time to one endpoint of a client. */
  readonly perOrigin: number
  /** Milliseconds since 1970. */
  now(): number
}

/** State of an endpoint that a claim must heed. */
interface EndpointState {
  readonly origin: string
  readonly inFlight: number
  /** The most attempts at a time; fewer than others have while it is failing. */
  readonly most: number
}

/** A client's endpoint with its state. */
export interface KnownEndpoint extends EndpointState {
  readonly clientId: string
}

interface Health {
  /** Failures since the last response that was none of the endpoint's own failure. */
  failures: number
  failingSince: number
  pausedUntil: number
}

/** Both must be exceeded before an endpoint is paused: a bad minute is no long failure, nor are a few failures. */
const MANY_FAILURES = 20
const LONG_MS = 120_000
const PAUSE_MS = 10_000
/** An endpoint that failed is forgotten so long after the last of it was heard. */
const FORGET_MS = 3_600_000
/** At most 1 MiB a client, with origins of at most 2 KiB; where a client has more, some are tried without a pause. */
const MAX_FAILING = 512

/** The endpoints of one client: attempts in flight to each, and failures. */
class ClientEndpoints {
  readonly #options: EndpointOptions
  readonly #inFlight = new Map<string, number>()
  /** Endpoints that the last claim left deliveries of, which come before new ones. */
  readonly #behind = new Set<string>()
  /** Whether it left endpoints out. */
  #isBehind = false
  readonly #health = new LRUCache<string, Health>({ max: MAX_FAILING })
  #total = 0

  constructor(options: EndpointOptions) {
    this.#options = options
  }

  /** Attempts in flight to all endpoints. */
  get inFlight(): number {
    return this.#total
  }

  get isEmpty(): boolean {
    return this.#total === 0 && this.#health.size === 0 && !this.#isBehind && this.#behind.size === 0
  }

  /** Whether a new delivery may be attempted before those that are claimed: it takes no place that they will want. */
  isOpen(origin: string, most: number): boolean {
    if (this.#isBehind || this.#behind.has(origin) || this.#health.has(origin)) return false
    return 2 * this.#total < most && 2 * (this.#inFlight.get(origin) ?? 0) < this.#options.perOrigin
  }

  /** Notes a delivery that is left to a claim. */
  left(origin: string): void {
    this.#behind.add(origin)
  }

  /** Notes what a claim found. @param full whether it took all that it might, by the endpoints of which it took some. */
  claimed(full: ReadonlyMap<string, boolean>, leftOut: boolean): void {
    this.#isBehind = leftOut
    for (const origin of this.#behind)
      if (!full.has(origin) && !this.#inFlight.has(origin)) this.#behind.delete(origin)
    for (const [origin, isFull] of full) {
      if (isFull) this.#behind.add(origin)
      else this.#behind.delete(origin)
    }
  }

  caughtUp(): void {
    this.#isBehind = false
    this.#behind.clear()
  }

  released(origin: string): void {
    this.#move(origin, -1)
  }

  started(origin: string): void {
    this.#move(origin, 1)
  }

  ended(origin: string, isWell: boolean): void {
    this.#move(origin, -1)
    if (isWell) this.#health.delete(origin)
    else this.#failed(origin)
  }

  /** Endpoints that may not have as many attempts more as others. */
  known(): EndpointState[] {
    this.#forget()
    const failing = [...this.#health]
      .filter(([, health]) => this.#isFailing(health))
      .map(([origin]) => origin)
    return [...new Set([...this.#inFlight.keys(), ...failing])].map(origin => ({
      origin,
      inFlight: this.#inFlight.get(origin) ?? 0,
      most: this.#mostOf(origin),
    }))
  }

  #move(origin: string, by: 1 | -1): void {
    const inFlight = (this.#inFlight.get(origin) ?? 0) + by
    if (inFlight === 0) this.#inFlight.delete(origin)
    else this.#inFlight.set(origin, inFlight)
    this.#total += by
  }

  #failed(origin: string): void {
    const now = this.#options.now()
    const health = this.#health.get(origin) ?? { failures: 0, failingSince: now, pausedUntil: 0 }
    health.failures++
    if (this.#isFailing(health)) health.pausedUntil = now + PAUSE_MS
    this.#health.set(origin, health)
  }

  #isFailing({ failures, failingSince }: Health): boolean {
    return failures >= MANY_FAILURES && this.#options.now() - failingSince >= LONG_MS
  }

  /** While it is failing, none during a pause, and one after it to see how it is. */
  #mostOf(origin: string): number {
    const health = this.#health.peek(origin)
    if (!health || !this.#isFailing(health)) return this.#options.perOrigin
    return health.pausedUntil > this.#options.now() ? 0 : 1
  }

  #forget(): void {
    const before = this.#options.now() - FORGET_MS
    for (const [origin, { pausedUntil, failingSince }] of this.#health) {
      if (!this.#inFlight.has(origin) && Math.max(pausedUntil, failingSince) < before)
        this.#health.delete(origin)
    }
  }
}

/** The client and the endpoint of an attempt. */
type Target = Pick<KnownEndpoint, 'clientId' | 'origin'>

/** Health of all endpoints that this process has sent to lately. */
export class EndpointHealth {
  readonly #clients = new Map<string, ClientEndpoints>()
  readonly #options: EndpointOptions
  #inFlight = 0

  constructor(options: EndpointOptions) {
    this.#options = options
  }

  /** Attempts in flight to all endpoints. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Attempts in flight to the endpoints of one client. */
  inFlightOf(clientId: string): number {
    return this.#clients.get(clientId)?.inFlight ?? 0
  }

  started({ clientId, origin }: Target): void {
    this.#clientOf(clientId).started(origin)
    this.#inFlight++
  }

  /** @param isWell whether the endpoint answered, be it with a refusal. */
  ended({ clientId, origin }: Target, isWell: boolean): void {
    const client = this.#clients.get(clientId)!
    client.ended(origin, isWell)
    this.#inFlight--
    this.#forget(clientId, client)
  }

  /**
   * Takes a place for a delivery that is being written, where it is fair to those that wait: half of all places are left to
   * claims, which share them out.
   * @param capacity the most attempts at a time to all endpoints. @param quota to those of the client.
   */
  startFirst({ clientId, origin }: Target, capacity: number, quota: number): boolean {
    const client = this.#clientOf(clientId)
    const level = Math.floor((capacity - this.#inFlight + client.inFlight) / 2)
    const isOpen = client.isOpen(origin, Math.min(quota, level))
    if (isOpen) this.started({ clientId, origin })
    else client.left(origin)
    return isOpen
  }

  /** Gives the place of an attempt back that was not made. */
  released({ clientId, origin }: Target): void {
    const client = this.#clients.get(clientId)!
    client.released(origin)
    this.#inFlight--
    this.#forget(clientId, client)
  }

  /** Notes the clients with due deliveries; nothing waits of the others. */
  waiting(clientIds: readonly string[]): void {
    const due = new Set(clientIds)
    for (const [clientId, client] of this.#clients) {
      if (due.has(clientId)) continue
      client.caughtUp()
      this.#forget(clientId, client)
    }
  }

  /** Notes what a claim found for a client. @param leftOut whether it left endpoints out. */
  claimed(clientId: string, full: ReadonlyMap<string, boolean>, leftOut: boolean): void {
    const client = this.#clientOf(clientId)
    client.claimed(full, leftOut)
    this.#forget(clientId, client)
  }

  /** The endpoints of these clients with attempts in flight, or failing ones. */
  known(clientIds: Iterable<string>): KnownEndpoint[] {
    return [...clientIds].flatMap(clientId =>
      (this.#clients.get(clientId)?.known() ?? []).map(state => ({ clientId, ...state })),
    )
  }

  #clientOf(clientId: string): ClientEndpoints {
    const known = this.#clients.get(clientId)
    if (known) return known
    const client = new ClientEndpoints(this.#options)
    this.#clients.set(clientId, client)
    return client
  }

  #forget(clientId: string, client: ClientEndpoints): void {
    if (client.isEmpty) this.#clients.delete(clientId)
  }
}
