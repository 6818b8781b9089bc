/** Connection fields such as `payments(first, after, …)`: the columns, the page and the total that are selected. */
import { type GraphQLResolveInfo, Kind } from 'graphql'
import { phoneInContext } from '../access/principal.ts'
import { recordList } from '../access/reached.ts'
import { visibleNumber } from '../access/visibility.ts'
import type { App } from '../context/app.ts'
import { type CountedConnection, parsePageArgs } from '../paging/keyset.ts'
import { COLUMN_SETS, KEYS, type RowColumns, type SelectedRow } from '../transactions/columns.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import {
  type ConnectionArgs,
  type ConnectionQuery,
  type OwnedBy,
  readConnection,
  type TransactionFilter,
} from '../transactions/read/connection.ts'
import { withInstants } from '../values/time.ts'
import { checkAccountInContext } from './directory-fields.ts'
import type { GraphContext } from './loaders.ts'
import { selectedColumns } from './selected-columns.ts'

/** Page of transactions with its total. */
export type TransactionPage = CountedConnection<SelectedRow>

/**
 * Narrows a filter to the transactions that the caller may see.
 * @throws ServiceError CARRIER_BILLING.INVALID_TOKEN_CONTEXT for an account, or of a reader a number, that is not the token's.
 */
const filterInContext = async (
  filter: TransactionFilter,
  context: GraphContext,
): Promise<TransactionFilter> => {
  if (filter.customerAccountNumber != null) await checkAccountInContext(filter.customerAccountNumber, context)
  if (visibleNumber(context.caller) === undefined) return filter
  return {
    ...filter,
    mobileNumber: phoneInContext(
      context.caller.principal,
      'filter.mobileNumber',
      filter.mobileNumber?.slice(1),
    ),
  }
}

const toQuery = async (
  kind: TransactionKind,
  args: ConnectionArgs,
  context: GraphContext,
  columns: RowColumns,
): Promise<ConnectionQuery> => ({
  kind,
  columns,
  clientId: context.loaders.clientId,
  filter: await filterInContext(withInstants(args.filter ?? {}), context),
  keyset: parsePageArgs(args),
})

/** Reads the transactions of one account, number or line. */
export async function connectionOf(
  kind: TransactionKind,
  by: OwnedBy,
  holder: string,
  args: ConnectionArgs,
  context: GraphContext,
  { columns, total }: SelectedPage,
): Promise<TransactionPage> {
  const { loaders } = context
  const query = await toQuery(kind, args, context, columns)
  const key = { audience: loaders.audience, by, owner: holder, query }
  return withTotal(loaders.connection.load(key), () => loaders.count.load(key), total)
}

/** Digits of a number, which filters have with a plus or, where it is the token's, without. */
const digitsOf = (number: string) => number.replace(/^\+/, '')

/** Reads all transactions that the caller may see. */
export async function connectionOfAll(
  app: App,
  kind: TransactionKind,
  args: ConnectionArgs,
  context: GraphContext,
  { columns }: SelectedPage,
): Promise<TransactionPage> {
  const query = await toQuery(kind, args, context, columns)
  const { mobileNumber, customerAccountNumber: accountNumber } = query.filter
  recordList(context.caller, { mobileNumber: mobileNumber && digitsOf(mobileNumber), accountNumber })
  return readConnection(app.db, query)
}

/** Selected parts of a page. */
export interface SelectedPage {
  /** Columns of its nodes. */
  readonly columns: RowColumns
  readonly total: boolean
}

/** Makes the function that finds the selected parts of a page. */
export const selectedPage = ({ typename }: TransactionKind) => {
  const columnsOf = selectedColumns(COLUMN_SETS, KEYS, { typename, paths: [['nodes'], ['edges', 'node']] })
  return (info: GraphQLResolveInfo): SelectedPage => ({ columns: columnsOf(info), total: selectsTotal(info) })
}

/** Makes the function that finds the selected columns of one transaction. */
export const entityColumns = ({ typename }: TransactionKind) =>
  selectedColumns(COLUMN_SETS, KEYS, { typename, paths: [[]] })

/** Whether a connection's total is selected outside of fragments and conditions; any other is counted when it is resolved. */
export const selectsTotal = ({ fieldNodes }: Pick<GraphQLResolveInfo, 'fieldNodes'>): boolean =>
  fieldNodes.some(({ selectionSet }) =>
    selectionSet?.selections.some(
      node => node.kind === Kind.FIELD && node.name.value === 'totalCount' && !node.directives?.length,
    ),
  )

/**
 * Adds the total to a page.
 * @param count counts once, however often it is called.
 * @param early whether to count while the page is read.
 */
export async function withTotal<Page extends object>(
  page: Promise<Page>,
  count: () => Promise<number>,
  early: boolean,
): Promise<Page & { totalCount(): Promise<number> }> {
  // A failure is reported by the field of the total, which is resolved only if the page was read.
  if (early) count().catch(() => undefined)
  return { ...(await page), totalCount: count }
}
