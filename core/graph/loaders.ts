/** DataLoaders of one request: the number of a query's SQL statements depends on its depth, not on its rows. */
import DataLoader from 'dataloader'
import { type Partner, partnersByIds } from '../access/partners.ts'
import type { Caller } from '../access/principal.ts'
import { audienceOf, visibleClient } from '../access/visibility.ts'
import { type BalanceKey, balanceKeyText } from '../charging/booking.ts'
import type { App } from '../context/app.ts'
import type { AccountRecord, Directory, FoundLine, LineRecord } from '../directory/directory.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import { GRAPH_COLUMN_SETS, type RowColumns, type SelectedRow } from '../transactions/columns.ts'
import type { Measured } from '../transactions/post/validate.ts'
import type { TransactionConnection } from '../transactions/read/connection.ts'
import type { Transactions } from '../transactions/service/transactions.ts'
import { type InterventionRow, interventionsIn } from '../transactions/settle/intervene.ts'
import type { Decimal } from '../values/money.ts'
import { type DeliveryRow, deliveriesOf } from '../webhooks/deliveries.ts'
import { type LoggedAttempt, readAttemptLogs } from '../webhooks/outcomes.ts'
import type { OwnedQuery, Reads } from './reads.ts'

/** Values of one request by their keys, each read once: look-ups that share statements need no second batch above them. */
class Remembered<Key, Value> {
  readonly #read: (key: Key) => Promise<Value>
  readonly #textOf: (key: Key) => string
  readonly #known = new Map<string, Promise<Value>>()

  constructor(read: (key: Key) => Promise<Value>, textOf: (key: Key) => string) {
    this.#read = read
    this.#textOf = textOf
  }

  load(key: Key): Promise<Value> {
    const text = this.#textOf(key)
    const known = this.#known.get(text)
    if (known) return known
    const read = this.#read(key)
    this.#known.set(text, read)
    return read
  }
}

const itself = (text: string): string => text

/** Transaction with the columns to be read of it. */
export interface TransactionKey {
  readonly id: string
  readonly columns: RowColumns
}

/** Reads the transactions of several fields by one statement, with the columns of all of them. */
const findTransactions =
  (store: OwnTransactions, caller: Caller) =>
  async (keys: readonly TransactionKey[]): Promise<(SelectedRow | null)[]> => {
    const columns = GRAPH_COLUMN_SETS.union(keys.map(key => key.columns))
    const rows = await store.findMany(caller, [...new Set(keys.map(({ id }) => id))], columns)
    const found = new Map(rows.map(row => [row.id, row]))
    return keys.map(({ id }) => found.get(id) ?? null)
  }

type OwnTransactions = Pick<Transactions, 'findMany' | 'beyondLimits'>

/** Store of a subgraph that owns no transactions. */
const NONE: OwnTransactions = {
  findMany: async () => [],
  beyondLimits: async transactions => transactions.map(() => []),
}

/** Parts of the loaders of one request. */
interface LoaderParts {
  readonly app: App
  readonly reads: Reads
  /** Transactions of the subgraph. */
  readonly store: OwnTransactions
  readonly caller: Caller
  readonly directory: DirectoryLoaders
}

/** The functions that make the loaders; of its own transactions a service reads those that the caller may see. */
const MAKERS = {
  account: ({ directory }: LoaderParts) => directory.account,
  line: ({ directory }: LoaderParts) => directory.line,
  linesOfAccount: ({ directory }: LoaderParts) => directory.linesOfAccount,
  balance: ({ reads }: LoaderParts) => new Remembered<BalanceKey, Decimal>(reads.balance, balanceKeyText),
  deliveries: ({ app }: LoaderParts) =>
    new DataLoader<string, DeliveryRow[]>(ids => deliveriesOf(app.db, ids)),
  interventions: ({ app }: LoaderParts) =>
    new DataLoader<string, InterventionRow[]>(ids => interventionsIn(app.db, ids)),
  attempts: ({ app }: LoaderParts) =>
    new DataLoader<string, LoggedAttempt[]>(ids => readAttemptLogs(app.db, ids)),
  partner: ({ app }: LoaderParts) => new DataLoader<string, Partner>(ids => partnersByIds(app.db, ids)),
  transaction: ({ store, caller }: LoaderParts) =>
    new DataLoader<TransactionKey, SelectedRow | null, string>(findTransactions(store, caller), {
      cacheKeyFn: ({ id, columns }) => `${id} ${columns.key}`,
    }),
  connection: ({ reads }: LoaderParts) =>
    new Remembered<OwnedQuery, TransactionConnection>(reads.connection, key => `${key.owner} ${key.page}`),
  count: ({ reads }: LoaderParts) =>
    new Remembered<OwnedQuery, number>(reads.count, key => `${key.owner} ${key.count}`),
  beyondLimits: ({ store }: LoaderParts) =>
    new DataLoader<Measured, ServiceError[]>(transactions => store.beyondLimits(transactions), {
      cache: false,
    }),
  clientId: ({ caller }: LoaderParts) => visibleClient(caller),
  audience: ({ caller }: LoaderParts) => audienceOf(caller.principal),
}

type Makers = typeof MAKERS

/** Loaders of one request in one subgraph. */
export type Loaders = { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> }

const PARTS = Symbol('parts')
const MADE = Symbol('made')

/** Loaders with what they are made of. */
interface Held {
  readonly [PARTS]: LoaderParts
  readonly [MADE]: Record<string, unknown>
}

/** Prototype of loaders, by which each is made when it is first asked for: most requests ask for few. */
const LAZY = {}
for (const [name, make] of Object.entries(MAKERS))
  Object.defineProperty(LAZY, name, {
    get(this: Held) {
      this[MADE][name] ??= make(this[PARTS])
      return this[MADE][name]
    },
  })

/**
 * Makes the loaders of one request.
 * @param store transactions of the subgraph, if it owns any.
 */
export const createLoaders = (
  app: App,
  reads: Reads,
  store: Transactions | undefined,
  caller: Caller,
  shared: SharedByOperation,
): Loaders => {
  const loaders = Object.create(LAZY)
  loaders[PARTS] = {
    app,
    reads,
    store: store ?? NONE,
    caller,
    directory: directoryLoaders(app.directory, shared),
  }
  loaders[MADE] = {}
  return loaders
}

/** Context of a resolver. */
export interface GraphContext {
  readonly caller: Caller
  readonly loaders: Loaders
}

const orNull = <Value>(value: Value | undefined): Value | null => value ?? null

const createDirectoryLoaders = (directory: Directory) => ({
  account: new Remembered<string, AccountRecord | null>(
    number => directory.account(number).then(orNull),
    itself,
  ),
  line: new Remembered<string, FoundLine | null>(
    number => directory.line('phone', number).then(orNull),
    itself,
  ),
  linesOfAccount: new DataLoader<string, LineRecord[]>(async numbers => {
    const found = await directory.linesOfAccounts(numbers)
    return numbers.map(number => found.get(number) ?? [])
  }),
})

export type DirectoryLoaders = ReturnType<typeof createDirectoryLoaders>

/** Loaders that the subgraphs of one operation share; each event of a subscription is an operation of its own. */
export interface SharedByOperation {
  directory?: DirectoryLoaders
}

/** Finds the loaders of the operation, or makes them for the first subgraph that needs them. */
const directoryLoaders = (directory: Directory, shared: SharedByOperation): DirectoryLoaders => {
  shared.directory ??= createDirectoryLoaders(directory)
  return shared.directory
}
