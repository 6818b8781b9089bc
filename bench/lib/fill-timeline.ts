/** A timeline of a year and more with what is everywhere and what is nearly nowhere, made by the database itself. */
import type pg from 'pg'

/** Rare entries are the oldest: a search from the newest on meets them last. */
export const RARE = {
  merchant: 'Rare Shop',
  client: 'rare-partner',
  correlator: 'REQ:rare-1',
  text: 'sold-0000017',
  amount: 900_000,
} as const

const ENTRIES = `
  SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id,
    (extract(epoch FROM at) * 1000)::bigint * 524288 + n % 65536 AS sort, at AS occurred_at,
    CASE WHEN n <= 100 THEN 'REDEMPTION' WHEN n % 20 = 0 THEN 'REWARD' WHEN n % 7 = 0 THEN 'MESSAGE'
      WHEN n % 3 = 0 THEN 'RECHARGE' ELSE 'PAYMENT' END AS kind,
    CASE WHEN n <= 20 THEN '${RARE.client}' WHEN n % 10 < 3 THEN 'bench-partner' ELSE 'partner-' || n % 40 END AS client_id,
    (900000 + n % 100000)::text AS account_number, (96890000000 + n % 100000)::text AS mobile_number,
    CASE WHEN n <= 5 THEN 'REVERSED' WHEN n <= 15 THEN 'PENDING' WHEN n % 33 = 0 THEN 'FAILED' ELSE 'COMPLETED' END AS outcome,
    CASE WHEN n <= 3 THEN ${RARE.amount} ELSE (n::bigint * 7919 % 100000)::numeric / 1000 + 0.001 END AS amount,
    CASE WHEN n BETWEEN 30 AND 49 THEN '${RARE.merchant}' ELSE 'Merchant ' || n % 500 END AS merchant,
    CASE WHEN n % 33 = 0 THEN 'Reason ' || n % 12 WHEN n <= 15 THEN '' ELSE 'It was posted' END AS reason,
    CASE WHEN n <= 15 THEN NULL ELSE 200 + (n::bigint * 7907 % 60000) END AS settled_ms,
    'tv/pack-' || n % 30 AS product, CASE n % 3 WHEN 0 THEN 'cash' WHEN 1 THEN 'credit_card' ELSE '' END AS payment_method,
    CASE WHEN n = 1 THEN '${RARE.correlator}' ELSE gen_random_uuid()::text END AS correlator,
    'sold-' || lpad(n::text, 7, '0') AS client_correlator_id
  FROM generate_series(1, $1::int) n,
    LATERAL (SELECT timestamptz '2025-08-01 00:00:00+04' + interval '400 days' * (n::float8 / $1::int) AS at) times`

const SUMS = `SELECT account_number, (occurred_at AT TIME ZONE 'Asia/Muscat')::date AS day, mobile_number, client_id, kind,
  outcome, channel, merchant, 'OMR' AS currency, reason, amount FROM activity.entry`

const insertSums = (table: string, keys: string) => `
  INSERT INTO activity.${table} (${keys}, entries, amount, points)
  SELECT ${keys}, count(*), sum(amount), 0 FROM (${SUMS}) s GROUP BY ${keys}`

const DETAILS = 'kind, outcome, channel, merchant, currency, reason'

/** The words of an entry as `activity.words` and `activity.tokens` give them, which would take most of the time. */
const WORDS = `ARRAY['monthly', 'bill', 'web'] || string_to_array(lower(merchant), ' ')
  || ARRAY[account_number, mobile_number, client_correlator_id, lower(correlator)]`

const TABLES = ['entry', 'total_day', 'client_day', 'holder_day']

/** Filled without indexes, which are made at once at the end, and without a log that nobody would recover from. */
async function inBulk(sql: pg.Client, fill: () => Promise<unknown>): Promise<void> {
  const indexes = await sql.query<{ name: string; definition: string }>(`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = 'activity' AND tablename = 'entry' AND indexname <> 'entry_pkey'`)
  for (const table of TABLES) await sql.query(`ALTER TABLE activity.${table} SET UNLOGGED`)
  for (const { name } of indexes.rows) await sql.query(`DROP INDEX activity.${name}`)
  await sql.query(`SET work_mem = '512MB'; SET maintenance_work_mem = '1GB'`)
  await fill()
  for (const { definition } of indexes.rows) await sql.query(definition)
}

const CATEGORIES = ['residential', 'business small', 'business large', 'government', 'residential staff']

/** The accounts of the entries, with a line and dues each. */
async function fillAccounts(sql: pg.Client): Promise<void> {
  await sql.query(
    `INSERT INTO directory.account (account_number, customer_name, customer_status, customer_type, acct_category)
     SELECT 900000 + n, 'Customer ' || n, 'ACTIVE', 14, ($1::text[])[1 + n % ${CATEGORIES.length}] FROM generate_series(0, 99999) n`,
    [CATEGORIES],
  )
  await sql.query(`
    INSERT INTO directory.line (kind, number, account_number)
    SELECT 'phone', 96890000000 + n, 900000 + n FROM generate_series(0, 99999) n`)
  await sql.query(`
    INSERT INTO ledger.balance (kind, holder, currency, amount)
    SELECT 'dues', 900000 + n, 'OMR', n % 1000 FROM generate_series(0, 99999) n`)
  await sql.query('ANALYZE directory.account; ANALYZE directory.line; ANALYZE ledger.balance')
}

/** So many entries and what they add up to, as the projection would have written them. */
export async function fillTimeline(sql: pg.Client, entries: number): Promise<void> {
  await fillAccounts(sql)
  await inBulk(sql, () => fillAll(sql, entries))
  await sql.query(`UPDATE activity.progress SET timezone = 'Asia/Muscat'`)
  for (const table of TABLES) await sql.query(`VACUUM ANALYZE activity.${table}`)
}

const fillAll = async (sql: pg.Client, entries: number) => {
  await sql.query(
    `INSERT INTO activity.entry (id, sort, kind, client_id, account_number, mobile_number, occurred_at, status, outcome,
       exception, currency, amount, channel, merchant, text, reason, correlator, client_correlator_id, product,
       payment_method, settled_ms, words)
     SELECT id, sort, kind, client_id, account_number, mobile_number, occurred_at, lower(outcome), outcome,
       CASE WHEN outcome IN ('PENDING', 'COMPLETED') THEN NULL ELSE outcome END, 'OMR', amount, 'Web', merchant, 'Monthly bill',
       reason, correlator, client_correlator_id, product, payment_method, settled_ms, array_to_tsvector(${WORDS})
     FROM (${ENTRIES}) e`,
    [entries],
  )
  await sql.query(insertSums('total_day', 'day, client_id, kind, outcome, currency, reason'))
  await sql.query(insertSums('client_day', `client_id, day, ${DETAILS}`))
  await sql.query(insertSums('holder_day', `account_number, day, mobile_number, client_id, ${DETAILS}`))
}
