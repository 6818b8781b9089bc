/** Checks of the database once everything is settled: each gives the rows that are wrong. */
import { type Db, Prisma } from '#core/data/db.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { POOR } from './load.ts'

const SIGN: Readonly<Record<string, string>> = {
  PAYMENT: '-amount',
  RECHARGE: 'amount',
  REWARD: 'points',
  REDEMPTION: '-points',
}
const BALANCE: Readonly<Record<string, string>> = {
  PAYMENT: 'dues',
  RECHARGE: 'prepaid',
  REWARD: 'points',
  REDEMPTION: 'points',
}

/** All transactions, with what each moves when it is completed. */
const TRANSACTIONS = Prisma.raw(
  FIXTURES.map(
    ({ kind, table, initial, statusFor }) => `
    SELECT '${kind}' AS kind, '${table.split('.')[1]}' AS sequence, id, client_id, client_correlator_id AS correlator, position,
      client_position, status, status = '${initial}' AS pending, status = '${statusFor.done}' AS done, amount, points,
      coalesce(currency, '') AS currency, webhook_url,
      '${BALANCE[kind] ?? ''}' AS balance, ${kind === 'PAYMENT' ? 'account_number' : 'mobile_number'} AS holder,
      (${SIGN[kind] ?? '0'})::numeric AS movement
    FROM ${table}`,
  ).join(' UNION ALL '),
)

const BOOKS = Prisma.raw(
  FIXTURES.map(
    ({ table }) => `SELECT name, position FROM ${table.split('.')[0]}.book WHERE client_id = ''`,
  ).join(' UNION ALL '),
)

const CHECKS: Readonly<Record<string, Prisma.Sql>> = {
  'a transaction without exactly one event of its final status': Prisma.sql`
    SELECT t.id FROM t LEFT JOIN events.event e ON e.transaction_id = t.id
    GROUP BY t.id, t.status, t.pending
    HAVING count(e.eventid) <> 1 OR t.pending OR min(e.operation_status) <> t.status`,
  'a movement that is not its completed transaction’s': Prisma.sql`
    SELECT t.id FROM (SELECT * FROM t WHERE done AND balance <> '' AND NOT EXISTS (SELECT 1 FROM before WHERE before.id = t.id)) t
    FULL JOIN (SELECT * FROM ledger.entry WHERE NOT EXISTS (SELECT 1 FROM before WHERE before.id = transaction_id)) e
      ON e.transaction_id = t.id
    WHERE t.id IS NULL OR e.transaction_id IS NULL OR (e.kind, e.holder, e.currency, e.amount)
      IS DISTINCT FROM (t.balance, t.holder, t.currency, t.movement)`,
  'a balance that is not opening plus movements': Prisma.sql`
    SELECT b.* FROM ledger.balance b
    LEFT JOIN opening o USING (holder, kind, currency)
    LEFT JOIN (SELECT holder, balance AS kind, currency, sum(movement) AS moved FROM t
      WHERE done AND balance <> '' AND NOT EXISTS (SELECT 1 FROM before WHERE before.id = t.id)
      GROUP BY 1, 2, 3) m USING (holder, kind, currency)
    WHERE b.amount <> coalesce(o.amount, 0) + coalesce(m.moved, 0)`,
  'points below zero, or declined although they sufficed': Prisma.sql`
    SELECT position FROM (
      SELECT e.position, t.done, t.movement, (SELECT amount FROM opening WHERE kind = 'points' AND holder = ${POOR})
        + sum(CASE WHEN t.done THEN t.movement ELSE 0 END) OVER (ORDER BY e.position) AS points
      FROM t JOIN events.event e ON e.transaction_id = t.id
      WHERE t.balance = 'points' AND t.holder = ${POOR} AND NOT EXISTS (SELECT 1 FROM before WHERE before.id = t.id)) p
    WHERE points < 0 OR (NOT done AND points + movement >= 0)`,
  'a hole in the event log': Prisma.sql`
    SELECT count(*) FROM events.event
    HAVING count(*) <> max(position) - min(position) + 1
      OR max(position) <> (SELECT position FROM events.book WHERE name = 'event' AND client_id = '')`,
  'a hole in a sequence': Prisma.sql`
    SELECT sequence FROM (SELECT sequence, count(*) AS n, max(position) AS last FROM t GROUP BY 1) s
    LEFT JOIN book b ON b.name = s.sequence WHERE s.n <> s.last OR s.last IS DISTINCT FROM b.position`,
  'a hole in a client’s part of a sequence': Prisma.sql`
    SELECT sequence, client_id FROM t GROUP BY 1, 2 HAVING count(*) <> max(client_position)`,
  'a webhook that is not delivered': Prisma.sql`
    SELECT id FROM events.delivery WHERE client_id LIKE 'many-%' AND (status <> 'DELIVERED' OR lease IS NOT NULL)`,
  'an event without its webhook': Prisma.sql`
    SELECT e.eventid FROM t JOIN events.event e ON e.transaction_id = t.id
    LEFT JOIN events.delivery d ON d.eventid = e.eventid
    WHERE t.client_id LIKE 'many-%' AND t.kind <> 'MESSAGE' AND d.id IS NULL`,
  'a transaction that the timeline has otherwise': Prisma.sql`
    SELECT t.id, a.id FROM t FULL JOIN activity.entry a ON a.id = t.id
    WHERE (t.kind, t.status, t.client_id, t.amount, t.points) IS DISTINCT FROM (a.kind, a.status, a.client_id, a.amount, a.points)`,
  'a sum that is not that of the transactions': Prisma.sql`
    SELECT * FROM (SELECT client_id, kind, count(*) AS n, coalesce(sum(amount) FILTER (WHERE done), 0) AS amount,
        coalesce(sum(points) FILTER (WHERE done), 0) AS points FROM t GROUP BY 1, 2) t
    FULL JOIN (SELECT client_id, kind, sum(entries) AS n, coalesce(sum(amount) FILTER (WHERE outcome = 'COMPLETED'), 0) AS amount,
        coalesce(sum(points) FILTER (WHERE outcome = 'COMPLETED'), 0) AS points FROM activity.client_day GROUP BY 1, 2) d
      USING (client_id, kind)
    WHERE (t.n, t.amount, t.points) IS DISTINCT FROM (d.n, d.amount, d.points)`,
}

/** Notes the balances and transactions there are, to be added to; before anything is posted. */
export async function noteOpening(db: Db): Promise<void> {
  await db.$executeRaw`CREATE TABLE opening AS SELECT * FROM ledger.balance`
  await db.$executeRaw`CREATE TABLE before AS WITH t AS MATERIALIZED (${TRANSACTIONS}) SELECT id FROM t`
}

/** Everything that is wrong, in words. */
export async function faultsOf(db: Db): Promise<string[]> {
  const faults: string[] = []
  for (const [what, check] of Object.entries(CHECKS)) {
    const rows = await db.$queryRaw<unknown[]>`
      WITH t AS MATERIALIZED (${TRANSACTIONS}), book AS MATERIALIZED (${BOOKS}),
      opening AS MATERIALIZED (SELECT * FROM opening), before AS MATERIALIZED (SELECT * FROM before) ${check}`
    const text = JSON.stringify(rows.slice(0, 3), (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    if (rows.length > 0) faults.push(`${what}: ${rows.length}, such as ${text}`)
  }
  return faults
}

export interface Written {
  readonly id: string
  readonly kind: string
  readonly clientId: string
  readonly correlator: string
  readonly holder: string
  readonly measure: Prisma.Decimal | null
}

/** Transactions that the clients of the run posted. */
export const writtenBy = (db: Db): Promise<Written[]> =>
  db.$queryRaw`WITH t AS MATERIALIZED (${TRANSACTIONS}) SELECT id, kind, client_id AS "clientId", correlator, holder,
    coalesce(amount, points) AS measure FROM t WHERE client_id LIKE 'many-%'`

/** How much is still under way: to settle, to deliver, to follow. */
export async function inFlight(db: Db): Promise<number> {
  const [{ n }] = await db.$queryRaw<[{ n: bigint }]>`
    WITH t AS MATERIALIZED (${TRANSACTIONS}) SELECT (SELECT count(*) FROM t WHERE pending)
      + (SELECT count(*) FROM events.delivery WHERE status = 'PENDING' AND client_id LIKE 'many-%')
      + (SELECT count(*) FROM t LEFT JOIN activity.entry a ON a.id = t.id WHERE a.status IS DISTINCT FROM t.status) AS n`
  return Number(n)
}
