/**
 * Concluding an order: its transaction's final status, what it moved in the ledger's books, the event and the delivery
 * commit together with the order's own end.
 */
import type { ChargeResult } from '#core/charging/charging.ts'
import { noteMovements } from '#core/charging/note-movements.ts'
import type { App } from '#core/context/app.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import {
  mayFollow,
  orderOf,
  type Settlement,
  type TransactionKind,
  type TransactionRow,
  tableOf,
} from '#core/transactions/kind.ts'
import { conclude, type Settled } from '#core/transactions/settle/finalize.ts'

/** An order, locked by the caller and not concluded, and what became of it. */
export interface OrderResult {
  readonly id: string
  readonly result: ChargeResult
}

/** Ids as a table, each once. */
export const givenIds = (ids: readonly string[]): Prisma.Sql =>
  valuesTable(
    [...new Set(ids)].map(id => ({ id })),
    Prisma.sql`id uuid`,
  )

/** The transactions of orders, locked. */
export const lockTransactions = (
  tx: Statements,
  kind: TransactionKind,
  ids: readonly string[],
) => tx.$queryRaw<TransactionRow<never>[]>`
  SELECT ${COLUMNS} FROM ${givenIds(ids)} g JOIN ${tableOf(kind)} t USING (id) ORDER BY t.position FOR UPDATE OF t`

const reasonOf = (result: ChargeResult) => ('reason' in result ? result.reason : null)

/** Ends these orders, of which the caller holds the locks. */
export const endOrders = (tx: Statements, results: readonly OrderResult[]) => {
  const rows = results.map(({ id, result }) => ({ id, outcome: result.outcome, reason: reasonOf(result) }))
  return tx.$executeRaw`
    UPDATE charging."order" o SET state = 'concluded', outcome = r.outcome, reason = r.reason,
      concluded_at = statement_timestamp(), next_attempt_at = NULL, leased_until = NULL, leased_by = NULL
    FROM ${valuesTable(rows, Prisma.sql`id uuid, outcome text, reason text`)} r WHERE o.transaction_id = r.id`
}

/** It has a final status already, by whatever: that one stays, and what has been carried out is told. */
const tellConflict = ({ log }: App, { kind }: Settlement, row: TransactionRow, { outcome }: ChargeResult) =>
  log.error(
    { transactionId: row.id, kind: kind.name, status: row.status, outcome },
    'the charging system and the transaction disagree; to be put right by hand',
  )

/**
 * Writes what became of these orders, of which the caller holds the locks. What was carried out is noted in the books in
 * any case, whatever the transaction says.
 */
export async function concludeOrders(
  tx: Statements,
  app: App,
  settlement: Settlement,
  results: readonly OrderResult[],
): Promise<Settled[]> {
  if (results.length === 0) return []
  const { kind, statusFor } = settlement
  const byId = new Map(results.map(({ id, result }) => [id, result]))
  const rows = await lockTransactions(tx, kind, [...byId.keys()])
  const resultOf = (row: TransactionRow) => byId.get(row.id)!
  const carriedOut = rows.filter(row => resultOf(row).outcome === 'done')
  const [open, ended] = [true, false].map(wanted =>
    rows.filter(row => mayFollow(kind, row.status, statusFor[resultOf(row).outcome]) === wanted),
  )
  for (const row of ended!) tellConflict(app, settlement, row, resultOf(row))
  await noteMovements(
    tx,
    carriedOut.map(row => orderOf(settlement, row)),
  )
  await endOrders(tx, results)
  return conclude(
    tx,
    settlement,
    open!.map(row => ({ row, result: resultOf(row) })),
  )
}

/** Tells, once it is committed, that these transactions have come to their end. */
export function announce({ eventsWritten, metrics }: App, { kind }: Settlement, settled: readonly Settled[]) {
  if (settled.length > 0) eventsWritten.emit()
  for (const { status } of settled) metrics.settled.inc({ kind: kind.name, status })
}
