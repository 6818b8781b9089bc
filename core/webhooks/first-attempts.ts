/**
 * First attempts: the leases of webhooks that this process sends as soon as it has committed them. A claim would take a
 * round trip and write the row once more; where places are free that nobody waits for, the row is written with its lease.
 */
import type { Access } from '../access/access.ts'
import { quotasOf } from '../access/principal.ts'
import type { Appended, FirstLeases } from '../events/append.ts'
import { type ClaimedDelivery, LEASE_MS } from './claim.ts'
import type { EndpointHealth } from './endpoint-health.ts'

export interface FirstAttemptsOptions {
  readonly access: Pick<Access, 'clients'>
  readonly endpoints: EndpointHealth
  /** The most attempts at a time of this process. */
  readonly capacity: number
  readonly kinds: ReadonlySet<string>
  /** Whether anything may be sent now. */
  isOpen(): boolean
  /** Begins an attempt that is counted as in flight already. */
  start(delivery: ClaimedDelivery): void
}

/** Latest begin of an attempt after its lease began, in milliseconds: the rest is as long as a claim leaves. */
const LATEST_MS = 5_000

const toDelivery = (event: Appended, lease: Date): ClaimedDelivery | undefined => {
  const { webhook, trace = null, detail = null } = event
  if (!webhook || webhook.url === null || webhook.origin === null) return undefined
  const { deliveryId: id, url, origin, token } = webhook
  return { ...event, id, url, origin, token, terms: null, attempts: 0, trace, detail, lease }
}

/** The leases of one transaction. */
class TransactionLeases implements FirstLeases {
  readonly #options: FirstAttemptsOptions
  #taken: ClaimedDelivery[] = []
  #waiting = 0
  #takenAt = 0

  constructor(options: FirstAttemptsOptions) {
    this.#options = options
  }

  get isComplete(): boolean {
    return this.#waiting === 0
  }

  take(events: readonly Appended[], now: Date): ReadonlyMap<string, Date> {
    const lease = new Date(now.getTime() + LEASE_MS)
    this.#takenAt = performance.now()
    const taken = this.#options.isOpen() ? events.flatMap(event => this.#takeOne(event, lease)) : []
    this.#taken.push(...taken)
    return new Map(taken.map(({ id }) => [id, lease]))
  }

  written(leased: ReadonlySet<string>, waiting: number): void {
    this.#waiting += waiting
    const [kept, others] = [true, false].map(isKept =>
      this.#taken.filter(({ id }) => leased.has(id) === isKept),
    )
    this.#taken = kept!
    for (const other of others!) this.#options.endpoints.released(other)
  }

  send(): void {
    // So late the lease might end before the attempt does: it is claimed then.
    if (performance.now() - this.#takenAt > LATEST_MS) this.giveBack()
    for (const delivery of this.#taken) this.#options.start(delivery)
    this.#taken = []
  }

  giveBack(): void {
    for (const delivery of this.#taken) this.#options.endpoints.released(delivery)
    this.#taken = []
  }

  #takeOne(event: Appended, lease: Date): ClaimedDelivery[] {
    const { access, endpoints, capacity, kinds } = this.#options
    const delivery = kinds.has(event.kind) ? toDelivery(event, lease) : undefined
    if (!delivery) return []
    // Another connection must not be waited for in a transaction.
    const client = access.clients.known(delivery.clientId)
    if (!client) return []
    const { webhooksInFlight: quota } = quotasOf(client.quotas)
    return endpoints.startFirst(delivery, capacity, quota) ? [delivery] : []
  }
}

/** Makes the function that begins the leases of a transaction. */
export const createFirstAttempts =
  (options: FirstAttemptsOptions): (() => FirstLeases) =>
  () =>
    new TransactionLeases(options)
