/** The import of the directory: everything in a file, or nothing of it. */
import type { PrismaClient, Transaction } from '../data/db.ts'
import type { Batch } from './import-batches.ts'
import { readRows } from './read-file.ts'
import type { Rows } from './rows.ts'
import { validateRows } from './validate-rows.ts'
import { Totals, writeBatch } from './write.ts'

/** How far an import is. How many rows there are is known once all are checked. */
export interface Progress {
  readonly step: 'checking' | 'writing'
  readonly done: number
  readonly total?: number
}

export interface ImportOptions {
  /** The operator's, for numbers without one (`OPERATOR_COUNTRY_CODE`). */
  readonly countryCode: string
  /** Also sets balances that exist already. */
  readonly setBalances?: boolean
  readonly onProgress?: (progress: Progress) => void
}

/** How many accounts, lines and balances the import added, changed, and found as they should be. */
export type ImportResult = Pick<Totals, 'accounts' | 'lines' | 'balances'>

const TRANSACTION = { maxWait: 10_000, timeout: 30 * 60_000 }

/**
 * Two imports take turns; the limits that guard requests do not fit a long transaction. Where balances are set,
 * posting waits: it locks them in an order of its own, and the two would wait for each other.
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
 * Imports accounts and their lines: adds what is new, updates what differs, moves lines between accounts, and leaves
 * alone what the rows do not name. All rows are checked before the transaction, which reads of events in commit
 * order wait for, so that it is short.
 * @throws ImportError with every invalid row; nothing is imported then.
 */
export async function importDirectory(
  prisma: PrismaClient,
  rows: Rows,
  options: ImportOptions,
): Promise<ImportResult> {
  const onProgress = (done: number) => options.onProgress?.({ step: 'checking', done })
  const batches = await validateRows(rows, options.countryCode, onProgress)
  const result = await prisma.$transaction(async tx => {
    await prepare(tx, options)
    return writeAll(tx, batches, options)
  }, TRANSACTION)
  // The embedded database has no autovacuum that would notice that the tables have grown.
  await prisma.$executeRaw`ANALYZE directory.account, directory.line, ledger.balance`
  // Vacuumed, it is read from its index alone.
  await prisma.$executeRaw`VACUUM (ANALYZE) directory.search_term`
  return result
}

/** Imports a `.json` or `.csv` file. */
export const importFile = (
  prisma: PrismaClient,
  path: string,
  options: ImportOptions,
): Promise<ImportResult> => importDirectory(prisma, readRows(path), options)
