/** Rows that the databases hold before anything is measured, made by the database itself. */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { hashSecret } from '#core/access/secrets.ts'

/** A runner of statements: a connection, or the embedded database. */
export interface Sql {
  query(text: string, values?: unknown[]): Promise<unknown>
}

/** Accounts `900000…` with one postpaid number each, `968970…`, which owe something. */
export const ACCOUNTS = 1_000
export const accountOf = (index: number): string => String(900_000 + (index % ACCOUNTS))
export const mobileOf = (index: number): string => String(96_897_000_000 + (index % ACCOUNTS))

/** One client stands for all of a benchmark's. */
export const QUOTAS = {
  requestsInFlight: 10_000,
  requestsPerSecond: 1_000_000,
  costPerMinute: 1_000_000_000,
  webhooksInFlight: 10_000,
}

/** A partner that posts and an analyst that reads; the secret is the id with `-secret` appended. */
export async function fillClients(client: Sql): Promise<void> {
  for (const role of ['partner', 'analyst']) {
    await client.query(
      `INSERT INTO access.client (id, name, role, secret_hash, currencies, quotas)
       VALUES ($1, $1, $2, $3, '{OMR}', $4)`,
      [`bench-${role}`, role, await hashSecret(`bench-${role}-secret`), QUOTAS],
    )
  }
}

export async function fillDirectory(client: Sql): Promise<void> {
  await client.query(`
    INSERT INTO directory.account (account_number, customer_name, customer_status, customer_type)
    SELECT 900000 + n, 'Customer ' || n, 'ACTIVE', 14 FROM generate_series(0, ${ACCOUNTS - 1}) n`)
  await client.query(`
    INSERT INTO directory.line (kind, number, account_number)
    SELECT 'phone', 96897000000 + n, 900000 + n FROM generate_series(0, ${ACCOUNTS - 1}) n`)
  await client.query(`
    INSERT INTO ledger.balance (kind, holder, currency, amount)
    SELECT kind, CASE kind WHEN 'dues' THEN 900000 + n ELSE 96897000000 + n END,
      CASE kind WHEN 'points' THEN '' ELSE 'OMR' END, n
    FROM generate_series(0, ${ACCOUNTS - 1}) n, unnest(ARRAY['dues', 'prepaid', 'points']) kind`)
}

/** Where a kind of transaction is kept, and what makes one of them look real. */
export interface Filling {
  readonly table: string
  /** Three hexadecimal digits, which stand in its ids: no two kinds have the same. */
  readonly mark: string
  readonly book: string
  readonly status: string
  /** The columns `currency, amount, points`. */
  readonly money: string
  /** SQL for the body; `n` is the running number. */
  readonly body: string
}

export const PAYMENTS: Filling = {
  table: 'postpaid.payment',
  mark: '001',
  book: 'payment',
  status: 'succeeded',
  money: `'OMR', 5.25, NULL`,
  body: `jsonb_build_object('referenceCode', 'REF-' || n, 'clientCorrelatorId', 'fill-' || n,
    'customerInfo', jsonb_build_object('customerAccountNumber', (900000 + n % ${ACCOUNTS})::text,
      'phoneNumber', (96897000000 + n % ${ACCOUNTS})::text),
    'paymentInfo', jsonb_build_object('paymentInformation',
      jsonb_build_object('amount', 5.25, 'currency', 'OMR', 'description', 'Bill ' || n)))`,
}

/** Points, whose bodies nobody asks for here. */
const points = (table: string, book: string, mark: string): Filling => ({
  table,
  mark,
  book,
  status: 'success',
  money: 'NULL, NULL, 20',
  body: `'{}'`,
})

export const FILLINGS: readonly Filling[] = [
  PAYMENTS,
  { ...PAYMENTS, table: 'prepaid.recharge', book: 'recharge', mark: '002' },
  points('loyalty.reward', 'reward', '003'),
  points('redemption.redemption', 'redemption', '004'),
  { ...points('messaging.message', 'message', '005'), status: 'sent', money: 'NULL, NULL, NULL' },
]

/** Time over which transactions are spread. */
interface Period {
  readonly from: string
  readonly days: number
}

const HUNDRED_DAYS: Period = { from: '2026-01-01 00:00:00+04', days: 100 }

/** Finished transactions of `bench-partner`, of a hundred days unless given, numbered as the program does, with ids in the same order. */
export async function fillTransactions(
  client: Sql,
  filling: Filling,
  rows: number,
  { from, days } = HUNDRED_DAYS,
): Promise<void> {
  const { table, mark, book, status, money, body } = filling
  await client.query(`
    INSERT INTO ${table} (id, position, client_id, client_position, created_at, client_correlator_id, reference_code,
      status, completed_at, account_number, mobile_number, currency, amount, points, body)
    SELECT ('01900000-0000-7000-8${mark}-' || lpad(to_hex(n), 12, '0'))::uuid, n, 'bench-partner', n, at, 'fill-' || n, 'REF-' || n, '${status}',
      at, 900000 + n % ${ACCOUNTS}, 96897000000 + n % ${ACCOUNTS}, ${money}, ${body}
    FROM generate_series(1, ${rows}) n,
      LATERAL (SELECT timestamptz '${from}' + n * interval '${days} days' / ${rows + 1} AS at) times`)
  await client.query(`
    INSERT INTO books.book (name, client_id, position, written_at)
    SELECT '${book}', client, ${rows}, now() FROM unnest(ARRAY['', 'bench-partner']) client
    ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position, written_at = excluded.written_at`)
  await client.query(`UPDATE charging.progress SET position = ${rows} WHERE kind = upper('${book}')`)
  await client.query(`ANALYZE ${table}`)
}

const REST_MS = 200

/** Resolves once the program has projected so many transactions: until then it works at that beside what is measured. */
export async function untilProjected(client: pg.Client, transactions: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ done: boolean }>(
      'SELECT count(*) >= $1 AS done FROM activity.entry',
      [transactions],
    )
    if (rows[0]!.done) return
    await delay(REST_MS)
  }
}
