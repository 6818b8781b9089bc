/** The transactions of one kind as REST and the graph call them: post, list, find. */

import type { Caller } from '#core/access/principal.ts'
import { isVisibleRow, recordList, visibleRows } from '#core/access/visibility.ts'
import type { App } from '#core/context/app.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import { Prisma } from '#core/data/db.ts'
import { notFound, ServiceError } from '#core/errors/catalogue.ts'
import { isId } from '#core/values/id.ts'
import { startOfMonth } from '#core/values/time.ts'
import type { Query } from '../../values/text.ts'
import { COLUMNS, type RowColumns, type SelectedRow } from '../columns.ts'
import { type TransactionKind, type TransactionRow, tableOf } from '../kind.ts'
import { beyondLimits, createIdempotency } from '../post/check.ts'
import { checkIdempotencyKey, createReplay, digestOf, KeyTaken } from '../post/idempotency-key.ts'
import { createInserter } from '../post/insert.ts'
import { readSpent, refusalsInOrder, withRules } from '../post/refusals.ts'
import { checkCardTexts, type Measured, type NewTransaction } from '../post/validate.ts'
import { conditionsOf } from '../read/connection.ts'
import { type Page, parseListQuery, readNumberPage, readPage } from '../read/list.ts'

/** A request's idempotency key, and the header or argument that has it. */
export interface GivenKey {
  readonly key: string
  readonly field: string
}

/** A transaction, and whether an earlier request with the same idempotency key had posted it. */
export interface Posted<Body = unknown> {
  readonly row: TransactionRow<Body>
  readonly isReplayed: boolean
}

/** The transactions of a kind: `Body` is what a row holds, `Request` what create takes. */
export interface Transactions<Body = unknown, Request = never> {
  /**
   * Posts one; when this resolves, it is committed.
   * @param shape the refusal by the contract's schema: it is thrown with what the rules refuse of the rest.
   * @throws ServiceError that names the first transaction where the request was posted before, whatever else there is
   * against it now; else with everything that is wrong with the request, in the order of the schema's fields.
   */
  create(caller: Caller, request: Request, shape?: ServiceError): Promise<TransactionRow<Body>>
  /**
   * Posts one as `create` does, unless an earlier request of the client with the same key has: then that one's transaction is
   * the result, as it was when it was posted. Requests with the same key at the same time wait for the first.
   * @throws ServiceError INVALID_ARGUMENT for a malformed key, and with status 422 where the key was used for another request.
   */
  createOnce(caller: Caller, request: Request, given?: GivenKey, shape?: ServiceError): Promise<Posted<Body>>
  /** A page of the transactions that the caller may see (docs/decisions.md, "Lists"). */
  list(caller: Caller, query: Query): Promise<Page<Body>>
  /** @throws ServiceError NOT_FOUND when absent or another client's. */
  get(caller: Caller, id: string): Promise<TransactionRow<Body>>
  /** The transactions with these ids that the caller may see, in any order, as far as the columns go. */
  findMany(caller: Caller, ids: readonly string[], columns: RowColumns): Promise<SelectedRow[]>
  /** For each, the limits of its client that it would exceed if it were posted now. */
  beyondLimits(transactions: readonly Measured[]): Promise<ServiceError[][]>
}

/** The rules of a service: a request in, a new transaction out. @throws ServiceError with all that is wrong with it. */
export type Validate<Request> = (app: App, caller: Caller, request: Request) => Promise<NewTransaction>

export interface TransactionsOptions {
  /** Called after each commit. */
  onPosted(): void
  /** The folder of the kind's contract document, when not `schema/`. */
  readonly documents?: string
}

/** Posts a request, under a key if it has one. */
type Post<Body, Request> = (
  caller: Caller,
  request: Request,
  shape?: ServiceError,
  key?: string,
) => Promise<TransactionRow<Body>>

const withKey = (transaction: NewTransaction, key: string, request: unknown): NewTransaction => ({
  ...transaction,
  idempotency: { key, digest: digestOf(transaction.id, request) },
})

/** Makes the function that posts: the rules, the limits and the insert, and what a client is told where it is refused. */
const createPost = <Body, Request>(
  app: App,
  kind: TransactionKind,
  validate: Validate<Request>,
  { onPosted, documents }: TransactionsOptions,
): Post<Body, Request> => {
  const insert = createInserter(app, kind)
  const idempotent = createIdempotency(app, kind)
  const inOrder = refusalsInOrder(kind, documents)
  return async (caller, request, shape, key) => {
    if (shape) throw inOrder(await withRules(app, kind, shape, () => validate(app, caller, request)))
    const row = await idempotent(caller.principal.clientId, request, async () => {
      try {
        const transaction = await validate(app, caller, request)
        checkCardTexts(app, caller, kind.service, kind.bodyPath, transaction.body)
        const keyed = key === undefined ? transaction : withKey(transaction, key, request)
        return (await insert(keyed, caller.signal)) as TransactionRow<Body>
      } catch (error) {
        throw inOrder(error)
      }
    })
    onPosted()
    app.posted.emit()
    return row
  }
}

/** Makes the function that posts a request with a key, or finds what was posted under it before. */
const createPostOnce = <Body, Request>(
  app: App,
  kind: TransactionKind,
  post: Post<Body, Request>,
): Transactions<Body, Request>['createOnce'] => {
  const replay = createReplay<Body>(app, kind)
  return async (caller, request, given, shape) => {
    if (!given) return { row: await post(caller, request, shape), isReplayed: false }
    checkIdempotencyKey(given.field, given.key)
    if (shape) return { row: await post(caller, request, shape), isReplayed: false }
    const find = () => replay({ clientId: caller.principal.clientId, request, ...given })
    const first = await find()
    if (first) return { row: first, isReplayed: true }
    try {
      return { row: await post(caller, request, undefined, given.key), isReplayed: false }
    } catch (error) {
      // One with the same key was posted meanwhile, and may have made this one invalid.
      const isRefusal = error instanceof KeyTaken || (error instanceof ServiceError && error.status < 500)
      const posted = isRefusal ? await find() : undefined
      if (!posted) throw error
      return { row: posted, isReplayed: true }
    }
  }
}

/** The transactions of a kind in this process. */
export function createTransactions<Body, Request>(
  app: App,
  kind: TransactionKind,
  validate: Validate<Request>,
  options: TransactionsOptions,
): Transactions<Body, Request> {
  const { db, config } = app
  const readMany = <Row>(columns: Prisma.Sql, ids: readonly string[], visible: Prisma.Sql) =>
    db.$queryRaw<Row[]>`
      SELECT ${columns} FROM ${tableOf(kind)} t WHERE t.id = ANY (${ids}::uuid[]) AND ${visible}`
  /** Finds rows for all callers together; `get` decides which of them its caller may see. */
  const find = batchedLookup(async (ids: readonly string[]) => {
    const rows = await readMany<TransactionRow<Body>>(COLUMNS, ids, Prisma.sql`TRUE`)
    const ofId = new Map(rows.map(row => [row.id, row]))
    return ids.map(id => ofId.get(id))
  })
  const post = createPost<Body, Request>(app, kind, validate, options)
  return {
    create: (caller, request, shape) => post(caller, request, shape),
    createOnce: createPostOnce(app, kind, post),
    async list(caller, text) {
      const { clientId, mobileNumber } = visibleRows(caller.principal)
      const query = parseListQuery(text, config.timezone)
      recordList(caller)
      return mobileNumber === undefined
        ? readPage<Body>(db, kind, clientId, query)
        : readNumberPage<Body>(db, kind, mobileNumber, query)
    },
    async get(caller, id) {
      const row = isId(id) ? await find(id.toLowerCase()) : undefined
      if (!row || !isVisibleRow(visibleRows(caller.principal), row))
        throw notFound(`${kind.idField} ${id.slice(0, 64)}`)
      return row
    },
    async findMany(caller, ids, { columns }) {
      const { clientId, mobileNumber } = visibleRows(caller.principal)
      const visible = conditionsOf({ kind, clientId, filter: { mobileNumber } })
      return readMany<SelectedRow>(columns, ids.filter(isId), visible)
    },
    async beyondLimits(transactions) {
      const month = startOfMonth(new Date(), config.timezone)
      const spent = await readSpent(db, kind, transactions, month)
      return transactions.map(transaction => beyondLimits(kind, transaction, { spent }))
    },
  }
}
