/**
 * Prisma's methods of models inside of a transaction that the driver has begun: at the first call Prisma is given the
 * connection as a transaction of its own, whose begin and end do nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  Transaction as PrismaTransaction,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { Prisma, PrismaClient } from '#prisma/generated/client.ts'
import { tracing } from '../observability/tracing.ts'
import { withStatementSpans } from './statement-spans.ts'

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
