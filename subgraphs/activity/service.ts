/** Finding a transaction when only its id is known, and what has become of webhooks. */
import type { App } from '../shared/app.ts'
import { type Caller, visibleClient } from '../shared/caller.ts'
import { Prisma } from '../shared/data/db.ts'
import {
  type DeliveryRow,
  redeliver,
  requirePortal,
  visibleDeliveries,
} from '../shared/delivery/deliveries.ts'
import { type DeliveryArgs, type DeliveryConnection, listDeliveries } from '../shared/delivery/list.ts'
import { isId } from '../shared/values/id.ts'

export interface ActivityService {
  /** The kind of the transaction with this id; undefined when there is none that the caller may see. */
  kindOf(caller: Caller, id: string): Promise<string | undefined>
  /** The deliveries that the caller may see. */
  webhookDeliveries(caller: Caller, args: DeliveryArgs): Promise<DeliveryConnection>
  /** Sends a webhook again; only a portal may. */
  redeliverWebhook(caller: Caller, deliveryId: string): Promise<DeliveryRow>
}

export const createActivityService = (app: App): ActivityService => ({
  webhookDeliveries: (caller, args) => listDeliveries(app.db, args, visibleDeliveries(caller)),
  async redeliverWebhook(caller, deliveryId) {
    requirePortal(caller)
    const delivery = await redeliver(app.db, deliveryId)
    app.eventsWritten.emit()
    return delivery
  },
  async kindOf(caller, id) {
    if (!isId(id)) return undefined
    const clientId = visibleClient(caller)
    const mine = clientId === undefined ? Prisma.sql`TRUE` : Prisma.sql`client_id = ${clientId}`
    const [row] = await app.db.$queryRaw<{ kind: string }[]>`
      SELECT kind FROM events.transaction WHERE id = ${id}::uuid AND ${mine}`
    return row?.kind
  },
})
