/** The import of the directory: everything in a file, or nothing of it. */
import { basename } from 'node:path'
import { type Actor, recordAct, SERVER } from '../audit/acts.ts'
import { faultText, lastLine } from '../data/database-errors.ts'
import type { Db, Transaction } from '../data/db.ts'
import { readRows } from './read-file.ts'
import type { Rows } from './rows.ts'
import { type Batch, validateRows } from './validate-rows.ts'

/** How many rows of one table were added, changed, and found as they should be. */
interface Counts {
  added: number
  changed: number
  unchanged: number
}

type Written = { given: number; added: number; changed: number }[]

const writeAccounts = (tx: Transaction, json: string) => tx.$queryRaw<Written>`
  WITH given AS (
    SELECT "customerAccountNumber", "customerName", "customerStatus", "customerType", "acctCategory",
      "collectionIndicator", "custAddr1", "custAddr2", "custAddr3", coalesce(closed, FALSE) AS closed
    FROM jsonb_to_recordset(${json}::jsonb) AS given(
      "customerAccountNumber" text, "customerName" text, "customerStatus" text, "customerType" int,
      "acctCategory" text, "collectionIndicator" text, "custAddr1" text, "custAddr2" text, "custAddr3" text,
      closed boolean)
  ), differing AS (
    SELECT given.*, old.account_number IS NULL AS is_new, old.customer_name AS "oldName"
    FROM given LEFT JOIN directory.account old ON old.account_number = given."customerAccountNumber"
    WHERE (old.account_number, old.customer_name, old.customer_status, old.customer_type, old.acct_category,
        old.collection_indicator, old.cust_addr1, old.cust_addr2, old.cust_addr3, old.closed)
      IS DISTINCT FROM (given."customerAccountNumber", given."customerName", given."customerStatus",
        given."customerType", given."acctCategory", given."collectionIndicator",
        given."custAddr1", given."custAddr2", given."custAddr3", given.closed)
  ), written AS (
    INSERT INTO directory.account (account_number, customer_name, customer_status, customer_type, acct_category,
      collection_indicator, cust_addr1, cust_addr2, cust_addr3, closed)
    SELECT "customerAccountNumber", "customerName", "customerStatus", "customerType", "acctCategory",
      "collectionIndicator", "custAddr1", "custAddr2", "custAddr3", closed
    FROM differing
    ON CONFLICT (account_number) DO UPDATE SET
      customer_name = EXCLUDED.customer_name, customer_status = EXCLUDED.customer_status,
      customer_type = EXCLUDED.customer_type, acct_category = EXCLUDED.acct_category,
      collection_indicator = EXCLUDED.collection_indicator, cust_addr1 = EXCLUDED.cust_addr1,
      cust_addr2 = EXCLUDED.cust_addr2, cust_addr3 = EXCLUDED.cust_addr3, closed = EXCLUDED.closed
  ), terms AS MATERIALIZED (
    SELECT new.* FROM differing, directory.search_terms("customerAccountNumber", "customerName") new
    WHERE is_new OR "oldName" IS DISTINCT FROM "customerName"
  ), forgotten AS (
    DELETE FROM directory.search_term WHERE (term, words) IN (
      SELECT old.term, old.words FROM differing, directory.search_terms("customerAccountNumber", "oldName") old
      WHERE NOT is_new AND "oldName" IS DISTINCT FROM "customerName"
      EXCEPT SELECT term, words FROM terms)
  ), searchable AS (
    INSERT INTO directory.search_term (term, words) SELECT term, words FROM terms ON CONFLICT DO NOTHING
  )
  SELECT (SELECT count(*)::int FROM given) AS given, count(*) FILTER (WHERE is_new)::int AS added,
    count(*) FILTER (WHERE NOT is_new)::int AS changed FROM differing`

const writeLines = (tx: Transaction, json: string) => tx.$queryRaw<Written>`
  WITH given AS (
    SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS given(
      kind text, number text, "accountNumber" text, active boolean)
  ), differing AS (
    SELECT given.*, old.number IS NULL AS is_new
    FROM given LEFT JOIN directory.line old ON old.number = given.number AND old.kind = given.kind
    WHERE old.account_number IS DISTINCT FROM given."accountNumber" OR old.active IS DISTINCT FROM given.active
  ), written AS (
    INSERT INTO directory.line (kind, number, account_number, active)
    SELECT kind, number, "accountNumber", active FROM differing
    ON CONFLICT (number, kind) DO UPDATE SET account_number = EXCLUDED.account_number, active = EXCLUDED.active
  )
  SELECT (SELECT count(*)::int FROM given) AS given, count(*) FILTER (WHERE is_new)::int AS added,
    count(*) FILTER (WHERE NOT is_new)::int AS changed FROM differing`

/**
 * Writes opening balances. Balances that exist stay, since the ledger's amount has what has been posted since, unless
 * they are to be set.
 */
const writeBalances = (tx: Transaction, json: string, set: boolean) => tx.$queryRaw<Written>`
  WITH given AS (
    SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS given(
      kind text, holder text, currency text, amount numeric)
  ), differing AS (
    SELECT given.*, old.holder IS NULL AS is_new
    FROM given LEFT JOIN ledger.balance old
      ON old.holder = given.holder AND old.kind = given.kind AND old.currency = given.currency
    WHERE old.holder IS NULL OR (${set}::boolean AND old.amount <> given.amount)
  ), written AS (
    INSERT INTO ledger.balance AS old (kind, holder, currency, amount)
    SELECT kind, holder, currency, amount FROM differing
    ON CONFLICT (holder, kind, currency) DO UPDATE SET amount = EXCLUDED.amount WHERE ${set}::boolean
  )
  SELECT (SELECT count(*)::int FROM given) AS given, count(*) FILTER (WHERE is_new)::int AS added,
    count(*) FILTER (WHERE NOT is_new)::int AS changed FROM differing`

/** The counts of all rounds together. */
class Totals {
  readonly accounts: Counts = { added: 0, changed: 0, unchanged: 0 }
  readonly lines: Counts = { added: 0, changed: 0, unchanged: 0 }
  readonly balances: Counts = { added: 0, changed: 0, unchanged: 0 }
}

const count = (counts: Counts, [written]: Written) => {
  const { given, added, changed } = written!
  counts.added += added
  counts.changed += changed
  counts.unchanged += given - added - changed
}

/**
 * Writes one batch by a few statements, and counts. Rows that have their values already are not touched, not even
 * locked.
 */
async function writeBatch(tx: Transaction, batch: Batch, setBalances: boolean, totals: Totals) {
  count(totals.accounts, await writeAccounts(tx, batch.accounts))
  count(totals.lines, await writeLines(tx, batch.lines))
  count(totals.balances, await writeBalances(tx, batch.balances, setBalances))
}

/** Progress of an import. The number of rows is known once all are checked. */
export interface Progress {
  readonly step: 'checking' | 'writing'
  readonly done: number
  readonly total?: number
}

interface ImportOptions {
  /** Country code of the operator, for numbers without one (`OPERATOR_COUNTRY_CODE`). */
  readonly countryCode: string
  /** Whether to set balances that exist already. */
  readonly setBalances?: boolean
  readonly onProgress?: (progress: Progress) => void
  /** Is told in a sentence what could not be done after the import, which is committed by then. */
  readonly onWarning?: (text: string) => void
  /** Agent of the import; the server unless given. */
  readonly by?: Actor
}

/** How many accounts, lines and balances the import added, changed, and found as they should be. */
export type ImportResult = Pick<Totals, 'accounts' | 'lines' | 'balances'>

const TRANSACTION = { timeout: 30 * 60_000, plans: 'anew' } as const

/**
 * Prepares the transaction. Two imports take turns; the limits that guard requests do not fit a long transaction. Where
 * balances are set, posting waits: it locks them in an order of its own, and the two would wait for each other.
 */
const prepare = async (tx: Transaction, { setBalances }: ImportOptions) => {
  await tx.$executeRaw`SELECT set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('partner-graph directory import'))`
  if (setBalances) await tx.$executeRaw`LOCK TABLE ledger.balance IN SHARE ROW EXCLUSIVE MODE`
}

const writeAll = async (tx: Transaction, batches: Batch[], options: ImportOptions) => {
  const totals = new Totals()
  const total = batches.reduce((sum, batch) => sum + batch.rows, 0)
  let done = 0
  for (const batch of batches) {
    await writeBatch(tx, batch, options.setBalances ?? false, totals)
    done += batch.rows
    options.onProgress?.({ step: 'writing', done, total })
  }
  return { ...totals }
}

/**
 * Makes the planner know how much there is now: the embedded database has no autovacuum, and that of PostgreSQL may come
 * late. The import does not fail with it, since it is committed.
 */
const renewStatistics = async (db: Db, onWarning: (text: string) => void): Promise<void> => {
  try {
    await db.$executeRaw`ANALYZE directory.account, directory.line, ledger.balance`
    // Vacuumed, it is read from its index alone.
    await db.$executeRaw`VACUUM (ANALYZE) directory.search_term`
  } catch (error) {
    const reason = faultText(error) ?? (error instanceof Error ? lastLine(error) : String(error))
    onWarning(
      `All of it is imported, but the planner does not know yet how much there is (${reason}): queries may be slow until ` +
        'ANALYZE directory.account, directory.line, ledger.balance, directory.search_term',
    )
  }
}

/**
 * Imports accounts and their lines: adds what is new, updates what differs, moves lines between accounts, and leaves
 * alone what the rows do not name. All rows are checked before the transaction, which reads of events in commit
 * order wait for, so that it is short.
 * @param file the name of the file that the rows are of, for the log of acts.
 * @throws ImportError with every invalid row; nothing is imported then.
 */
export async function importDirectory(
  db: Db,
  rows: Rows,
  options: ImportOptions,
  file?: string,
): Promise<ImportResult> {
  const onProgress = (done: number) => options.onProgress?.({ step: 'checking', done })
  const batches = await validateRows(rows, options.countryCode, onProgress)
  const result = await db.$transaction(async tx => {
    await prepare(tx, options)
    const totals = await writeAll(tx, batches, options)
    const details = { ...totals, setBalances: options.setBalances ?? false }
    await recordAct(tx, { actor: options.by ?? SERVER, action: 'DIRECTORY_IMPORTED', target: file, details })
    return totals
  }, TRANSACTION)
  await renewStatistics(db, options.onWarning ?? (() => undefined))
  return result
}

/** Imports a `.json` or `.csv` file. */
export const importFile = (db: Db, path: string, options: ImportOptions): Promise<ImportResult> =>
  importDirectory(db, readRows(path), options, basename(path))
