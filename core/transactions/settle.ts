/**
 * Settling: what create left in its initial status is put to the charging system and given its final status. The row
 * itself is the queue; movement, status, event and the kind's progress commit together, so a killed process leaves either
 * all of them or none, and the next settler takes the row again.
 */

import type { App } from '../context/app.ts'
import type { Statements } from '../data/db.ts'
import { conclude, type Settled } from './conclude.ts'
import { endStretch, lockNew, lockOne, takeStretch } from './intake.ts'
import type { TransactionRow } from './kind.ts'
import { endSetAside, takeDue } from './set-aside.ts'
import { orderOf, type Settlement } from './settlement.ts'

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
