/** Connection fields: what a resolver returns for `payments(first, after, …)` and its sisters. */
import type { App } from '../app.ts'
import {
  type Connection,
  type ConnectionArgs,
  type ConnectionQuery,
  countConnection,
  type HolderColumn,
  readConnection,
} from '../transactions/connection.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import { sliceOf } from '../transactions/slice.ts'
import type { GraphContext } from './loaders.ts'

/** A page with a total that is counted only when it is asked for. */
export interface CountedConnection extends Connection {
  totalCount(): Promise<number>
}

const toQuery = (
  kind: TransactionKind,
  args: ConnectionArgs,
  { loaders }: GraphContext,
): ConnectionQuery => ({
  kind,
  clientId: loaders.clientId,
  filter: args.filter ?? {},
  slice: sliceOf(args),
})

/** The transactions of one account or number. */
export async function connectionOf(
  kind: TransactionKind,
  column: HolderColumn,
  holder: string,
  args: ConnectionArgs,
  context: GraphContext,
): Promise<CountedConnection> {
  const key = { column, holder, query: toQuery(kind, args, context) }
  const connection = await context.loaders.connection.load(key)
  return { ...connection, totalCount: () => context.loaders.count.load(key) }
}

/** All transactions the caller may see. */
export async function connectionOfAll(
  app: App,
  kind: TransactionKind,
  args: ConnectionArgs,
  context: GraphContext,
): Promise<CountedConnection> {
  const query = toQuery(kind, args, context)
  const connection = await readConnection(app.db, query)
  return { ...connection, totalCount: () => countConnection(app.db, query) }
}
