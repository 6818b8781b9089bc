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

/** Client and filter of a query as text; most queries have neither. */
const narrowing = ({ clientId, filter }: CountQuery): string => {
  const isWhole = clientId === undefined && Object.values(filter).every(value => value == null)
  return isWhole ? '' : JSON.stringify([clientId, filter])
}

/** Rows of one owner, with the keys under which its page and its count share statements. */
export class OwnedQuery {
  /** Clients that may see the result: clients with different visibility never share a statement. */
  readonly audience: Audience
  readonly by: OwnedBy
  readonly owner: string
  readonly query: ConnectionQuery
  #page: SharedKey | undefined
  #count: SharedKey | undefined

  constructor(audience: Audience, by: OwnedBy, owner: string, query: ConnectionQuery) {
    this.audience = audience
    this.by = by
    this.owner = owner
    this.query = query
  }

  /** Key of pages that one statement reads: they differ in their owners alone. */
  get page(): SharedKey {
    const { kind, keyset, columns } = this.query
    const { size, after, before, descending, backward } = keyset
    // Nothing but the last part can hold a blank.
    this.#page ??= sharedKey(
      this.audience,
      `${kind.table} ${this.by} ${columns.key} ${size} ${after} ${before} ${descending} ${backward} ${narrowing(this.query)}`,
    )
    return this.#page
  }

  /** Key of counts that one statement reads. */
  get count(): SharedKey {
    this.#count ??= sharedKey(this.audience, `${this.query.kind.table} ${this.by} ${narrowing(this.query)}`)
    return this.#count
  }
}

/** Makes the function that reads queries which differ in their owners alone. */
const ofOwners =
  <T>(read: (query: ConnectionQuery, by: OwnedBy, owners: string[]) => Promise<T[]>) =>
  async (keys: readonly OwnedQuery[]): Promise<T[]> => {
    const { query, by } = keys[0]!
    const owners = [...new Set(keys.map(key => key.owner))]
    const found = await read(query, by, owners)
    const ofOwner = new Map(owners.map((holder, index) => [holder, found[index] as T]))
    return keys.map(key => ofOwner.get(key.owner) as T)
  }

const createReads = ({ db }: App) => ({
  balance: batchedLookup((keys: readonly BalanceKey[]) => readBalances(db, keys)),
  connection: batchedLookup(
    ofOwners<TransactionConnection>((query, by, owners) => readConnections(db, query, by, owners)),
    ({ page }) => page,
  ),
  count: batchedLookup(
    ofOwners<number>((query, by, owners) => countConnections(db, query, by, owners)),
    ({ count }) => count,
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
