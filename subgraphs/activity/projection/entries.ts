/** Entries of the timeline, and the sums by day that change with them. */
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { exceptionOf, outcomeOf } from '../kinds.ts'
import { NAME_LENGTH } from '../timeline/filter.ts'
import { SORT_KEYS_PER_KIND, SORT_KEYS_PER_MS } from '../timeline/order.ts'

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
const shareOf = (from: string, prefix: '' | 'new_', sign: 1 | -1): Prisma.Sql =>
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
const UPSERTS: Prisma.Sql = Prisma.raw(GRAINS.map(upsert).join(','))

/** The statement's answer: which rows have come to count nothing. */
const EMPTIED: Prisma.Sql = Prisma.raw(
  GRAINS.map(
    ({ table }) => `SELECT '${table}' AS "table", ctid::text AS tid FROM ${table} WHERE entries = 0`,
  ).join(' UNION ALL '),
)

interface Emptied {
  readonly table: string
  readonly tid: string
}

/** Removes what counts nothing any more; call it before anything else is written. */
async function removeEmptied(tx: Statements, emptied: readonly Emptied[]): Promise<void> {
  for (const [table, rows] of Map.groupBy(emptied, row => row.table)) {
    await tx.$executeRaw`
      DELETE FROM ${Prisma.raw(`activity.${table}`)} s USING ${valuesTable(rows, Prisma.sql`tid tid`)} emptied
      WHERE s.ctid = emptied.tid AND s.entries = 0`
  }
}

/** A range of positions in a log: those above `from`, up to `to`. */
export interface PositionRange {
  readonly from: bigint
  readonly to: bigint
  /** The days of the sums are this time zone's. */
  readonly timezone: string
}

const TEXT_LENGTH = 300
/** As long as a reference may be; older ones may be longer than an index of words can hold. */
const REFERENCE_LENGTH = 256

/** So much of a text is looked at for those: the white space in it becomes shorter. */
const LOOKED_AT = 4

/** A text of the body on one line, empty when it is not there. Paths come from the code alone. */
const textAt = (paths: readonly (readonly string[])[], length: number) => {
  const places = paths.map(path => `t.body #>> '{${path.join(',')}}'`)
  return Prisma.raw(
    `left(btrim(regexp_replace(left(coalesce(${[...places, `''`].join(', ')}), ${length * LOOKED_AT}), '\\s+', ' ', 'g')), ${length})`,
  )
}

const EMPTY = Prisma.raw(`''`)
const NOTHING = Prisma.raw('NULL::text')

const REFERENCE = Prisma.raw(`left(t.reference_code, ${REFERENCE_LENGTH})`)

const metaData = ({ timeline: { metaData } }: TransactionKind, name: string) =>
  textAt(metaData ? [[...metaData, name]] : [], NAME_LENGTH)

/** What a row says in words; nothing, where it is to be followed without. */
const textsOf = (kind: TransactionKind, bare: boolean) =>
  bare
    ? { channel: EMPTY, merchant: EMPTY, text: EMPTY, reference: NOTHING }
    : {
        channel: metaData(kind, 'channel'),
        merchant: metaData(kind, 'merchantName'),
        text: textAt(kind.timeline.texts, TEXT_LENGTH),
        reference: REFERENCE,
      }

/** Looked up for each row that names no account: joined, all lines would be read where many rows are expected. */
const ACCOUNT_OF_LINE = Prisma.sql`
  (SELECT line.account_number FROM directory.line WHERE line.number = t.mobile_number AND line.kind = 'phone')`

const selectRows = (
  kind: TransactionKind,
  { from, to, timezone }: PositionRange,
  { channel, merchant, text, reference }: ReturnType<typeof textsOf>,
) => Prisma.sql`
  SELECT t.id, t.client_id, coalesce(t.account_number, ${ACCOUNT_OF_LINE}) AS account_number, t.mobile_number,
    t.created_at AS occurred_at, t.status, t.currency, t.amount, t.points, ${reference} AS reference_code,
    activity.reason(t.reason) AS reason, left(t.client_correlator_id, ${REFERENCE_LENGTH}::int) AS client_correlator_id, t.correlator,
    ${kind.name}::text AS kind, ${outcomeOf(kind, 't.status')} AS outcome,
    (extract(epoch FROM t.created_at) * 1000)::bigint * ${SORT_KEYS_PER_MS}::bigint
      + ${kind.timeline.code * SORT_KEYS_PER_KIND}::bigint + t.position % ${SORT_KEYS_PER_KIND}::bigint AS sort,
    ${channel} AS channel, ${merchant} AS merchant,
    ${text} AS text, (t.created_at AT TIME ZONE ${timezone})::date AS day
  FROM ${tableOf(kind)} t
  WHERE t.position > ${from}::bigint AND t.position <= ${to}::bigint`

const ENTRY = Prisma.raw(
  'id, sort, kind, client_id, account_number, mobile_number, occurred_at, status, outcome, currency, amount, points, channel, merchant, text, reason, client_correlator_id, correlator, reference_code',
)

/** Correlators are found whole, from their beginning: in words, each would be five of the index instead of one. */
const WORDS = Prisma.raw(`array_to_tsvector(activity.words(
  concat_ws(' ', text, merchant, channel, reference_code, account_number, mobile_number))
  || activity.tokens(concat_ws(' ', client_correlator_id, correlator)))`)

const OUTCOME = Prisma.raw('outcome')
const NEW_OUTCOME = Prisma.raw('moved.new_outcome')

/**
 * Makes the entries of a range of a kind's rows.
 * @param bare without what the rows say in words, and so without what a text can be refused for.
 */
export async function createEntries(
  tx: Statements,
  kind: TransactionKind,
  range: PositionRange,
  bare = false,
): Promise<void> {
  const emptied = await tx.$queryRaw<Emptied[]>`
    WITH fresh AS MATERIALIZED (${selectRows(kind, range, textsOf(kind, bare))}),
    written AS (INSERT INTO activity.entry (${ENTRY}, words, exception)
      SELECT ${ENTRY}, ${WORDS}, ${exceptionOf(OUTCOME)} FROM fresh),
    delta AS (${shareOf('fresh', '', 1)}),
    ${UPSERTS} ${EMPTIED}`
  await removeEmptied(tx, emptied)
}

/**
 * Row by row (`OFFSET 0`), and as if it were one (`given`, see `data/sql.ts`): how many events a range holds is not
 * known when this is planned, and for the part of a long log that is expected then, whole tables would be read.
 */
const concerned = (kind: TransactionKind, { from, to, timezone }: PositionRange) => Prisma.sql`
  SELECT e.*, 1 AS given, t.status AS new_status, ${outcomeOf(kind, 't.status')} AS new_outcome,
    activity.reason(t.reason) AS new_reason,
    (e.occurred_at AT TIME ZONE ${timezone})::date AS day
  FROM (SELECT DISTINCT transaction_id AS id FROM events.event
    WHERE kind = ${kind.name} AND position > ${from}::bigint AND position <= ${to}::bigint) event
  CROSS JOIN LATERAL (SELECT * FROM activity.entry WHERE id = event.id OFFSET 0) e
  CROSS JOIN LATERAL (SELECT status, reason FROM ${tableOf(kind)} WHERE id = event.id OFFSET 0) t
  WHERE e.status <> t.status`

/** Updates the entries of a kind that a range of the event log concerns to what their rows say now. */
export async function changeEntries(
  tx: Statements,
  kind: TransactionKind,
  range: PositionRange,
): Promise<void> {
  const emptied = await tx.$queryRaw<Emptied[]>`
    WITH moved AS MATERIALIZED (${concerned(kind, range)}),
    written AS (UPDATE activity.entry e SET status = moved.new_status, outcome = moved.new_outcome,
      exception = ${exceptionOf(NEW_OUTCOME)}, reason = moved.new_reason
      FROM moved WHERE moved.given = 1 AND e.id = moved.id),
    delta AS (${shareOf('moved', '', -1)} UNION ALL ${shareOf('moved', 'new_', 1)}),
    ${UPSERTS} ${EMPTIED}`
  await removeEmptied(tx, emptied)
}
