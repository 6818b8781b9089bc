/**
 * Settling: transactions in their initial status go to the embedded charging system in the order of their numbers, and get
 * their final status. Movement, status, event and the kind's high-water mark (`charging.progress`) commit together, so a
 * killed process leaves all of them or none, and the next settler takes the rows again. The high-water mark says up to
 * where the kind is settled: nothing is looked for by its status, and no index names the status, so that a final one
 * touches no index where its page has room.
 */

import type { App } from '#core/context/app.ts'
import type { PrismaClient, Reader, Statements } from '#core/data/db.ts'
import { sqlWord } from '#core/data/sql.ts'
import { COLUMNS } from '../columns.ts'
import { orderOf, type Settlement, type TransactionKind, type TransactionRow, tableOf } from '../kind.ts'
import { finalize, type Settled } from './finalize.ts'
import { claimQuarantined, releaseQuarantined } from './quarantine.ts'

/** Numbers of a kind's transactions: from above `from` up to `to`. */
export interface PositionRange {
  readonly from: bigint
  readonly to: bigint
}

/** Makes sure that the kind has its high-water mark; a new kind begins with its first transaction. */
export const openHighWaterMark = (db: PrismaClient, { name }: TransactionKind): Promise<number> =>
  db.$executeRaw`INSERT INTO charging.progress (kind, position) VALUES (${name}, 0) ON CONFLICT DO NOTHING`

/** Whether there are transactions beyond the high-water mark. Mostly there are none: one statement, no transaction. */
export const isAnyNew = async (reader: Reader, { name, table }: TransactionKind): Promise<boolean> => {
  const rows = await reader.$queryRaw<unknown[]>`
    SELECT 1 AS new FROM charging.progress p JOIN books.book b ON b.name = ${table} AND b.client_id = ''
    WHERE p.kind = ${name} AND b.position > p.position`
  return rows.length > 0
}

/**
 * Locks the kind's high-water mark until the transaction ends, waiting for another process that has it, and returns the
 * numbers beyond it; undefined where there are none. Numbers are dense and in commit order, so none comes up later.
 * @param most the largest number of them.
 */
export const lockNextRange = async (
  tx: Statements,
  { name, table }: TransactionKind,
  most: number,
): Promise<PositionRange | undefined> => {
  const [range] = await tx.$queryRaw<PositionRange[]>`
    SELECT p.position AS from, least(p.position + ${most}::int, b.position) AS to
    FROM charging.progress p JOIN books.book b ON b.name = ${table} AND b.client_id = ''
    WHERE p.kind = ${name} AND b.position > p.position FOR UPDATE OF p`
  return range
}

/** Locks and reads the transactions of a range that wait; one that was cancelled before its turn does not. */
export const lockNew = (tx: Statements, kind: TransactionKind, { from, to }: PositionRange) =>
  tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE t.position > ${from}::bigint AND t.position <= ${to}::bigint AND t.status = ${sqlWord(kind.initial)}
    ORDER BY t.position FOR UPDATE`

/** Sets the kind's high-water mark to the end of the range. */
export const advanceHighWaterMark = (
  tx: Statements,
  { name }: TransactionKind,
  { to }: PositionRange,
): Promise<number> =>
  tx.$executeRaw`UPDATE charging.progress SET position = ${to}::bigint WHERE kind = ${name}`

const settleRows = async (
  tx: Statements,
  app: App,
  settlement: Settlement,
  rows: readonly TransactionRow<never>[],
): Promise<Settled[]> => {
  if (rows.length === 0) return []
  const system = app.charging.for(settlement.kind)
  if (!system.embedded) throw new Error(`${settlement.kind.name} is not settled in the database`)
  const orders = rows.map(row => orderOf(settlement, row))
  const results = await system.post(tx, orders)
  return finalize(
    tx,
    settlement,
    rows.map((row, index) => ({ row, result: results[index]! })),
  )
}

/** Commits what is settled, and notifies readers of its events. */
const commit = async (app: App, { kind }: Settlement, settle: (tx: Statements) => Promise<Settled[]>) => {
  const settled = await app.writer.transaction(settle)
  if (settled.length > 0) app.eventsWritten.emit()
  for (const { status } of settled) app.metrics.settled.inc({ kind: kind.name, status })
}

/** A batch that is being settled. */
export interface SettlingBatch {
  /** The most numbers that it takes. */
  readonly most: number
  claimed: readonly TransactionRow<never>[]
  /** Whether there may be more. */
  isFull: boolean
}

/** Settles the next batch in one transaction: all of it or, where it throws, none. */
export const settleNext = (app: App, settlement: Settlement, batch: SettlingBatch): Promise<void> =>
  commit(app, settlement, async tx => {
    const range = await lockNextRange(tx, settlement.kind, batch.most)
    if (!range) return []
    batch.isFull = range.to - range.from === BigInt(batch.most)
    batch.claimed = await lockNew(tx, settlement.kind, range)
    const settled = await settleRows(tx, app, settlement, batch.claimed)
    await advanceHighWaterMark(tx, settlement.kind, range)
    return settled
  })

/** Settles one in quarantine, if it is due and no other process is at it. */
export const settleQuarantined = (app: App, settlement: Settlement, id: string): Promise<void> =>
  commit(app, settlement, async tx => {
    if (!(await claimQuarantined(tx, id))) return []
    const { kind } = settlement
    const rows = await tx.$queryRaw<TransactionRow<never>[]>`
      SELECT ${COLUMNS} FROM ${tableOf(kind)} t
      WHERE t.id = ${id}::uuid AND t.status = ${sqlWord(kind.initial)} FOR UPDATE`
    const settled = await settleRows(tx, app, settlement, rows)
    await releaseQuarantined(tx, id)
    return settled
  })
