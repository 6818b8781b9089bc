/**
 * The one way to the database: Prisma's client, extended. Its models are Prisma's; its raw statements and transactions are
 * given to the driver as they are.
 */
import { Prisma, type PrismaClient } from '#prisma/generated/client.ts'
import type { Statements } from './statements.ts'
import {
  createEnlist,
  type Enlisted,
  type Transact,
  type TransactionOptions,
  timeoutOf,
} from './transactions.ts'

const withStatements = (prisma: PrismaClient, { $queryRaw, $executeRaw, $lookUp }: Statements) =>
  prisma.$extends({ client: { $queryRaw, $executeRaw, $lookUp } })

type Model = Uncapitalize<Prisma.ModelName>

/** A client in a transaction: its raw statements and Prisma's methods of models are the transaction's. */
export type Transaction = Pick<ReturnType<typeof withStatements>, Model | keyof Statements>

/** A driver over the connections that Prisma has too. */
export interface Driver extends Statements {
  readonly transact: Transact
}

/** The methods of a model in a transaction; Prisma takes part from the first call on. */
const methodsIn = (enlisted: Enlisted, model: string): object =>
  new Proxy(
    {},
    {
      get: (_, method) => async (args: unknown) => {
        const delegate = Reflect.get(await enlisted.client(), model)
        return Reflect.get(delegate, method).call(delegate, args)
      },
    },
  )

const uncapitalized = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

/** Getters of all models, made once; each transaction has them from here. */
const MODELS = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.values(Prisma.ModelName)
      .map(uncapitalized)
      .map(model => [
        model,
        {
          get(this: { readonly enlisted: Enlisted }) {
            return methodsIn(this.enlisted, model)
          },
        },
      ]),
  ),
)

const transactionOf = (statements: Statements, enlisted: Enlisted): Transaction =>
  Object.assign(Object.create(MODELS), statements, { enlisted })

/** Extends Prisma's client by a driver; its adapter is one of `enlistingAdapters`. */
export const extendClient = (prisma: PrismaClient, { transact, ...statements }: Driver) => {
  const enlist = createEnlist(prisma)
  return withStatements(prisma, statements).$extends({
    client: {
      /**
       * Commits what `work` does once it resolves; where it rejects, nothing of it is there. Statements begun at the same
       * time travel together and are executed in their order. Work that was rolled back, since its connection was lost
       * before the commit or others stood in its way, is done once more: so it changes nothing but by its statements.
       * @throws failures that `fromDatabase` knows; the signal's reason when its time is up before anything is written.
       */
      $transaction: <T>(
        work: (tx: Transaction) => Promise<T>,
        options: TransactionOptions = {},
      ): Promise<T> =>
        transact(async (tx, connect) => {
          const enlisted = enlist(connect, timeoutOf(options))
          try {
            return await work(transactionOf(tx, enlisted))
          } finally {
            await enlisted.end()
          }
        }, options),
    },
  })
}

/** The database as every part of the program sees it. */
export type Db = ReturnType<typeof extendClient>
