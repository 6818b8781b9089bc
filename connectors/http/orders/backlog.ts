/** What is under way to an outside charging system: how many orders, how old; and what was, once there is none any more. */

import type { PrismaClient } from '#core/data/db.ts'
import { SetupError } from '#core/errors/setup-error.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'

/** Orders of one state. */
export interface Backlog {
  readonly state: string
  readonly orders: number
  /** Since the oldest of them was posted. */
  readonly ageSeconds: number
}

/** The orders of a kind that are not concluded, by state. */
export const readBacklog = (db: PrismaClient, kind: string): Promise<Backlog[]> => db.$queryRaw<Backlog[]>`
  SELECT o.state, count(*)::int AS orders,
    extract(epoch FROM statement_timestamp() - min(o.created_at))::float8 AS "ageSeconds"
  FROM (
    SELECT state, created_at FROM charging."order" WHERE kind = ${kind} AND state IN ('waiting', 'sent')
    UNION ALL SELECT state, created_at FROM charging."order" WHERE kind = ${kind} AND state IN ('pending', 'reserved')
    UNION ALL SELECT state, created_at FROM charging."order" WHERE kind = ${kind} AND state = 'known') o
  GROUP BY o.state`

/**
 * Before a kind is settled by the ledger: what an outside system was never asked for is the ledger's to carry out.
 * @throws SetupError where an outside system has orders whose outcome is not known here: the ledger would carry them out
 * a second time.
 */
export async function giveUpOrders(db: PrismaClient, { name, service }: TransactionKind): Promise<void> {
  const open = (await readBacklog(db, name)).filter(({ state }) => state !== 'waiting')
  const count = open.reduce((sum, { orders }) => sum + orders, 0)
  if (count > 0)
    throw new SetupError(
      `${count} order(s) of ${service} are with an outside charging system, and what became of them is not known yet: start with that system until they are settled`,
    )
  await db.$executeRaw`
    WITH given_up AS (DELETE FROM charging."order" WHERE kind = ${name} AND state = 'waiting' RETURNING position)
    UPDATE charging.progress SET position = least(position, (SELECT min(position) - 1 FROM given_up)) WHERE kind = ${name}`
}
