/** DataLoaders of one request: a query's number of SQL statements follows its depth, never its rows. */
import DataLoader from 'dataloader'
import type { App } from '../app.ts'
import { type Caller, visibleClient } from '../caller.ts'
import { type BalanceKey, balanceText, readBalances } from '../charging/balances.ts'
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

/** What every subgraph can look up. */
export const createCommonLoaders = (app: App) => ({
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
  balance: new DataLoader<BalanceKey, Decimal, string>(keys => readBalances(app.db, keys), {
    cacheKeyFn: balanceText,
  }),
  partner: new DataLoader<string, { id: string; name: string }>(async ids => {
    const rows = await app.db.client.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true, name: true },
    })
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    return ids.map(id => ({ id, name: names.get(id) || id }))
  }),
})

/** A connection asked for on one holder; equal queries on many holders become one statement. */
export interface HolderQuery {
  readonly column: HolderColumn
  readonly holder: string
  readonly query: ConnectionQuery
}

const withoutHolder = ({ column, query: { slice, filter } }: HolderQuery) =>
  JSON.stringify([column, slice, filter], (_, value) => (typeof value === 'bigint' ? `${value}` : value))

type ReadMany<T> = (query: ConnectionQuery, column: HolderColumn, holders: string[]) => Promise<T[]>

/** Groups the keys by what they ask, reads each group at once, and puts the results back in sequence. */
const grouped = <T>(read: ReadMany<T>) =>
  new DataLoader<HolderQuery, T, string>(
    async keys => {
      const results = new Map<HolderQuery, T>()
      for (const group of Map.groupBy(keys, withoutHolder).values()) {
        const { query, column } = group[0]!
        const read_ = await read(
          query,
          column,
          group.map(key => key.holder),
        )
        group.forEach((key, index) => results.set(key, read_[index] as T))
      }
      return keys.map(key => results.get(key) as T)
    },
    { cacheKeyFn: key => `${key.holder} ${withoutHolder(key)}` },
  )

/** What a service can look up of its own transactions, as far as the caller may see them. */
export const createTransactionLoaders = (app: App, store: TransactionStore, caller: Caller) => ({
  transaction: new DataLoader<string, TransactionRow | null>(async ids => {
    const rows = await store.findMany(caller, ids)
    return inSequence(ids, new Map(rows.map(row => [row.id, row])))
  }),
  connection: grouped<Connection>((query, column, holders) =>
    readConnections(app.db, query, column, holders),
  ),
  count: grouped<number>((query, column, holders) => countConnections(app.db, query, column, holders)),
  beyondLimits: new DataLoader<Measured, ServiceError[]>(drafts => store.beyondLimits(drafts), {
    cache: false,
  }),
  clientId: visibleClient(caller),
})

/** The loaders of one request; `store` is absent in a subgraph without transactions of its own. */
export const createLoaders = (app: App, store: TransactionStore, caller: Caller) => ({
  ...createCommonLoaders(app),
  ...createTransactionLoaders(app, store, caller),
})

export type Loaders = ReturnType<typeof createLoaders>

/** What a resolver gets beside its parent and arguments. */
export interface GraphContext {
  readonly caller: Caller
  readonly loaders: Loaders
}
