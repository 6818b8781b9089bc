/**
 * A history that grows as an operator's does: with more transactions come more accounts, ten transactions each, two of
 * every kind, spread over a hundred days; the partners stay the same. Rows, timeline and sums are as the program would have
 * written them, but for the words that entries are searched by.
 */
import type { Bulk } from './bulk.ts'
import { FILLINGS, type Filling } from './fill.ts'

export const DAYS = 100
const FIRST_DAY = '2026-01-01'
const KINDS = ['PAYMENT', 'RECHARGE', 'REWARD', 'REDEMPTION', 'MESSAGE'] as const
/** The places of the kinds in the timeline's order (`timeline.code` of each `kind.ts`). */
const CODES = [0, 1, 3, 4, 2] as const
const EACH = KINDS.length * 2
const PARTNERS = 2

export const accountsOf = (transactions: number): number => transactions / EACH
export const historyNumber = (account: number): string => String(96_890_000_000 + account)

/** Some of a kind's rows: the running numbers from `from` up to `to`, without it. */
interface Slice {
  readonly from: number
  readonly to: number
}

const allOf = (transactions: number): Slice => ({ from: 0, to: transactions / KINDS.length })

/** Where all kinds are in one table, they are written two days at a time: so rows lie as they came. */
const SLICES = 50

const slicesOf = (transactions: number): Slice[] => {
  const size = transactions / KINDS.length / SLICES
  return Array.from({ length: SLICES }, (_, index) => ({ from: index * size, to: (index + 1) * size }))
}

/**
 * The running number `m` of a kind's rows, and what follows from it. Of five transactions that follow one another each is
 * of another kind, in an order that differs from one of an account's transactions to the next.
 */
const rowsOf = (kind: number, transactions: number, { from, to } = allOf(transactions)) => {
  const accounts = accountsOf(transactions)
  return `
  FROM generate_series(${from}, ${to - 1}) m,
    LATERAL (SELECT m::bigint * 5 + (${kind} - (m::bigint * 5 / ${accounts}) % 5 + 5) % 5 AS n) a,
    LATERAL (SELECT (n % ${accounts})::bigint AS account,
      date_trunc('milliseconds', timestamptz '${FIRST_DAY} 00:00:00+04' + interval '${DAYS} days' * (m::float8 * 5 / ${transactions})) AS at,
      'partner-' || m % ${PARTNERS} AS client, m / ${PARTNERS} + 1 AS client_position) b,
    LATERAL (SELECT (10000000 + account)::text AS account_number, (96890000000 + account)::text AS mobile_number) c`
}

const id = (mark: string) => `('01900000-0000-7000-8${mark}-' || lpad(to_hex(m + 1), 12, '0'))::uuid`
/** The columns `currency, amount, points` where there is nothing, as sums have it. */
const zeroed = (money: string) => {
  const [currency, amount, points] = money.split(', ').map(part => part.trim())
  return [
    currency === 'NULL' ? `''` : currency,
    amount === 'NULL' ? 0 : amount,
    points === 'NULL' ? 0 : points,
  ]
}

const transactionsOf = (
  { table, mark, status, money, body }: Filling,
  kind: number,
  transactions: number,
): Bulk => ({
  table,
  statements: [
    `INSERT INTO ${table} (id, position, client_id, client_position, created_at, client_correlator_id, reference_code, status,
       completed_at, reason, account_number, mobile_number, currency, amount, points, body)
     SELECT ${id(mark)}, m + 1, client, client_position, at, 'fill-' || n, 'REF-' || n,
       '${status}', at, 'It was posted', account_number, mobile_number, ${money}, ${body}
     ${rowsOf(kind, transactions)}`,
  ],
})

const ENTRY_TEXTS = `'Web', 'Merchant ' || n % 20, 'Monthly bill', 'It was posted', 'fill-' || n, 'REF-' || n`

type Writer = (filling: Filling, kind: number, transactions: number, slice: Slice) => string

const entriesOf: Writer = ({ mark, status, money }, kind, transactions, slice) => `
  INSERT INTO activity.entry (id, sort, kind, client_id, account_number, mobile_number, occurred_at, status, outcome,
    currency, amount, points, channel, merchant, text, reason, client_correlator_id, reference_code)
  SELECT ${id(mark)}, (extract(epoch FROM at) * 1000)::bigint * 524288 + ${CODES[kind]} * 65536 + (m + 1) % 65536, '${KINDS[kind]}',
    client, account_number, mobile_number, at, '${status}',
    'COMPLETED', ${money}, ${ENTRY_TEXTS}
  ${rowsOf(kind, transactions, slice)}`

/** An account has one transaction of a kind in a day at the most: each of its sums is of one. */
const holderSumsOf: Writer = ({ money }, kind, transactions, slice) => {
  const [currency, amount, points] = zeroed(money)
  return `
  INSERT INTO activity.holder_day (account_number, day, mobile_number, client_id, kind, outcome, channel, merchant, currency,
    reason, entries, amount, points)
  SELECT account_number, (at AT TIME ZONE 'Asia/Muscat')::date, mobile_number, client, '${KINDS[kind]}',
    'COMPLETED', 'Web', 'Merchant ' || n % 20, ${currency}, 'It was posted', 1,
    ${amount}, ${points}
  ${rowsOf(kind, transactions, slice)}`
}

const DAY_KEYS = 'day, client_id, kind, outcome, currency, reason'

const sumsOf = (table: string, keys: string): Bulk => ({
  table: `activity.${table}`,
  statements: [
    `INSERT INTO activity.${table} (${keys}, entries, amount, points)
     SELECT ${keys}, sum(entries), sum(amount), sum(points) FROM activity.holder_day GROUP BY ${keys}`,
  ],
})

const ofAll = (write: Writer, transactions: number) =>
  slicesOf(transactions).flatMap(slice =>
    FILLINGS.map((filling, kind) => write(filling, kind, transactions, slice)),
  )

/** The largest tables first, so that two connections are done at about the same time. */
export const historyOf = (transactions: number): Bulk[] => [
  { table: 'activity.entry', statements: ofAll(entriesOf, transactions) },
  { table: 'activity.holder_day', statements: ofAll(holderSumsOf, transactions) },
  ...FILLINGS.map((filling, kind) => transactionsOf(filling, kind, transactions)),
]

/** Rows made from the sums by account. */
export const SUMS: readonly Bulk[] = [
  sumsOf('total_day', DAY_KEYS),
  sumsOf('client_day', `${DAY_KEYS}, channel, merchant`),
]

/** A key that another table refers to cannot be made anew. */
export const UNTIED = 'ALTER TABLE directory.line DROP CONSTRAINT line_account_number_fkey'

/** Accounts with a number each, and what they owe and have. */
export const directoryOf = (transactions: number): Bulk[] => {
  const accounts = `FROM generate_series(0, ${accountsOf(transactions) - 1}) a`
  return [
    {
      table: 'directory.account',
      statements: [
        `INSERT INTO directory.account (account_number, customer_name, customer_status, customer_type)
         SELECT 10000000 + a, 'Customer ' || a, 'ACTIVE', 14 ${accounts}`,
      ],
    },
    {
      table: 'directory.line',
      statements: [
        `INSERT INTO directory.line (kind, number, account_number) SELECT 'phone', 96890000000 + a, 10000000 + a ${accounts}`,
      ],
    },
    {
      table: 'ledger.balance',
      statements: [
        `INSERT INTO ledger.balance (kind, holder, currency, amount)
         SELECT kind, CASE kind WHEN 'dues' THEN 10000000 + a ELSE 96890000000 + a END,
           CASE kind WHEN 'points' THEN '' ELSE 'OMR' END, a % 1000
         ${accounts}, unnest(ARRAY['dues', 'prepaid', 'points']) kind`,
      ],
    },
  ]
}

/** All rows are numbered, and nothing is left to be settled or projected. */
export const positionsOf = (transactions: number): string => {
  const rows = transactions / KINDS.length
  const names = FILLINGS.map(({ book }) => `'${book}'`).join(', ')
  return `
    INSERT INTO books.book (name, client_id, position)
    SELECT name, client, CASE client WHEN '' THEN ${rows} ELSE ${rows / PARTNERS} END
    FROM unnest(ARRAY[${names}]) name, unnest(ARRAY['', 'partner-0', 'partner-1']) client
    ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position;
    UPDATE charging.progress SET position = ${rows};
    UPDATE activity.progress SET timezone = 'Asia/Muscat', position = CASE name WHEN 'event' THEN 0 ELSE ${rows} END`
}
