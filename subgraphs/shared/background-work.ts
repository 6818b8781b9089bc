/** The background work of a process: settling, projecting, sending webhooks, deleting expired events. */

import type { FastifyInstance } from 'fastify'
import type { App } from './context/app.ts'
import { startRetention } from './events/retention.ts'
import type { Subgraph } from './graph/subgraph.ts'
import { type Deliverer, type DelivererOptions, startDeliverer } from './webhooks/deliverer.ts'
import { freeAll } from './webhooks/queue.ts'

export interface BackgroundWork {
  readonly deliverer: Deliverer
  /** Finishes what is under way and stops. */
  stop(): Promise<void>
}

/** The ports at which a server listens, once it does. */
export const portsOf =
  (http: FastifyInstance): (() => number[]) =>
  () =>
    http.addresses().flatMap(address => (typeof address === 'string' ? [] : [address.port]))

/** Sends the webhooks of these services, woken by their commits. */
const startDelivery = async (
  app: App,
  services: readonly Subgraph[],
  options?: Partial<DelivererOptions>,
): Promise<BackgroundWork> => {
  const kinds = services.map(({ kind }) => kind).filter(kind => kind?.callsWebhook)
  const idFields = new Map(kinds.map(kind => [kind!.name, kind!.idField]))
  // Nobody else can be sending what the embedded database says is under way.
  if (app.database.embedded) await freeAll(app.db)
  const deliverer = startDeliverer(app, { idFields, ...options })
  const unlisten = app.eventsWritten.listen(deliverer.wake)
  const stop = async () => {
    unlisten()
    await deliverer.stop()
  }
  return { deliverer, stop }
}

const nothing = async () => undefined

/** A process that only reads leaves the work to those that write. */
const IDLE: BackgroundWork = {
  deliverer: { wake: () => undefined, idle: nothing, stop: nothing },
  stop: nothing,
}

/**
 * Starts what runs in the background for these services, and for no others: several processes share the database.
 * @param options how webhooks are sent, where it is to be otherwise.
 */
export async function startBackgroundWork(
  app: App,
  services: readonly Subgraph[],
  options?: Partial<DelivererOptions>,
): Promise<BackgroundWork> {
  if (app.config.readOnly) return IDLE
  for (const service of services) await service.start()
  const delivery = await startDelivery(app, services, options)
  const retention = startRetention(app)
  const stop = async () => {
    await retention.stop()
    await Promise.all(services.map(service => service.stop()))
    await delivery.stop()
  }
  return { deliverer: delivery.deliverer, stop }
}
