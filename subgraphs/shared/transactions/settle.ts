/**
 * Settling: what create left in its initial status is put to the charging system and given its final status.
 * The row itself is the queue; movement, status and event commit together, so a killed process leaves either
 * all of them or none, and the next settler takes the row again.
 */

import type { App } from '../context/app.ts'
import type { Prisma, Transaction } from '../data/db.ts'
import { sqlWord } from '../data/sql-word.ts'
import { COLUMNS } from './columns.ts'
import { conclude } from './conclude.ts'
import { type TransactionKind, type TransactionRow, tableOf } from './kind.ts'
import { orderOf, type Settlement } from './settlement.ts'

/** Rows that another settler is working on are passed over. */
const claim = (tx: Transaction, kind: TransactionKind, { which, limit }: Turn) =>
  tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE t.status = ${sqlWord(kind.initial)} AND ${which}
    ORDER BY t.position LIMIT ${limit} FOR UPDATE SKIP LOCKED`

/** Which rows a transaction takes, and which it took; another process may be settling others at the same time. */
export interface Turn {
  readonly which: Prisma.Sql
  readonly limit: number
  claimed: TransactionRow[]
}

const settleClaimed = async (tx: Transaction, app: App, settlement: Settlement, turn: Turn) => {
  const rows = await claim(tx, settlement.kind, turn)
  turn.claimed = rows
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

/** Settles what the turn takes in one transaction: all of it or, where it throws, nothing. */
export const settleTurn = async (app: App, settlement: Settlement, turn: Turn): Promise<void> => {
  const settled = await app.db.$transaction(tx => settleClaimed(tx, app, settlement, turn))
  if (settled.length > 0) app.eventsWritten.emit()
  for (const { status } of settled) app.metrics.settled.inc({ kind: settlement.kind.name, status })
}
