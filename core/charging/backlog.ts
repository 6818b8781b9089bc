/** Orders under way to an outside charging system: their number and age, and their end once the ledger takes over. */
import type { Db } from '../data/db.ts'
import { SetupError } from '../errors/catalogue.ts'

/** Orders of one state. */
export interface Backlog {
  readonly state: string
  readonly orders: number
  /** Time since the oldest of them was posted. */
  readonly ageSeconds: number
}

/** Reads the number and age of the orders of a kind without a final outcome, by state. */
export const readBacklog = (db: Db, kind: string): Promise<Backlog[]> => db.$queryRaw<Backlog[]>`
  SELECT o.state, count(*)::int AS orders,
    extract(epoch FROM statement_timestamp() - min(o.created_at))::float8 AS "ageSeconds"
  FROM (
    SELECT state, created_at FROM charging."order" WHERE kind = ${kind} AND state IN ('waiting', 'sent')
    UNION ALL SELECT state, created_at FROM charging."order" WHERE kind = ${kind} AND state IN ('pending', 'reserved')
    UNION ALL SELECT state, created_at FROM charging."order" WHERE kind = ${kind} AND state = 'known') o
  GROUP BY o.state`

/** Kind of transaction that orders are for. */
interface OrderKind {
  readonly name: string
  readonly service: string
}

/**
 * Hands the orders of a kind that were never sent to the ledger, before the ledger settles that kind.
 * @throws SetupError where an outside system has orders of unknown outcome: the ledger would execute them a second time.
 */
export async function giveUpOrders(db: Db, { name, service }: OrderKind): Promise<void> {
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
