/**
 * The sums by day, moved together with the entries they count: a statement that changes entries carries the upserts
 * of all three grains, so that a sum is never anything but the sum of its entries.
 */
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'

/** A table of sums, and what it tells apart. */
interface Grain {
  readonly table: string
  readonly keys: readonly string[]
}

const GRAINS: readonly Grain[] = [
  {
    table: 'holder_day',
    keys: [
      'account_number',
      'day',
      'mobile_number',
      'client_id',
      'kind',
      'outcome',
      'channel',
      'merchant',
      'currency',
      'reason',
    ],
  },
  {
    table: 'client_day',
    keys: ['client_id', 'day', 'kind', 'outcome', 'channel', 'merchant', 'currency', 'reason'],
  },
  { table: 'total_day', keys: ['day', 'client_id', 'kind', 'outcome', 'currency', 'reason'] },
]

/**
 * What an entry counts as; `sign` takes it away again. Absent texts become empty, so that they can be keys.
 * @param prefix that of the columns which say what it has come to.
 */
export const shareOf = (from: string, prefix: '' | 'new_', sign: 1 | -1): Prisma.Sql =>
  Prisma.raw(`
    SELECT coalesce(account_number, '') AS account_number, day, coalesce(mobile_number, '') AS mobile_number,
      client_id, kind, ${prefix}outcome AS outcome, channel, merchant, coalesce(currency, '') AS currency,
      ${prefix}reason AS reason,
      ${sign} AS entries, ${sign} * coalesce(amount, 0) AS amount, ${sign} * coalesce(points, 0) AS points
    FROM ${from}`)

const upsert = ({ table, keys }: Grain) => `
  ${table} AS (
    INSERT INTO activity.${table} AS s (${keys}, entries, amount, points)
    SELECT ${keys}, sum(entries), sum(amount), sum(points) FROM delta GROUP BY ${keys}
    ON CONFLICT (${keys}) DO UPDATE SET entries = s.entries + excluded.entries,
      amount = s.amount + excluded.amount, points = s.points + excluded.points
    RETURNING s.entries, s.ctid)`

/** The upserts, as further parts of a `WITH` that has a part `delta` made of `shareOf`. */
export const UPSERTS: Prisma.Sql = Prisma.raw(GRAINS.map(upsert).join(','))

/** The statement's answer: which rows have come to count nothing. */
export const EMPTIED: Prisma.Sql = Prisma.raw(
  GRAINS.map(
    ({ table }) => `SELECT '${table}' AS "table", ctid::text AS tid FROM ${table} WHERE entries = 0`,
  ).join(' UNION ALL '),
)

export interface Emptied {
  readonly table: string
  readonly tid: string
}

/** Removes what counts nothing any more; call it before anything else is written. */
export async function removeEmptied(tx: Statements, emptied: readonly Emptied[]): Promise<void> {
  for (const [table, rows] of Map.groupBy(emptied, row => row.table)) {
    await tx.$executeRaw`
      DELETE FROM ${Prisma.raw(`activity.${table}`)} s USING ${valuesTable(rows, Prisma.sql`tid tid`)} emptied
      WHERE s.ctid = emptied.tid AND s.entries = 0`
  }
}
