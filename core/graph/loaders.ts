/** DataLoaders of one request: the number of a query's SQL statements depends on its depth, not on its rows. */
import DataLoader from 'dataloader'
import { type Partner, partnersByIds } from '../access/partners.ts'
import type { Caller } from '../access/principal.ts'
import { audienceOf, visibleClient } from '../access/visibility.ts'
import { type Audience, type SharedKey, sharedKey } from '../async/single-flight.ts'
import { type BalanceKey, balanceKeyText, readBalances } from '../charging/booking.ts'
import type { App } from '../context/app.ts'
import { batchedLookup } from '../data/batched-lookup.ts'
import type { AccountRecord, Directory, FoundLine, LineRecord } from '../directory/directory.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import { COLUMN_SETS, type RowColumns, type SelectedRow } from '../transactions/columns.ts'
import type { Measured } from '../transactions/post/validate.ts'
import {
  type ConnectionQuery,
  type CountQuery,
  countConnections,
  type OwnedBy,
  readConnections,
  type TransactionConnection,
} from '../transactions/read/connection.ts'
import type { Transactions } from '../transactions/service/transactions.ts'
import { type InterventionRow, interventionsIn } from '../transactions/settle/intervene.ts'
import type { Decimal } from '../values/money.ts'
import { type DeliveryRow, deliveriesOf } from '../webhooks/deliveries.ts'
import { type LoggedAttempt, readAttemptLogs } from '../webhooks/outcomes.ts'

/** Connection of one owner; equal queries on many owners become one statement. */
export interface OwnedConnectionQuery {
  /** Clients that may see the result: clients with different visibility never share a statement. */
  readonly audience: Audience
  readonly by: OwnedBy
  readonly owner: string
  readonly query: ConnectionQuery
}

/** Count of the rows of an owner. */
export interface OwnedCountQuery extends Omit<OwnedConnectionQuery, 'query'> {
  readonly query: CountQuery
}

const countWithoutOwner = ({ audience, by, query }: OwnedCountQuery): SharedKey =>
  sharedKey(audience, JSON.stringify([query.kind.table, query.clientId, by, query.filter]))

const withoutOwner = ({ audience, by, query }: OwnedConnectionQuery): SharedKey => {
  const { kind, clientId, filter, keyset, columns } = query
  const identity = [kind.table, clientId, by, filter, keyset, columns]
  return sharedKey(
    audience,
    JSON.stringify(identity, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  )
}

/** Makes the function that reads queries which differ in their owners alone. */
const ofOwners =
  <Key extends OwnedCountQuery, T>(
    read: (query: Key['query'], by: OwnedBy, owners: string[]) => Promise<T[]>,
  ) =>
  async (keys: readonly Key[]): Promise<T[]> => {
    const { query, by } = keys[0]!
    const owners = [...new Set(keys.map(key => key.owner))]
    const found = await read(query, by, owners)
    const ofOwner = new Map(owners.map((holder, index) => [holder, found[index] as T]))
    return keys.map(key => ofOwner.get(key.owner) as T)
  }

const createReads = ({ db }: App) => ({
  balance: batchedLookup((keys: readonly BalanceKey[]) => readBalances(db, keys)),
  connection: batchedLookup(
    ofOwners<OwnedConnectionQuery, TransactionConnection>((query, by, owners) =>
      readConnections(db, query, by, owners),
    ),
    withoutOwner,
  ),
  count: batchedLookup(
    ofOwners<OwnedCountQuery, number>((query, by, owners) => countConnections(db, query, by, owners)),
    countWithoutOwner,
  ),
})

export type Reads = ReturnType<typeof createReads>

const READS = new WeakMap<App, Reads>()

/** Look-ups under the loaders of all requests: concurrent requests share statements, also across subgraphs. */
export const readsOf = (app: App): Reads => {
  const reads = READS.get(app) ?? createReads(app)
  READS.set(app, reads)
  return reads
}

const each = <Key, Value>(keys: readonly Key[], read: (key: Key) => Promise<Value>) =>
  Promise.all(keys.map(key => read(key).catch((error: Error) => error)))

/** Makes the loaders that every subgraph has. */
const createCommonLoaders = (app: App, reads: Reads) => ({
  balance: new DataLoader<BalanceKey, Decimal, string>(keys => each(keys, reads.balance), {
    cacheKeyFn: balanceKeyText,
  }),
  deliveries: new DataLoader<string, DeliveryRow[]>(ids => deliveriesOf(app.db, ids)),
  interventions: new DataLoader<string, InterventionRow[]>(ids => interventionsIn(app.db, ids)),
  attempts: new DataLoader<string, LoggedAttempt[]>(ids => readAttemptLogs(app.db, ids)),
  partner: new DataLoader<string, Partner>(ids => partnersByIds(app.db, ids)),
})

/** Transaction with the columns to be read of it. */
export interface TransactionKey {
  readonly id: string
  readonly columns: RowColumns
}

/** Reads the transactions of several fields by one statement, with the columns of all of them. */
const findTransactions =
  (store: OwnTransactions, caller: Caller) =>
  async (keys: readonly TransactionKey[]): Promise<(SelectedRow | null)[]> => {
    const columns = COLUMN_SETS.union(keys.map(key => key.columns))
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

/** Makes the loaders of a service's own transactions, as far as the caller may see them. */
const createTransactionLoaders = (reads: Reads, store: OwnTransactions, caller: Caller) => ({
  transaction: new DataLoader<TransactionKey, SelectedRow | null, string>(findTransactions(store, caller), {
    cacheKeyFn: ({ id, columns }) => `${id} ${columns.key}`,
  }),
  connection: new DataLoader<OwnedConnectionQuery, TransactionConnection, string>(
    keys => each(keys, reads.connection),
    {
      cacheKeyFn: key => `${key.owner} ${withoutOwner(key)}`,
    },
  ),
  count: new DataLoader<OwnedCountQuery, number, string>(keys => each(keys, reads.count), {
    cacheKeyFn: key => `${key.owner} ${countWithoutOwner(key)}`,
  }),
  beyondLimits: new DataLoader<Measured, ServiceError[]>(transactions => store.beyondLimits(transactions), {
    cache: false,
  }),
  clientId: visibleClient(caller),
  audience: audienceOf(caller.principal),
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
) => ({
  ...directoryLoaders(app.directory, shared),
  ...createCommonLoaders(app, reads),
  ...createTransactionLoaders(reads, store ?? NONE, caller),
})

export type Loaders = ReturnType<typeof createLoaders>

/** Context of a resolver. */
export interface GraphContext {
  readonly caller: Caller
  readonly loaders: Loaders
}

/** In the keys' order, null where there is none. */
const inSequence = <T>(keys: readonly string[], found: Map<string, T>) =>
  keys.map(key => found.get(key) ?? null)

const createDirectoryLoaders = (directory: Directory) => ({
  account: new DataLoader<string, AccountRecord | null>(async numbers =>
    inSequence(numbers, await directory.accountsByNumber(numbers)),
  ),
  line: new DataLoader<string, FoundLine | null>(async numbers =>
    inSequence(numbers, await directory.linesByNumber(numbers)),
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
