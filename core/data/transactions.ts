/**
 * Transactions whose statements are given to the driver as they are (`statements.ts`). Posting, settling and projecting go
 * this way: Prisma would compile a plan for each statement again. At the first call of a model's method in a transaction, Prisma
 * is given the connection as a transaction of its own, whose begin and end do nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PGlite } from '@electric-sql/pglite'
import type {
  Transaction as PrismaTransaction,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { Pool, PoolClient } from 'pg'
import type { Prisma, PrismaClient } from '#prisma/generated/client.ts'
import { beginWriting } from '../async/deadline.ts'
import { tracing } from '../observability/tracing.ts'
import { adapterOverConnection, adapterOverTransaction } from '../third-party/prisma.ts'
import { onceMore, onceMoreAfterConflict } from './database-errors.ts'
import { readFailure } from './driver-errors.ts'
import { traceStatement, withStatementSpans } from './statement-spans.ts'
import {
  createStatements,
  embeddedRun,
  preparedRun,
  type Run,
  type StatementNames,
  type Statements,
} from './statements.ts'

export interface TransactionOptions {
  /** The longest it may take, in milliseconds; 5,000 unless given. */
  readonly timeout?: number
  /** How PostgreSQL plans: each statement once for a connection, or as it sees fit, for work that changes much of a table. */
  readonly plans?: 'once' | 'anew'
  /**
   * The request that it is for: it is begun in the time of the request, or not at all. On the embedded database, which has
   * one connection, a request may wait long for it: its time is looked at when it has it.
   */
  readonly signal?: AbortSignal
}

/** Work in a transaction: its statements, and Prisma's adapter over its connection. */
type Work<T> = (tx: Statements, connect: () => Promise<SqlDriverAdapter>) => Promise<T>

/** Runs a transaction, and commits it once its work resolves. */
export type Transact = <T>(work: Work<T>, options: TransactionOptions) => Promise<T>

const TIMEOUT_MS = 5_000

/** The longest that a transaction may take, in milliseconds. */
export const timeoutOf = ({ timeout = TIMEOUT_MS }: TransactionOptions): number => timeout

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

/** The statements of a transaction that is begun, as long as it is in its time. */
const inTime = (run: Run, checkTime: () => void): Statements =>
  createStatements(async (text, values) => {
    checkTime()
    return run(text, values)
  })

/**
 * Statements that write find rows by their keys, whatever the values are, and bring the rest along (`valuesTable`): their
 * plans are made once for a connection. Left to itself, PostgreSQL plans each of them again every time.
 */
const BEGIN = { once: 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan', anew: 'BEGIN' } as const

const HAS_CITUS = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS found`

/** Whether the database of a connection has Citus, asked once for each connection. */
const distributed = new WeakMap<PoolClient, boolean>()

const isDistributed = async (client: PoolClient): Promise<boolean> => {
  const known = distributed.get(client)
  if (known !== undefined) return known
  const { rows } = await client.query<{ found: boolean }>(HAS_CITUS)
  distributed.set(client, rows[0]!.found)
  return rows[0]!.found
}

/** Begins a transaction. Citus finds the nodes of a statement by its values, so that it is left to plan as it sees fit. */
const begin = async (client: PoolClient, plans: 'once' | 'anew'): Promise<void> => {
  const anew = plans === 'anew' || (await isDistributed(client))
  await client.query(BEGIN[anew ? 'anew' : 'once'])
}

/** Rolls back; false where the connection is good for nothing any more. */
const rollBack = (client: PoolClient): Promise<boolean> =>
  client.query('ROLLBACK').then(
    () => true,
    () => false,
  )

/** @throws Error where the database rolled back instead of committing, since a statement had failed. */
const commit = async (client: PoolClient) => {
  const send = () => client.query('COMMIT')
  const { command } = await (tracing ? traceStatement(tracing, 'COMMIT', send) : send())
  if (command !== 'COMMIT')
    throw new Error('A statement of the transaction had failed: nothing was committed')
}

/** Transactions over the connections of a pool. */
export const poolTransactions = (pool: Pool, { ofWrite }: StatementNames): Transact => {
  const transact = async <T>(
    work: Work<T>,
    checkTime: () => void,
    { plans = 'once', signal }: TransactionOptions,
  ): Promise<T> => {
    const client = await pool.connect().catch(error => {
      throw readFailure(error)
    })
    let isUsable = true
    try {
      await begin(client, plans)
      if (signal) beginWriting(signal)
      const run = preparedRun(config => client.query(config), ofWrite)
      const result = await work(inTime(run, checkTime), () => adapterOverConnection(client))
      checkTime()
      await commit(client)
      return result
    } catch (error) {
      isUsable = await rollBack(client)
      throw readFailure(error)
    } finally {
      client.release(!isUsable)
    }
  }
  return (work, options) => {
    const checkTime = createDeadline(timeoutOf(options))
    return onceMore(() => transact(work, checkTime, options))
  }
}

/** Transactions of the database in this process. */
export const embeddedTransactions =
  (pglite: Pick<PGlite, 'query' | 'transaction'>): Transact =>
  <T>(work: Work<T>, options: TransactionOptions): Promise<T> =>
    onceMoreAfterConflict(
      () =>
        pglite.transaction(async tx => {
          const checkTime = createDeadline(timeoutOf(options))
          if (options.signal) beginWriting(options.signal)
          const result = await work(inTime(embeddedRun(tx), checkTime), () => adapterOverTransaction(tx))
          checkTime()
          return result
        }) as Promise<T>,
    )

/** Makes a transaction of the driver one of Prisma's. */
const begun = new AsyncLocalStorage<() => Promise<PrismaTransaction>>()

const none = async () => undefined

const withSpans = (adapter: SqlDriverAdapter): SqlDriverAdapter =>
  tracing ? withStatementSpans(tracing, adapter) : adapter

const asTransaction = (adapter: SqlDriverAdapter): PrismaTransaction => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: query => adapter.queryRaw(query),
  executeRaw: query => adapter.executeRaw(query),
  // Prisma sends no statement for the end of such a transaction.
  options: { usePhantomQuery: true },
  commit: none,
  rollback: none,
})

/** The adapters of a factory, which begin no transaction where one is given that is begun. */
export const enlistingAdapters = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  async connect() {
    const adapter = withSpans(await factory.connect())
    return {
      provider: adapter.provider,
      adapterName: adapter.adapterName,
      queryRaw: query => adapter.queryRaw(query),
      executeRaw: query => adapter.executeRaw(query),
      executeScript: script => adapter.executeScript(script),
      startTransaction: level => begun.getStore()?.() ?? adapter.startTransaction(level),
      getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: true },
      dispose: () => adapter.dispose(),
    }
  },
})

/** Prisma's part in a transaction of the driver. */
export interface Enlisted {
  /** Prisma's client over the connection of the transaction. */
  client(): Promise<Prisma.TransactionClient>
  /** Ends Prisma's part, before the driver commits or rolls back. */
  end(): Promise<void>
}

/** Lets Prisma take part in a transaction. @param timeout the longest that it may take, in milliseconds. */
export type Enlist = (connect: () => Promise<SqlDriverAdapter>, timeout: number) => Enlisted

/** Makes the function that lets a client take part in transactions; its adapter is one of `enlistingAdapters`. */
export const createEnlist =
  (prisma: PrismaClient): Enlist =>
  (connect, timeout) => {
    const over = Promise.withResolvers<void>()
    let started: Promise<Prisma.TransactionClient> | undefined
    let done: Promise<void> | undefined
    const start = () =>
      new Promise<Prisma.TransactionClient>((resolve, reject) => {
        const transact = () =>
          prisma.$transaction(
            tx => {
              resolve(tx)
              return over.promise
            },
            { timeout },
          )
        done = begun.run(async () => asTransaction(withSpans(await connect())), transact).catch(reject)
      })
    return {
      client: () => {
        started ??= start()
        return started
      },
      async end() {
        over.resolve()
        await done
      },
    }
  }
