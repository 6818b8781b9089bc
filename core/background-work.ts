/** The background work of a process: settling, projecting, sending webhooks, deleting expired events. */

import { startAccessRetention } from './audit/access-records.ts'
import type { ServerContext } from './create-server.ts'
import { ACCOUNT_KINDS } from './events/account.ts'
import { startRetention } from './events/retention.ts'
import type { Subgraph } from './graph/subgraph.ts'
import { freeDeliveries, watchWebhookBacklog } from './webhooks/backlog.ts'
import { type Deliverer, type DelivererOptions, startDeliverer } from './webhooks/deliverer.ts'

/** Sends the webhooks of these services, woken by their commits. */
const startDelivery = async (
  { app, resources }: ServerContext,
  services: readonly Subgraph[],
  options?: Partial<DelivererOptions>,
): Promise<Deliverer> => {
  const kinds = services.map(({ kind }) => kind).filter(kind => kind?.callsWebhook)
  // Events of accounts belong to no service of transactions: the process that spans them sends them.
  const ofAccounts = services.some(({ kind }) => kind === undefined) ? Object.entries(ACCOUNT_KINDS) : []
  const idFields = new Map([...kinds.map(kind => [kind!.name, kind!.idField] as const), ...ofAccounts])
  // No other process can be sending the deliveries that the embedded database has leases of.
  if (app.database.embedded) await freeDeliveries(app.db)
  const onEvents = () => app.eventsWritten.emit()
  const deliverer = startDeliverer(app, { idFields, onEvents, ...options })
  watchWebhookBacklog(app.metrics.lags, app.db, [...idFields.keys()])
  resources.add({ name: 'webhook deliverer', stop: () => deliverer.stop() })
  resources.add({ name: 'webhook wake-up', stop: app.eventsWritten.listen(deliverer.wake) })
  return deliverer
}

const nothing = async () => undefined

/** Deliverer of a process that only reads: the work is left to those that write. */
const IDLE: Deliverer = { wake: () => undefined, idle: nothing, stop: nothing }

/**
 * Starts the background work of these services, and of no others: several processes share the database. Webhooks are
 * sent until the services have stopped, whose last events they bring.
 * @param options changes to the settings of the deliverer.
 */
export async function startBackgroundWork(
  server: ServerContext,
  services: readonly Subgraph[],
  options?: Partial<DelivererOptions>,
): Promise<Deliverer> {
  const { app, resources } = server
  if (app.config.readOnly) return IDLE
  const deliverer = await startDelivery(server, services, options)
  // One whose start fails half-way is stopped like the others.
  resources.add(...services)
  for (const service of services) await service.start()
  resources.add({ name: 'event retention', stop: startRetention(app).stop })
  resources.add({ name: 'access record retention', stop: startAccessRetention(app).stop })
  return deliverer
}
