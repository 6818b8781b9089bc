/**
 * Hot writes: transactions whose statements are given to the driver as they are, as those of `reader.ts` are.
 * Posting, settling and projecting go this way; Prisma would compile a plan for each statement again.
 */
import type { PGlite } from '@electric-sql/pglite'
import type { Pool, PoolClient } from 'pg'
import type { Prisma, PrismaClient } from '#prisma/generated/client.ts'
import { beginWriting } from '../async/deadline.ts'
import { onceMore, onceMoreAfterConflict } from './database-errors.ts'
import { readFailure } from './driver-errors.ts'
import {
  createReader,
  createStatementNames,
  embeddedRun,
  preparedRun,
  type Reader,
  type Run,
  statementOf,
} from './reader.ts'

/** A client inside an interactive transaction of Prisma. */
export type Transaction = Prisma.TransactionClient

/** The part of Prisma's transaction that a write needs, so that one function runs in either's. */
export interface Statements extends Reader {
  /** @returns how many rows were written. @throws as `$queryRaw`. */
  $executeRaw(statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>
}

/** Runs hot transactions, and statements that are committed each by itself. */
export interface Writer extends Reader {
  /**
   * Commits what `work` does once it resolves; where it rejects, nothing of it is there. Statements begun at the same time
   * travel together and are executed in their order. Work that was rolled back, since its connection was lost before the
   * commit or others stood in its way, is done once more: so it changes nothing but by its statements.
   * @param timeoutMs how long it may take, in milliseconds; 5,000 when absent.
   * @throws failures that `fromDatabase` knows.
   */
  transaction<T>(work: (tx: Statements) => Promise<T>, timeoutMs?: number): Promise<T>
}

const TIMEOUT_MS = 5_000
/** Apart from those of readers, so that no selection of a client takes the names of the statements that write. */
const MAX_NAMED_STATEMENTS = 250

/** A transaction that took too long, known by Prisma's code for it. */
class TransactionExpired extends Error {
  override readonly name = 'TransactionExpired'
  readonly code = 'P2028'
}

/** No statement is begun once it is over, the commit least of all. */
const createDeadline = (ms: number) => {
  const end = performance.now() + ms
  return () => {
    if (performance.now() > end) throw new TransactionExpired(`The transaction took longer than ${ms} ms`)
  }
}

const createStatements = (run: Run, checkTime: () => void): Statements => {
  const inTime: Run = async (text, values) => {
    checkTime()
    return run(text, values)
  }
  const { $queryRaw, send } = createReader(inTime)
  return {
    $queryRaw,
    async $executeRaw(statement, ...values) {
      const { count } = await send(statementOf(statement, values))
      return count
    },
  }
}

/**
 * Statements that write find rows by their keys, whatever the values are, and bring the rest along (`valuesTable`): their
 * plans are made once for a connection. Left to itself, PostgreSQL plans each of them again every time.
 */
const BEGIN = 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan'

/** Rolls back; false where the connection is good for nothing any more. */
const rollBack = (client: PoolClient): Promise<boolean> =>
  client.query('ROLLBACK').then(
    () => true,
    () => false,
  )

/** @throws Error where the database rolled back instead of committing, since a statement had failed. */
const commit = async (client: PoolClient) => {
  const { command } = await client.query('COMMIT')
  if (command !== 'COMMIT')
    throw new Error('A statement of the transaction had failed: nothing was committed')
}

/** Writes over the connections of a pool. */
export const poolWriter = (pool: Pool): Writer => {
  const nameOf = createStatementNames(MAX_NAMED_STATEMENTS)
  const runOn = async <T>(
    client: PoolClient,
    work: (tx: Statements) => Promise<T>,
    checkTime: () => void,
  ) => {
    await client.query(BEGIN)
    const result = await work(
      createStatements(
        preparedRun(config => client.query(config), nameOf),
        checkTime,
      ),
    )
    checkTime()
    await commit(client)
    return result
  }
  const transact = async <T>(work: (tx: Statements) => Promise<T>, checkTime: () => void) => {
    const client = await pool.connect().catch(error => {
      throw readFailure(error)
    })
    let isUsable = true
    try {
      return await runOn(client, work, checkTime)
    } catch (error) {
      isUsable = await rollBack(client)
      throw readFailure(error)
    } finally {
      client.release(!isUsable)
    }
  }
  const { $queryRaw } = createReader(preparedRun(config => pool.query(config), nameOf))
  return {
    // A statement by itself may have been committed when its connection was lost.
    $queryRaw: (statement, ...values) => onceMoreAfterConflict(() => $queryRaw(statement, ...values)),
    transaction(work, timeoutMs = TIMEOUT_MS) {
      const checkTime = createDeadline(timeoutMs)
      return onceMore(() => transact(work, checkTime))
    },
  }
}

/** Writes to the database in this process. */
export const embeddedWriter = (pglite: Pick<PGlite, 'query' | 'transaction'>): Writer => ({
  $queryRaw: createReader(embeddedRun(pglite)).$queryRaw,
  transaction: (work, timeoutMs = TIMEOUT_MS) =>
    onceMoreAfterConflict(
      () =>
        pglite.transaction(async tx => {
          const checkTime = createDeadline(timeoutMs)
          const result = await work(createStatements(embeddedRun(tx), checkTime))
          checkTime()
          return result
        }) as Promise<Awaited<ReturnType<typeof work>>>,
    ),
})

/**
 * Writes in a transaction of Prisma that is begun in the time of its request, or not at all. On the embedded database, which has one connection, a request may wait long for
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
