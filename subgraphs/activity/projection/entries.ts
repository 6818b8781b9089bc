/** Entries of the timeline, and the sums by day that change with them. */
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { exceptionOf, outcomeOf } from '../kinds.ts'
import { lexemesOf, SORT_KEYS_PER_KIND, SORT_KEYS_PER_MS } from '../timeline/entry.ts'
import { NAME_LENGTH } from '../timeline/filter.ts'

/** Table of sums, and the columns of its key. */
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
 * Share of an entry in the sums, as SQL; with the other `sign` it is taken away again. Absent texts become empty, so that
 * they can be keys.
 * @param prefix prefix of the columns of status and outcome.
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

/** Upserts of the sums, as further parts of a `WITH` that has a part `delta` made by `shareOf`. */
const UPSERTS: Prisma.Sql = Prisma.raw(GRAINS.map(upsert).join(','))

/** Result of the statement: the rows that count nothing any more. */
const EMPTIED: Prisma.Sql = Prisma.raw(
  GRAINS.map(
    ({ table }) => `SELECT '${table}' AS "table", ctid::text AS tid FROM ${table} WHERE entries = 0`,
  ).join(' UNION ALL '),
)

interface Emptied {
  readonly table: string
  readonly tid: string
}

/** Removes sums that count nothing any more; called before anything else is written. */
async function removeEmptied(tx: Statements, emptied: readonly Emptied[]): Promise<void> {
  for (const [table, rows] of Map.groupBy(emptied, row => row.table)) {
    await tx.$executeRaw`
      DELETE FROM ${Prisma.raw(`activity.${table}`)} s USING ${valuesTable(rows, Prisma.sql`tid tid`)} emptied
      WHERE s.ctid = emptied.tid AND s.entries = 0`
  }
}

/** Range of positions in a log: above `from`, up to `to`. */
export interface ProjectedRange {
  readonly from: bigint
  readonly to: bigint
  /** Time zone of the days. */
  readonly timezone: string
}

const TEXT_LENGTH = 300
/** Longest reference that is indexed; older ones may be longer than an index of words can hold. */
const REFERENCE_LENGTH = 256

/** Factor on the length of a text that is read, since its white space is shortened then. */
const LOOKED_AT = 4

/** Place in the body, as SQL. Paths come from the code alone. */
const placeOf = (path: readonly string[]) => `t.body #>> '{${path.join(',')}}'`

/** Text of the first place that is there, on one line; empty where none is. */
const textIn = (places: readonly string[], length: number) =>
  Prisma.raw(
    `left(btrim(regexp_replace(left(coalesce(${[...places, `''`].join(', ')}), ${length * LOOKED_AT}), '\\s+', ' ', 'g')), ${length})`,
  )

const textAt = (paths: readonly (readonly string[])[], length: number) => textIn(paths.map(placeOf), length)

const EMPTY = Prisma.raw(`''`)
const NOTHING = Prisma.raw('NULL::text')

const REFERENCE = Prisma.raw(`left(t.reference_code, ${REFERENCE_LENGTH})`)

const metaData = ({ timeline: { metaData } }: TransactionKind, name: string) =>
  textAt(metaData ? [[...metaData, name]] : [], NAME_LENGTH)

/** Product of a row as SQL: `productId`, behind a `serviceId` and a slash where there is one, which together identify it. */
const productOf = ({ timeline: { metaData: group } }: TransactionKind) => {
  if (!group) return EMPTY
  const [service, product] = ['serviceId', 'productId'].map(name => placeOf([...group, name]))
  return textIn([`coalesce(nullif(${service}, '') || '/', '') || nullif(${product}, '')`], NAME_LENGTH)
}

/** Words of a row as SQL; none where it is projected without its texts. */
const textsOf = (kind: TransactionKind, bare: boolean) =>
  bare
    ? { channel: EMPTY, merchant: EMPTY, text: EMPTY, reference: NOTHING, product: EMPTY, method: EMPTY }
    : {
        channel: metaData(kind, 'channel'),
        merchant: metaData(kind, 'merchantName'),
        product: productOf(kind),
        method: metaData(kind, 'paymentMethod'),
        text: textAt(kind.timeline.texts, TEXT_LENGTH),
        reference: REFERENCE,
      }

/** Account of a row that names none, by a look-up: in a join, all lines would be read where many rows are expected. */
const ACCOUNT_OF_LINE = Prisma.sql`
  (SELECT line.account_number FROM directory.line WHERE line.number = t.mobile_number AND line.kind = 'phone')`

/** Time from creation to the final status, in whole milliseconds; null while there is none. */
const settledMs = (created: string, completed: string): Prisma.Sql =>
  Prisma.raw(`(extract(epoch FROM ${completed} - ${created}) * 1000)::bigint`)

const selectRows = (
  kind: TransactionKind,
  { from, to, timezone }: ProjectedRange,
  { channel, merchant, text, reference, product, method }: ReturnType<typeof textsOf>,
) => Prisma.sql`
  SELECT t.id, t.client_id, coalesce(t.account_number, ${ACCOUNT_OF_LINE}) AS account_number, t.mobile_number,
    t.created_at AS occurred_at, t.status, t.currency, t.amount, t.points, ${reference} AS reference_code,
    activity.reason(t.reason) AS reason, left(t.client_correlator_id, ${REFERENCE_LENGTH}::int) AS client_correlator_id, t.correlator,
    ${kind.name}::text AS kind, ${outcomeOf(kind, 't.status')} AS outcome,
    (extract(epoch FROM t.created_at) * 1000)::bigint * ${SORT_KEYS_PER_MS}::bigint
      + ${kind.timeline.code * SORT_KEYS_PER_KIND}::bigint + t.position % ${SORT_KEYS_PER_KIND}::bigint AS sort,
    ${channel} AS channel, ${merchant} AS merchant, ${product} AS product, ${method} AS payment_method,
    ${settledMs('t.created_at', 't.completed_at')} AS settled_ms,
    ${text} AS text, (t.created_at AT TIME ZONE ${timezone})::date AS day
  FROM ${tableOf(kind)} t
  WHERE t.position > ${from}::bigint AND t.position <= ${to}::bigint`

const ENTRY = Prisma.raw(
  'id, sort, kind, client_id, account_number, mobile_number, occurred_at, status, outcome, currency, amount, points, channel, merchant, text, reason, client_correlator_id, correlator, reference_code, product, payment_method, settled_ms',
)

const WORDS = lexemesOf(
  Prisma.sql`concat_ws(' ', text, merchant, channel, reference_code, account_number, mobile_number)`,
  Prisma.sql`concat_ws(' ', client_correlator_id, correlator)`,
)

const OUTCOME = Prisma.raw('outcome')
const NEW_OUTCOME = Prisma.raw('moved.new_outcome')

/**
 * Inserts the entries of a range of a kind's rows.
 * @param bare leaves out the words, which the database may refuse.
 */
export async function createEntries(
  tx: Statements,
  kind: TransactionKind,
  range: ProjectedRange,
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

/** The last event of each transaction of a kind in a range of the log, which says all of its status that an entry shows. */
const lastEvents = (kind: TransactionKind, { from, to }: ProjectedRange) => Prisma.sql`
  SELECT DISTINCT ON (transaction_id) transaction_id AS id, operation_status AS status, description,
    min(event_time) FILTER (WHERE ${outcomeOf(kind, 'operation_status')} <> 'PENDING')
      OVER (PARTITION BY transaction_id) AS final_time
  FROM events.event
  WHERE kind = ${kind.name} AND position > ${from}::bigint AND position <= ${to}::bigint
  ORDER BY transaction_id, position DESC`

/** The statuses that a final one may be followed by, as SQL; none of them is undone by an earlier event. */
const followersOf = ({ transitions, outcomes }: TransactionKind, column: string) => {
  const cases = Object.entries(transitions).flatMap(([status, followers]) =>
    outcomes[status] === 'PENDING' || followers.length === 0
      ? []
      : [`WHEN '${status}' THEN ARRAY[${followers.map(one => `'${one}'`)}]`],
  )
  return cases.length > 0 ? Prisma.raw(`CASE ${column} ${cases.join(' ')} ELSE '{}' END`) : Prisma.raw(`'{}'`)
}

/**
 * Entries of a kind that events concern. They are read row by row (`OFFSET 0`), and as if there were one
 * (`given`, see `data/sql.ts`): how many events a range holds is not known when this is planned, and for the part of a
 * long log that is expected then, whole tables would be read. An entry that was made after a later event is further already.
 */
const concerned = (kind: TransactionKind, { timezone }: ProjectedRange) => Prisma.sql`
  SELECT e.*, 1 AS given, event.status AS new_status, ${outcomeOf(kind, 'event.status')} AS new_outcome,
    activity.reason(event.description) AS new_reason,
    coalesce(e.settled_ms, ${settledMs('e.occurred_at', 'event.final_time')}) AS new_settled_ms,
    (e.occurred_at AT TIME ZONE ${timezone})::date AS day
  FROM event CROSS JOIN LATERAL (SELECT * FROM activity.entry WHERE id = event.id OFFSET 0) e
  WHERE e.status <> event.status AND e.status <> ALL (${followersOf(kind, 'event.status')})`

/**
 * Updates the entries of a kind that a range of the event log concerns, by the events themselves: where a kind's table is on
 * another node, its row may show the status only after the event.
 */
export async function changeEntries(
  tx: Statements,
  kind: TransactionKind,
  range: ProjectedRange,
): Promise<void> {
  const emptied = await tx.$queryRaw<Emptied[]>`
    WITH event AS MATERIALIZED (${lastEvents(kind, range)}),
    moved AS MATERIALIZED (${concerned(kind, range)}),
    written AS (UPDATE activity.entry e SET status = moved.new_status, outcome = moved.new_outcome,
      exception = ${exceptionOf(NEW_OUTCOME)}, reason = moved.new_reason,
      settled_ms = moved.new_settled_ms
      FROM moved WHERE moved.given = 1 AND e.id = moved.id),
    delta AS (${shareOf('moved', '', -1)} UNION ALL ${shareOf('moved', 'new_', 1)}),
    ${UPSERTS} ${EMPTIED}`
  await removeEmptied(tx, emptied)
}
