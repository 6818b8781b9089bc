/**
 * Settling: transactions in their initial status go to the embedded charging system in the order of their numbers, and get
 * their final status. Movement, status, event and the kind's high-water mark (`charging.progress`) commit together, so a
 * killed process leaves all of them or none, and the next settler takes the rows again. The high-water mark says up to
 * where the kind is settled: nothing is looked for by its status, and no index names the status, so that a final one
 * touches no index where its page has room.
 */

import type { App } from '../../context/app.ts'
import type { Db, Statements } from '../../data/db.ts'
import { lastNumberOf } from '../../data/gapless-sequence.ts'
import { sqlWord } from '../../data/sql.ts'
import { commitFirstEvents, type FirstLeases } from '../../events/append.ts'
import { tracing } from '../../observability/tracing.ts'
import { COLUMNS } from '../columns.ts'
import { orderOf, type Settlement, type TransactionKind, type TransactionRow, tableOf } from '../kind.ts'
import { finalize, type Settled, traceSettling } from './finalize.ts'

/** Soon enough that a short disturbance costs little, rarely enough that a row which never succeeds costs nothing. */
const FIRST_MS = 5_000
const LONGEST_MS = 15 * 60_000
/** Keeps the power of two within float8; more doublings make no difference. */
const MAX_DOUBLINGS = 20

/** The most that are tried in one round, so that others have their turn. */
const MAX_DUE = 20

/** Quarantines the first of a kind's batch, unless another process has settled or quarantined it meanwhile. */
export const quarantine = (tx: Statements, { name }: TransactionKind, row: TransactionRow<never>) =>
  tx.$executeRaw`
    WITH passed AS (
      UPDATE charging.progress SET position = ${row.position}::bigint
      WHERE kind = ${name} AND position < ${row.position}::bigint RETURNING kind)
    INSERT INTO charging.set_aside (transaction_id, kind, position, due_at)
    SELECT ${row.id}::uuid, kind, ${row.position}::bigint, statement_timestamp() + ${FIRST_MS}::int * interval '1 ms'
    FROM passed`

/** The ids of a kind's transactions whose wait is over, the longest due first. */
export const readDueInQuarantine = async (
  reader: Statements,
  { name }: TransactionKind,
): Promise<string[]> => {
  const rows = await reader.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM charging.set_aside
    WHERE kind = ${name} AND due_at <= statement_timestamp() ORDER BY due_at LIMIT ${MAX_DUE}`
  return rows.map(({ id }) => id)
}

/** Claims one until the transaction ends; false where it is not due, or another process is at it. */
const claimQuarantined = async (tx: Statements, id: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS due FROM charging.set_aside
    WHERE transaction_id = ${id}::uuid AND due_at <= statement_timestamp() FOR UPDATE SKIP LOCKED`
  return rows.length > 0
}

/** Ends the quarantine of one that was settled. */
const releaseQuarantined = (tx: Statements, id: string): Promise<number> =>
  tx.$executeRaw`DELETE FROM charging.set_aside WHERE transaction_id = ${id}::uuid`

/** Reschedules one after a failure: 10 s, doubling with each further one to a quarter of an hour. */
export const rescheduleQuarantined = (tx: Statements, id: string): Promise<number> => tx.$executeRaw`
  WITH next AS MATERIALIZED (
    SELECT transaction_id, statement_timestamp()
      + least(${LONGEST_MS}::float8, ${FIRST_MS}::float8 * 2 ^ least(failures, ${MAX_DOUBLINGS}::int)) * interval '1 ms' AS at
    FROM charging.set_aside WHERE transaction_id = ${id}::uuid)
  UPDATE charging.set_aside s SET failures = s.failures + 1, due_at = next.at
  FROM next WHERE s.transaction_id = next.transaction_id`

/** Makes all of a kind due, since the cause may have been mended before a server is started anew. */
export const retryQuarantined = (db: Db, { name }: TransactionKind): Promise<number> =>
  db.$executeRaw`UPDATE charging.set_aside SET due_at = statement_timestamp() WHERE kind = ${name}`

/** Numbers of a kind's transactions: from above `from` up to `to`. */
export interface PositionRange {
  readonly from: bigint
  readonly to: bigint
}

/** Makes sure that the kind has its high-water mark; a new kind begins with its first transaction. */
export const openHighWaterMark = (db: Db, { name }: TransactionKind): Promise<number> =>
  db.$executeRaw`INSERT INTO charging.progress (kind, position) VALUES (${name}, 0) ON CONFLICT DO NOTHING`

/** Whether there are transactions beyond the high-water mark. Mostly there are none: one statement, no transaction. */
export const isAnyNew = async (reader: Statements, kind: TransactionKind): Promise<boolean> => {
  const rows = await reader.$queryRaw<unknown[]>`
    WITH book AS MATERIALIZED (${lastNumberOf(kind)})
    SELECT 1 AS new FROM charging.progress p, book b WHERE p.kind = ${kind.name} AND b.position > p.position`
  return rows.length > 0
}

/**
 * Locks the kind's high-water mark until the transaction ends, waiting for another process that has it, and returns the
 * numbers beyond it; undefined where there are none. Numbers are dense and in commit order, so none comes up later.
 * @param most the largest number of them.
 */
export const lockNextRange = async (
  tx: Statements,
  kind: TransactionKind,
  most: number,
): Promise<PositionRange | undefined> => {
  const [range] = await tx.$queryRaw<PositionRange[]>`
    WITH book AS MATERIALIZED (${lastNumberOf(kind)})
    SELECT p.position AS from, least(p.position + ${most}::int, b.position) AS to
    FROM charging.progress p, book b
    WHERE p.kind = ${kind.name} AND b.position > p.position FOR UPDATE OF p`
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
  leases: FirstLeases | undefined,
): Promise<Settled[]> => {
  if (rows.length === 0) return []
  const system = app.charging.for(settlement.kind)
  if (!system.embedded) throw new Error(`${settlement.kind.name} is not settled in the database`)
  const settle = async () => {
    const orders = rows.map(row => orderOf(settlement, row))
    const results = await system.post(tx, orders)
    return finalize(
      tx,
      settlement,
      rows.map((row, index) => ({ row, result: results[index]! })),
      leases,
    )
  }
  return tracing ? traceSettling(tracing, settlement, rows, settle) : settle()
}

type Settle = (tx: Statements, leases: FirstLeases | undefined) => Promise<Settled[]>

/** Commits what is settled, with its events, and counts it. */
const commit = async (app: App, { kind }: Settlement, settle: Settle) => {
  const settled = await commitFirstEvents(app, settle)
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
  commit(app, settlement, async (tx, leases) => {
    const range = await lockNextRange(tx, settlement.kind, batch.most)
    if (!range) return []
    batch.isFull = range.to - range.from === BigInt(batch.most)
    batch.claimed = await lockNew(tx, settlement.kind, range)
    const settled = await settleRows(tx, app, settlement, batch.claimed, leases)
    await advanceHighWaterMark(tx, settlement.kind, range)
    return settled
  })

/** Settles one in quarantine, if it is due and no other process is at it. */
export const settleQuarantined = (app: App, settlement: Settlement, id: string): Promise<void> =>
  commit(app, settlement, async (tx, leases) => {
    if (!(await claimQuarantined(tx, id))) return []
    const { kind } = settlement
    const rows = await tx.$queryRaw<TransactionRow<never>[]>`
      SELECT ${COLUMNS} FROM ${tableOf(kind)} t
      WHERE t.id = ${id}::uuid AND t.status = ${sqlWord(kind.initial)} FOR UPDATE`
    const settled = await settleRows(tx, app, settlement, rows, leases)
    await releaseQuarantined(tx, id)
    return settled
  })
