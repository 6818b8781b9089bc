/** Finding a transaction when only its id is known. */
import type { App } from '../shared/app.ts'
import { type Caller, visibleClient } from '../shared/caller.ts'
import { Prisma } from '../shared/data/db.ts'
import { isId } from '../shared/values/id.ts'

export interface ActivityService {
  /** The kind of the transaction with this id; undefined when there is none that the caller may see. */
  kindOf(caller: Caller, id: string): Promise<string | undefined>
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
})
