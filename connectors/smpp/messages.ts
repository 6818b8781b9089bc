/** What is to be sent, which an order does not say: the text and its addresses, as they stand in the message's row. */
import { batchedLookup } from '#core/data/batched-lookup.ts'
import type { PrismaClient } from '#core/data/db.ts'
import type { MessageText } from './submit.ts'

interface Row {
  readonly id: string
  readonly body: MessageText
}

/** Makes the look-up of a message by its transaction's id; undefined where there is none. */
export const messageLookup = (db: PrismaClient): ((id: string) => Promise<MessageText | undefined>) =>
  batchedLookup(async ids => {
    const rows = await db.$queryRaw<Row[]>`
      SELECT id, body FROM messaging.message WHERE id = ANY (${ids}::uuid[])`
    const bodies = new Map(rows.map(({ id, body }) => [id, body]))
    return ids.map(id => bodies.get(id))
  })
