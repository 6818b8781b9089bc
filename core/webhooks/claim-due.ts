/** Takes what is due, client by client, for as many attempts as each may have. */

import { quotasOf } from '../access/quotas.ts'
import { type ClientRoom, claim, type Found, findWaiting } from './claim.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import { type Share, sharePlaces, type Waiting } from './fair-shares.ts'
import type { WebhookParts } from './parts.ts'
import type { ClaimedDelivery } from './queue.ts'

export interface TakerParts {
  readonly app: Pick<WebhookParts, 'writer' | 'access'>
  readonly receivers: EndpointHealth
  /** The most attempts of the process, and of one client to one receiver. */
  readonly capacity: number
  readonly perOrigin: number
  /** The kinds that this process knows to describe. */
  readonly kinds: readonly string[]
  readonly aheadMs: () => number
}

/** Hands on each delivery that is taken; who gets it counts it as under way before he returns. */
export type Take = (start: (delivery: ClaimedDelivery) => void) => Promise<void>

/** What some leave of their shares others get at once; what is left after these goes to the next round. */
const MAX_PASSES = 4

class Taker {
  readonly #parts: TakerParts
  /** Where to look on for clients with more receivers than one claim looks at. */
  readonly #reached = new Map<string, string>()

  constructor(parts: TakerParts) {
    this.#parts = parts
  }

  async take(start: (delivery: ClaimedDelivery) => void): Promise<void> {
    const { app, kinds, aheadMs } = this.#parts
    let waiting = await findWaiting(app.writer, kinds, aheadMs())
    for (let pass = 0; pass < MAX_PASSES && waiting.length > 0; pass++) {
      const shares = sharePlaces(this.#free(), await this.#uses(waiting))
      if (shares.size === 0) return
      waiting = await this.#pass(shares, start)
    }
  }

  #free(): number {
    return this.#parts.capacity - this.#parts.receivers.underWay
  }

  #uses(waiting: readonly string[]): Promise<Waiting[]> {
    const { app, receivers } = this.#parts
    return Promise.all(
      waiting.map(async clientId => {
        const { webhooksInFlight: quota } = quotasOf((await app.access.clients.find(clientId))?.quotas)
        return { clientId, underWay: receivers.underWayOf(clientId), quota }
      }),
    )
  }

  /** One claim; returns the clients for whom there may be more. */
  async #pass(
    shares: ReadonlyMap<string, Share>,
    start: (delivery: ClaimedDelivery) => void,
  ): Promise<string[]> {
    const { app, receivers, perOrigin, kinds, aheadMs } = this.#parts
    const clients = [...shares].map(([clientId, share]) => this.#roomOf(clientId, share))
    const room = { clients, perOrigin, kinds, known: receivers.known(shares.keys()) }
    const found = await claim(app.writer, room, aheadMs())
    for (const { deliveries } of found.values()) for (const delivery of deliveries) start(delivery)
    return clients
      .filter(client => this.#hasMore(client, found.get(client.clientId)))
      .map(one => one.clientId)
  }

  #roomOf(clientId: string, share: Share): ClientRoom {
    return { clientId, ...share, after: this.#reached.get(clientId) ?? '' }
  }

  /** Where its share was used up, or not all of its receivers were looked at. */
  #hasMore({ clientId, places, after }: ClientRoom, found: Found | undefined): boolean {
    if (found?.reached) this.#reached.set(clientId, found.reached)
    else this.#reached.delete(clientId)
    return found?.deliveries.length === places || Boolean(found?.reached) || after !== ''
  }
}

/** A function that takes what is due for as many attempts as there is room, without waiting for them. */
export function createTaker(parts: TakerParts): Take {
  const taker = new Taker(parts)
  return start => taker.take(start)
}
