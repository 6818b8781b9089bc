/** A write that is begun in the time of its request, or not at all. */
import { beginWriting } from '../async/deadline.ts'
import { onceMoreAfterConflict } from './database-errors.ts'
import type { PrismaClient, Transaction } from './db.ts'

/**
 * Writes in a transaction of its own. On the embedded database, which has one connection, a request may wait long for
 * it: its time is looked at when it has it.
 * @throws the signal's reason when the time is up by then; nothing is written.
 */
export const writeInTime = <T>(
  db: PrismaClient,
  signal: AbortSignal,
  write: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  onceMoreAfterConflict(() =>
    db.$transaction(tx => {
      beginWriting(signal)
      return write(tx)
    }),
  )
