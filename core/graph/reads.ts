/** Look-ups under the loaders of all requests, and the keys of those that share a statement. */
import { type Audience, type SharedKey, sharedKey } from '../async/single-flight.ts'
import { type BalanceKey, readBalances } from '../charging/booking.ts'
import type { App } from '../context/app.ts'
import { batchedLookup } from '../data/batched-lookup.ts'
import {
  type ConnectionQuery,
  type CountQuery,
  countConnections,
  type OwnedBy,
  readConnections,
  type TransactionConnection,
} from '../transactions/read/connection.ts'

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

/** Writes the key of a query once: its loader asks for it, and the batch that the query comes into. */
const once = <Query extends object>(write: (query: Query) => SharedKey): ((query: Query) => SharedKey) => {
  const known = new WeakMap<Query, SharedKey>()
  return query => {
    const key = known.get(query) ?? write(query)
    known.set(query, key)
    return key
  }
}

/** Key of counts that one statement answers. */
export const countWithoutOwner = once(({ audience, by, query }: OwnedCountQuery) =>
  sharedKey(audience, JSON.stringify([query.kind.table, query.clientId, by, query.filter])),
)

/** Key of pages that one statement answers. */
export const withoutOwner = once(({ audience, by, query }: OwnedConnectionQuery) => {
  const { kind, clientId, filter, keyset, columns } = query
  const { size, after, before, descending, backward } = keyset
  // JSON has no word for a bigint.
  const page = [size, String(after), String(before), descending, backward]
  return sharedKey(audience, JSON.stringify([kind.table, clientId, by, filter, page, columns]))
})

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
