/** Finding a transaction when only its id is known, and reading the event log. */
import type { App } from '../shared/app.ts'
import { type Caller, visibleClient } from '../shared/caller.ts'
import { Prisma } from '../shared/data/db.ts'
import {
  type EventArgs,
  type EventConnection,
  readEventConnection,
} from '../shared/delivery/event-connection.ts'
import { eventFilterFor } from '../shared/delivery/event-query.ts'
import { isId } from '../shared/values/id.ts'

export interface ActivityService {
  /** The kind of the transaction with this id; undefined when there is none that the caller may see. */
  kindOf(caller: Caller, id: string): Promise<string | undefined>
  /** A page of the events that the caller may see. */
  events(caller: Caller, args: EventArgs): Promise<EventConnection>
}

export const createActivityService = (app: App): ActivityService => ({
  async kindOf(caller, id) {
    if (!isId(id)) return undefined
    const clientId = visibleClient(caller)
    const mine = clientId === undefined ? Prisma.sql`TRUE` : Prisma.sql`client_id = ${clientId}`
    const [row] = await app.db.$queryRaw<{ kind: string }[]>`
      SELECT kind FROM events.transaction WHERE id = ${id}::uuid AND ${mine}`
    return row?.kind
  },
  events: (caller, args) => readEventConnection(app.db, eventFilterFor(caller, 'id', args.filter), args),
})
