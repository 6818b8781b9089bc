/**
 * Settling: what create left in its initial status is put to the charging system and given its final status. The row
 * itself is the queue; movement, status, event and the kind's progress commit together, so a killed process leaves either
 * all of them or none, and the next settler takes the row again.
 */

import type { App } from '#core/context/app.ts'
import type { PrismaClient, Reader, Statements } from '#core/data/db.ts'
import { sqlWord } from '#core/data/sql.ts'
import { COLUMNS } from '../columns.ts'
import { orderOf, type Settlement, type TransactionKind, type TransactionRow, tableOf } from '../kind.ts'
import { conclude, type Settled } from './finalize.ts'
import { endSetAside, takeDue } from './quarantine.ts'

/** What a transaction took. */
export interface Turn {
  /** How many numbers it takes at the most. */
  readonly most: number
  claimed: readonly TransactionRow<never>[]
  /** Whether there may be more. */
  isFull: boolean
}

const settleRows = async (
  tx: Statements,
  app: App,
  settlement: Settlement,
  rows: readonly TransactionRow<never>[],
): Promise<Settled[]> => {
  if (rows.length === 0) return []
  const system = app.charging.for(settlement.kind)
  if (!system.embedded) throw new Error(`${settlement.kind.name} is not settled in the database`)
  const results = await system.post(
    tx,
    rows.map(row => orderOf(settlement, row)),
  )
  return conclude(
    tx,
    settlement,
    rows.map((row, index) => ({ row, result: results[index]! })),
  )
}

/** Commits what is settled, and tells of it. */
const commit = async (app: App, { kind }: Settlement, settle: (tx: Statements) => Promise<Settled[]>) => {
  const settled = await app.writer.transaction(settle)
  if (settled.length > 0) app.eventsWritten.emit()
  for (const { status } of settled) app.metrics.settled.inc({ kind: kind.name, status })
}

/** Settles the next ones in one transaction: all of them or, where it throws, none. */
export const settleNext = (app: App, settlement: Settlement, turn: Turn): Promise<void> =>
  commit(app, settlement, async tx => {
    const stretch = await takeStretch(tx, settlement.kind, turn.most)
    if (!stretch) return []
    turn.isFull = stretch.to - stretch.from === BigInt(turn.most)
    turn.claimed = await lockNew(tx, settlement.kind, stretch)
    const settled = await settleRows(tx, app, settlement, turn.claimed)
    await endStretch(tx, settlement.kind, stretch)
    return settled
  })

/** Settles one that was set aside, if it is due and nobody else is at it. */
export const settleSetAside = (app: App, settlement: Settlement, id: string): Promise<void> =>
  commit(app, settlement, async tx => {
    if (!(await takeDue(tx, id))) return []
    const settled = await settleRows(tx, app, settlement, await lockOne(tx, settlement.kind, id))
    await endSetAside(tx, id)
    return settled
  })

/** Numbers of a kind's transactions: those above `from`, up to `to`. */
export interface Stretch {
  readonly from: bigint
  readonly to: bigint
}

/** Makes sure that the kind has its progress; a kind that is new begins with its first transaction. */
export const openIntake = (db: PrismaClient, { name }: TransactionKind): Promise<number> =>
  db.$executeRaw`INSERT INTO charging.progress (kind, position) VALUES (${name}, 0) ON CONFLICT DO NOTHING`

/** Whether there is anything to take in, which mostly there is not: one statement, and no transaction. */
export const isAnyNew = async (reader: Reader, { name, table }: TransactionKind): Promise<boolean> => {
  const rows = await reader.$queryRaw<unknown[]>`
    SELECT 1 AS new FROM charging.progress p JOIN books.book b ON b.name = ${table} AND b.client_id = ''
    WHERE p.kind = ${name} AND b.position > p.position`
  return rows.length > 0
}

/**
 * Takes the kind's turn until the transaction ends, waiting for whoever has it: the next stretch, at most so long. Numbers
 * are dense and in commit order, so none comes up later.
 */
export const takeStretch = async (
  tx: Statements,
  { name, table }: TransactionKind,
  most: number,
): Promise<Stretch | undefined> => {
  const [stretch] = await tx.$queryRaw<Stretch[]>`
    SELECT p.position AS from, least(p.position + ${most}::int, b.position) AS to
    FROM charging.progress p JOIN books.book b ON b.name = ${table} AND b.client_id = ''
    WHERE p.kind = ${name} AND b.position > p.position FOR UPDATE OF p`
  return stretch
}

/** What waits in a stretch, locked; what was cancelled before its turn has come to its end. */
export const lockNew = (tx: Statements, kind: TransactionKind, { from, to }: Stretch) =>
  tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE t.position > ${from}::bigint AND t.position <= ${to}::bigint AND t.status = ${sqlWord(kind.initial)}
    ORDER BY t.position FOR UPDATE`

/** One of them, locked, if it waits. */
export const lockOne = (tx: Statements, kind: TransactionKind, id: string) =>
  tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE t.id = ${id}::uuid AND t.status = ${sqlWord(kind.initial)} FOR UPDATE`

/** The stretch is done with. */
export const endStretch = (tx: Statements, { name }: TransactionKind, { to }: Stretch): Promise<number> =>
  tx.$executeRaw`UPDATE charging.progress SET position = ${to}::bigint WHERE kind = ${name}`
