/** DataLoaders of one request: a query's number of SQL statements follows its depth, never its rows. */
import DataLoader from 'dataloader'
import type { App } from '../app.ts'
import { type Caller, visibleClient } from '../caller.ts'
import { type BalanceKey, balanceText, readBalances } from '../charging/balances.ts'
import { together } from '../data/together.ts'
import { type DeliveryRow, deliveriesOf } from '../delivery/deliveries.ts'
import type { AccountRecord, LineRecord } from '../directory/directory.ts'
import type { ServiceError } from '../errors.ts'
import {
  type Connection,
  type ConnectionQuery,
  countConnections,
  type HolderColumn,
  readConnections,
} from '../transactions/connection.ts'
import type { Measured } from '../transactions/decide.ts'
import type { TransactionRow } from '../transactions/kind.ts'
import type { TransactionStore } from '../transactions/store.ts'
import type { Decimal } from '../values/decimal.ts'

/** In the keys' sequence, null where there is none. */
const inSequence = <T>(keys: readonly string[], found: Map<string, T>) =>
  keys.map(key => found.get(key) ?? null)

/** A connection asked for on one holder; equal queries on many holders become one statement. */
export interface HolderQuery {
  readonly column: HolderColumn
  readonly holder: string
  readonly query: ConnectionQuery
}

const withoutHolder = ({ column, query: { kind, clientId, slice, filter } }: HolderQuery) =>
  JSON.stringify([kind.table, clientId, column, slice, filter], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )

const keyOf = (key: HolderQuery) => `${key.holder} ${withoutHolder(key)}`

type ReadHolders<T> = (query: ConnectionQuery, column: HolderColumn, holders: string[]) => Promise<T[]>

/** Reads queries that differ in their holders alone. */
const ofHolders =
  <T>(read: ReadHolders<T>) =>
  async (keys: readonly HolderQuery[]): Promise<T[]> => {
    const { query, column } = keys[0]!
    const holders = [...new Set(keys.map(key => key.holder))]
    const found = await read(query, column, holders)
    const byHolder = new Map(holders.map((holder, index) => [holder, found[index] as T]))
    return keys.map(key => byHolder.get(key.holder) as T)
  }

/** What the loaders of all requests read through: requests served at the same time share statements. */
export const createReads = ({ db }: App) => ({
  balance: together((keys: readonly BalanceKey[]) => readBalances(db, keys)),
  connection: together(
    ofHolders<Connection>((query, column, holders) => readConnections(db, query, column, holders)),
    withoutHolder,
  ),
  count: together(
    ofHolders<number>((query, column, holders) => countConnections(db, query, column, holders)),
    withoutHolder,
  ),
})

export type Reads = ReturnType<typeof createReads>

const each = <Key, Value>(keys: readonly Key[], read: (key: Key) => Promise<Value>) =>
  Promise.all(keys.map(key => read(key).catch((error: Error) => error)))

/** What every subgraph can look up. */
export const createCommonLoaders = (app: App, reads: Reads) => ({
  account: new DataLoader<string, AccountRecord | null>(async numbers =>
    inSequence(numbers, await app.directory.accountsByNumber(numbers)),
  ),
  line: new DataLoader<string, LineRecord | null>(async numbers =>
    inSequence(numbers, await app.directory.linesByNumber(numbers)),
  ),
  linesOfAccount: new DataLoader<string, LineRecord[]>(async numbers => {
    const found = await app.directory.linesOfAccounts(numbers)
    return numbers.map(number => found.get(number) ?? [])
  }),
  balance: new DataLoader<BalanceKey, Decimal, string>(keys => each(keys, reads.balance), {
    cacheKeyFn: balanceText,
  }),
  deliveries: new DataLoader<string, DeliveryRow[]>(ids => deliveriesOf(app.db, ids)),
  partner: new DataLoader<string, { id: string; name: string }>(async ids => {
    const rows = await app.db.client.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true, name: true },
    })
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    return ids.map(id => ({ id, name: names.get(id) || id }))
  }),
})

/** What a service can look up of its own transactions, as far as the caller may see them. */
export const createTransactionLoaders = (reads: Reads, store: TransactionStore, caller: Caller) => ({
  transaction: new DataLoader<string, TransactionRow | null>(async ids => {
    const rows = await store.findMany(caller, ids)
    return inSequence(ids, new Map(rows.map(row => [row.id, row])))
  }),
  connection: new DataLoader<HolderQuery, Connection, string>(keys => each(keys, reads.connection), {
    cacheKeyFn: keyOf,
  }),
  count: new DataLoader<HolderQuery, number, string>(keys => each(keys, reads.count), { cacheKeyFn: keyOf }),
  beyondLimits: new DataLoader<Measured, ServiceError[]>(drafts => store.beyondLimits(drafts), {
    cache: false,
  }),
  clientId: visibleClient(caller),
})

/** The loaders of one request; `store` is absent in a subgraph without transactions of its own. */
export const createLoaders = (app: App, reads: Reads, store: TransactionStore, caller: Caller) => ({
  ...createCommonLoaders(app, reads),
  ...createTransactionLoaders(reads, store, caller),
})

export type Loaders = ReturnType<typeof createLoaders>

/** What a resolver gets beside its parent and arguments. */
export interface GraphContext {
  readonly caller: Caller
  readonly loaders: Loaders
}
