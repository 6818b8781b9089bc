/** A kind's transactions as a service uses them: post, list, find; who may see what is settled here. */

import type { Caller } from '../access/caller.ts'
import { isVisibleRow, visibleRows } from '../access/visibility.ts'
import type { App } from '../context/app.ts'
import { batchedLookup } from '../data/batched-lookup.ts'
import { Prisma } from '../data/db.ts'
import { notFound, type ServiceError } from '../errors/catalogue.ts'
import { isId } from '../values/id.ts'
import type { Query } from '../values/query.ts'
import { startOfMonth } from '../values/time.ts'
import { noteCardTexts } from './card-texts.ts'
import { beyondLimits } from './check-posting.ts'
import { COLUMNS, type RowColumns, type SelectedRow } from './columns.ts'
import { conditionsOf } from './filter.ts'
import { createInserter } from './insert.ts'
import { type TransactionKind, type TransactionRow, tableOf } from './kind.ts'
import { parseListQuery } from './list-query.ts'
import { readSpent } from './load-conflicts.ts'
import type { Measured, NewTransaction } from './new-transaction.ts'
import { readNumberPage } from './number-page.ts'
import { type Page, readPage } from './page.ts'
import { createRepeatRecogniser } from './recognise-repeat.ts'
import { refusalsInOrder, withRules } from './refusals.ts'

export interface TransactionStore<Body = unknown> {
  /**
   * Inserts what `validate` makes of a request: when this resolves, it is committed.
   * @param shape what the contract's schema refuses of the request: then nothing is inserted.
   * @throws ServiceError that names the first transaction where the request was posted before, whatever else there is
   * against it now; else with everything that is wrong with the request, in the order of the schema's fields.
   */
  post(
    caller: Caller,
    request: unknown,
    validate: () => Promise<NewTransaction>,
    shape?: ServiceError,
  ): Promise<TransactionRow<Body>>
  /** A page of what the caller may see (docs/decisions.md, "Lists"). */
  list(caller: Caller, query: Query): Promise<Page<Body>>
  /** @throws ServiceError NOT_FOUND when absent or another client's. */
  get(caller: Caller, id: string): Promise<TransactionRow<Body>>
  /** Those of the ids that the caller may see, in any order, as far as the columns go. */
  findMany(caller: Caller, ids: readonly string[], columns: RowColumns): Promise<SelectedRow[]>
  /** For each, the limits of its client that it would exceed if it were posted now. */
  beyondLimits(transactions: readonly Measured[]): Promise<ServiceError[][]>
}

type Readers<Body> = Pick<TransactionStore<Body>, 'list' | 'get' | 'findMany'>

const createList =
  <Body>(app: App, kind: TransactionKind): Readers<Body>['list'] =>
  async (caller, text) => {
    const { clientId, mobileNumber } = visibleRows(caller.principal)
    const query = parseListQuery(text, app.config.timezone)
    return mobileNumber === undefined
      ? readPage<Body>(app.reader, kind, clientId, query)
      : readNumberPage<Body>(app.reader, kind, mobileNumber, query)
  }

const createReaders = <Body>(app: App, kind: TransactionKind): Readers<Body> => {
  const readMany = <Row>(columns: Prisma.Sql, ids: readonly string[], mine: Prisma.Sql) =>
    app.reader.$queryRaw<Row[]>`
      SELECT ${columns} FROM ${tableOf(kind)} t WHERE t.id = ANY (${ids}::uuid[]) AND ${mine}`
  /** For all callers together; what each may see of it is `get`'s to say. */
  const find = batchedLookup(async (ids: readonly string[]) => {
    const rows = await readMany<TransactionRow<Body>>(COLUMNS, ids, Prisma.sql`TRUE`)
    const ofId = new Map(rows.map(row => [row.id, row]))
    return ids.map(id => ofId.get(id))
  })
  return {
    list: createList(app, kind),
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
  }
}

const createPost = <Body>(
  app: App,
  kind: TransactionKind,
  onPosted: () => void,
  documents: string | undefined,
): TransactionStore<Body>['post'] => {
  const insert = createInserter(app, kind)
  const recogniseRepeat = createRepeatRecogniser(app, kind)
  const insertChecked = async (caller: Caller, transaction: NewTransaction) => {
    noteCardTexts(app, caller, kind.service, kind.bodyPath, transaction.body)
    return (await insert(transaction, caller.signal)) as TransactionRow<Body>
  }
  const inOrder = refusalsInOrder(kind, documents)
  const post = async (caller: Caller, validate: () => Promise<NewTransaction>) => {
    try {
      return await insertChecked(caller, await validate())
    } catch (error) {
      throw inOrder(error)
    }
  }
  return async (caller, request, validate, shape) => {
    if (shape) throw inOrder(await withRules(app, kind, shape, validate))
    const row = await recogniseRepeat(caller.principal.clientId, request, () => post(caller, validate))
    onPosted()
    app.posted.emit()
    return row
  }
}

/**
 * Opens the store of a kind, whose rows hold bodies of type `Body`; `onPosted` is called after each commit.
 * @param documents where the kind's contract document is, when not in `schema/`.
 */
export function openStore<Body>(
  app: App,
  kind: TransactionKind,
  onPosted: () => void,
  documents?: string,
): TransactionStore<Body> {
  return {
    ...createReaders<Body>(app, kind),
    post: createPost<Body>(app, kind, onPosted, documents),
    async beyondLimits(transactions) {
      const spent = await readSpent(
        app.reader,
        kind,
        transactions,
        startOfMonth(new Date(), app.config.timezone),
      )
      return transactions.map(transaction => beyondLimits(kind, transaction, { spent }))
    },
  }
}
