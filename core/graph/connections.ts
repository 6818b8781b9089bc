/** Connection fields: what a resolver returns for `payments(first, after, …)` and its sisters. */

import { visibleNumber } from '../access/caller.ts'
import { phoneInContext } from '../access/phone-context.ts'
import type { App } from '../context/app.ts'
import { type CountedConnection as Counted, parsePageArgs } from '../paging/keyset.ts'
import type { RowColumns, SelectedRow } from '../transactions/columns.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import {
  type ConnectionArgs,
  type ConnectionQuery,
  type OwnedBy,
  readConnection,
  type TransactionFilter,
} from '../transactions/read/connection.ts'
import { withInstants } from '../values/time.ts'
import { checkAccountInContext } from './directory-entities.ts'
import type { GraphContext } from './loaders.ts'
import { withTotal } from './selected-total.ts'
import type { SelectedPage } from './transaction-columns.ts'

/** A page of transactions with its total. */
export type CountedConnection = Counted<SelectedRow>

/**
 * What may be asked for, narrowed to what may be seen.
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

/** The transactions of one account, number or line. */
export async function connectionOf(
  kind: TransactionKind,
  by: OwnedBy,
  holder: string,
  args: ConnectionArgs,
  context: GraphContext,
  { columns, total }: SelectedPage,
): Promise<CountedConnection> {
  const { loaders } = context
  const query = await toQuery(kind, args, context, columns)
  const key = { audience: loaders.audience, by, owner: holder, query }
  return withTotal(loaders.connection.load(key), () => loaders.count.load(key), total)
}

/** All transactions the caller may see. */
export async function connectionOfAll(
  app: App,
  kind: TransactionKind,
  args: ConnectionArgs,
  context: GraphContext,
  { columns }: SelectedPage,
): Promise<CountedConnection> {
  return readConnection(app.reader, await toQuery(kind, args, context, columns))
}
