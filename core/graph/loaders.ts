/** DataLoaders of one request: a query's number of SQL statements follows its depth, never its rows. */

import DataLoader from 'dataloader'
import { audienceOf } from '../access/audience.ts'
import { type Caller, visibleClient } from '../access/caller.ts'
import { type Partner, partnersByIds } from '../access/partners.ts'
import { type Audience, type SharedKey, sharedKey } from '../async/single-flight.ts'
import { type BalanceKey, balanceText, readBalances } from '../charging/balances.ts'
import type { App } from '../context/app.ts'
import { batchedLookup } from '../data/batched-lookup.ts'
import { lookupsOf } from '../data/db.ts'
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
import type { Decimal } from '../values/decimal.ts'
import { type DeliveryRow, deliveriesOf } from '../webhooks/deliveries.ts'
import { type LoggedAttempt, readAttemptLogs } from '../webhooks/outcomes.ts'
import { directoryLoaders, type SharedByOperation } from './directory-loaders.ts'

/** A connection of one owner; equal queries on many owners become one statement. */
export interface OwnedConnectionQuery {
  /** The clients that may be answered with it: clients that may not see the same never share a statement. */
  readonly audience: Audience
  readonly by: OwnedBy
  readonly owner: string
  readonly query: ConnectionQuery
}

/** The rows of an owner that are counted. */
export interface OwnedCountQuery extends Omit<OwnedConnectionQuery, 'query'> {
  readonly query: CountQuery
}

const countWithoutOwner = ({ audience, by, query }: OwnedCountQuery): SharedKey =>
  sharedKey(audience, JSON.stringify([query.kind.table, query.clientId, by, query.filter]))

const withoutOwner = ({ audience, by, query }: OwnedConnectionQuery): SharedKey => {
  const { kind, clientId, filter, keyset, columns } = query
  const asked = [kind.table, clientId, by, filter, keyset, columns]
  return sharedKey(
    audience,
    JSON.stringify(asked, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  )
}

/** Reads queries that differ in their owners alone. */
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

const createReads = ({ reader }: App) => ({
  balance: batchedLookup((keys: readonly BalanceKey[]) => readBalances(lookupsOf(reader), keys)),
  connection: batchedLookup(
    ofOwners<OwnedConnectionQuery, TransactionConnection>((query, by, owners) =>
      readConnections(reader, query, by, owners),
    ),
    withoutOwner,
  ),
  count: batchedLookup(
    ofOwners<OwnedCountQuery, number>((query, by, owners) => countConnections(reader, query, by, owners)),
    countWithoutOwner,
  ),
})

export type Reads = ReturnType<typeof createReads>

const READS = new WeakMap<App, Reads>()

/** What the loaders of all requests read through: requests served at the same time, by whichever subgraph, share statements. */
export const readsOf = (app: App): Reads => {
  const reads = READS.get(app) ?? createReads(app)
  READS.set(app, reads)
  return reads
}

const each = <Key, Value>(keys: readonly Key[], read: (key: Key) => Promise<Value>) =>
  Promise.all(keys.map(key => read(key).catch((error: Error) => error)))

/** What every subgraph can look up. */
export const createCommonLoaders = (app: App, reads: Reads) => ({
  balance: new DataLoader<BalanceKey, Decimal, string>(keys => each(keys, reads.balance), {
    cacheKeyFn: balanceText,
  }),
  deliveries: new DataLoader<string, DeliveryRow[]>(ids => deliveriesOf(app.reader, ids)),
  interventions: new DataLoader<string, InterventionRow[]>(ids => interventionsIn(app.reader, ids)),
  attempts: new DataLoader<string, LoggedAttempt[]>(ids => readAttemptLogs(app.reader, ids)),
  partner: new DataLoader<string, Partner>(ids => partnersByIds(app.reader, ids)),
})

/** A transaction as far as these columns go. */
export interface TransactionKey {
  readonly id: string
  readonly columns: RowColumns
}

/** What several fields select of transactions is read by one statement. */
const findTransactions =
  (store: OwnTransactions, caller: Caller) =>
  async (keys: readonly TransactionKey[]): Promise<(SelectedRow | null)[]> => {
    const columns = COLUMN_SETS.union(keys.map(key => key.columns))
    const rows = await store.findMany(caller, [...new Set(keys.map(({ id }) => id))], columns)
    const found = new Map(rows.map(row => [row.id, row]))
    return keys.map(({ id }) => found.get(id) ?? null)
  }

type OwnTransactions = Pick<Transactions, 'findMany' | 'beyondLimits'>

/** What a subgraph finds that owns no transactions. */
const NONE: OwnTransactions = {
  findMany: async () => [],
  beyondLimits: async transactions => transactions.map(() => []),
}

/** What a service can look up of its own transactions, as far as the caller may see them. */
export const createTransactionLoaders = (reads: Reads, store: OwnTransactions, caller: Caller) => ({
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

/** The loaders of one request; `store` is absent in a subgraph without transactions of its own. */
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

/** What a resolver gets beside its parent and arguments. */
export interface GraphContext {
  readonly caller: Caller
  readonly loaders: Loaders
}
