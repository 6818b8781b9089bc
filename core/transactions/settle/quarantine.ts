/**
 * Transactions that could not be settled: passed over, so that they hold nobody up, and tried again alone, after a longer
 * wait each time.
 */

import type { PrismaClient, Reader, Statements } from '#core/data/db.ts'
import type { TransactionKind, TransactionRow } from '../kind.ts'

/** Soon enough that a short disturbance costs little, rarely enough that a row which never succeeds costs nothing. */
const FIRST_MS = 5_000
const LONGEST_MS = 15 * 60_000
/** More make no difference. */
const MAX_DOUBLINGS = 20

/** How many are tried in one round: whatever is wrong with them, the others have their turn. */
const MAX_DUE = 20

/** Sets the first of a kind's stretch aside, unless another process has settled it or done so meanwhile. */
export const setAside = (tx: Statements, { name }: TransactionKind, row: TransactionRow<never>) =>
  tx.$executeRaw`
    WITH passed AS (
      UPDATE charging.progress SET position = ${row.position}::bigint
      WHERE kind = ${name} AND position < ${row.position}::bigint RETURNING kind)
    INSERT INTO charging.set_aside (transaction_id, kind, position, due_at)
    SELECT ${row.id}::uuid, kind, ${row.position}::bigint, statement_timestamp() + ${FIRST_MS}::int * interval '1 ms'
    FROM passed`

/** Those whose wait is over. */
export const readDue = async (reader: Reader, { name }: TransactionKind): Promise<string[]> => {
  const rows = await reader.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM charging.set_aside
    WHERE kind = ${name} AND due_at <= statement_timestamp() ORDER BY due_at LIMIT ${MAX_DUE}`
  return rows.map(({ id }) => id)
}

/** Whether it is due and nobody else is at it; it is the caller's until the transaction ends. */
export const takeDue = async (tx: Statements, id: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS due FROM charging.set_aside
    WHERE transaction_id = ${id}::uuid AND due_at <= statement_timestamp() FOR UPDATE SKIP LOCKED`
  return rows.length > 0
}

/** It has come to its end. */
export const endSetAside = (tx: Statements, id: string): Promise<number> =>
  tx.$executeRaw`DELETE FROM charging.set_aside WHERE transaction_id = ${id}::uuid`

/** After a failure: 10 s, doubling with each further one to a quarter of an hour. */
export const putOff = (tx: Statements, id: string): Promise<number> => tx.$executeRaw`
  UPDATE charging.set_aside SET failures = failures + 1,
    due_at = statement_timestamp()
      + least(${LONGEST_MS}::float8, ${FIRST_MS}::float8 * 2 ^ least(failures, ${MAX_DOUBLINGS}::int)) * interval '1 ms'
  WHERE transaction_id = ${id}::uuid`

/** Makes all of a kind due: whoever starts a server anew may have mended the cause. */
export const tryAllAgain = (db: PrismaClient, { name }: TransactionKind): Promise<number> => db.$executeRaw`
  UPDATE charging.set_aside SET due_at = statement_timestamp() WHERE kind = ${name}`
