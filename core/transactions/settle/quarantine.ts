/**
 * Quarantine: transactions that could not be settled are passed over, so that they do not delay others, and tried again
 * alone, after a longer wait each time (`charging.set_aside`).
 */
import type { PrismaClient, Reader, Statements } from '#core/data/db.ts'
import type { TransactionKind, TransactionRow } from '../kind.ts'

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
export const readDueInQuarantine = async (reader: Reader, { name }: TransactionKind): Promise<string[]> => {
  const rows = await reader.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM charging.set_aside
    WHERE kind = ${name} AND due_at <= statement_timestamp() ORDER BY due_at LIMIT ${MAX_DUE}`
  return rows.map(({ id }) => id)
}

/** Claims one until the transaction ends; false where it is not due, or another process is at it. */
export const claimQuarantined = async (tx: Statements, id: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS due FROM charging.set_aside
    WHERE transaction_id = ${id}::uuid AND due_at <= statement_timestamp() FOR UPDATE SKIP LOCKED`
  return rows.length > 0
}

/** Ends the quarantine of one that was settled. */
export const releaseQuarantined = (tx: Statements, id: string): Promise<number> =>
  tx.$executeRaw`DELETE FROM charging.set_aside WHERE transaction_id = ${id}::uuid`

/** Reschedules one after a failure: 10 s, doubling with each further one to a quarter of an hour. */
export const rescheduleQuarantined = (tx: Statements, id: string): Promise<number> => tx.$executeRaw`
  UPDATE charging.set_aside SET failures = failures + 1,
    due_at = statement_timestamp()
      + least(${LONGEST_MS}::float8, ${FIRST_MS}::float8 * 2 ^ least(failures, ${MAX_DOUBLINGS}::int)) * interval '1 ms'
  WHERE transaction_id = ${id}::uuid`

/** Makes all of a kind due, since the cause may have been mended before a server is started anew. */
export const retryQuarantined = (db: PrismaClient, { name }: TransactionKind): Promise<number> =>
  db.$executeRaw`UPDATE charging.set_aside SET due_at = statement_timestamp() WHERE kind = ${name}`
