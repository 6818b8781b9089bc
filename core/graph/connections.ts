/**
 * Connection fields such as `payments(first, after, …)`: the columns, the page and the total that are selected. The statement
 * reads the columns of all selected resolvers (`row-resolvers.ts`).
 */
import {
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { phoneInContext } from '../access/principal.ts'
import { recordList, visibleNumber } from '../access/visibility.ts'
import type { App } from '../context/app.ts'
import type { ColumnSet, ColumnSets } from '../data/sql.ts'
import { type Connection, type CountedConnection, parsePageArgs } from '../paging/keyset.ts'
import { counted } from '../paging/page.ts'
import { GRAPH_COLUMN_SETS, KEYS, type RowColumns, type SelectedRow } from '../transactions/columns.ts'
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
import { OwnedQuery } from './reads.ts'
import { columnsReadBy } from './row-resolvers.ts'

/** Columns that a field's resolver reads; without a resolver, the column of its name. */
const readBy = <Field extends string>(
  { fields, has }: ColumnSets<Field>,
  name: string,
  resolver: GraphQLFieldResolver<unknown, GraphContext> | undefined,
): readonly Field[] => {
  if (!resolver) return has(name) ? [name] : fields
  return columnsReadBy(resolver)?.filter(has) ?? fields
}

/** Place of rows in a selection: their type, and the names of the fields that lead from the resolved field to them. */
export interface RowPlace {
  readonly typename: string
  readonly paths: readonly (readonly string[])[]
}

/**
 * Finds every field below the nodes, whatever its conditions are; a fragment is entered once, however often it is spread.
 * @param typename the type whose fields are wanted: fragments on other object types are skipped; undefined for all types.
 */
const fieldsBelow = (
  nodes: readonly FieldNode[],
  { fragments, schema }: GraphQLResolveInfo,
  typename?: string,
): FieldNode[] => {
  const fields: FieldNode[] = []
  const seen = new Set<object>()
  const isOther = (name: string | undefined) =>
    typename !== undefined && name !== undefined && name !== typename && isObjectType(schema.getType(name))
  const enter = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FIELD) fields.push(node)
      else {
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value]! : node
        if (seen.has(fragment) || isOther(fragment.typeCondition?.name.value)) continue
        seen.add(fragment)
        enter(fragment.selectionSet)
      }
    }
  }
  for (const { selectionSet } of nodes) enter(selectionSet)
  return fields
}

/** Names of the fields that are selected of the rows. */
const selectedNames = (info: GraphQLResolveInfo, { typename, paths }: RowPlace): Set<string> => {
  const atEnd = (path: readonly string[]) =>
    path.reduce<readonly FieldNode[]>(
      (nodes, next) => fieldsBelow(nodes, info).filter(({ name }) => name.value === next),
      info.fieldNodes,
    )
  const fields = paths.flatMap(path => fieldsBelow(atEnd(path), info, typename))
  return new Set(fields.map(({ name }) => name.value))
}

/** Makes a function that is called for each request read each document once. */
const oncePerDocument = <Result extends object>(read: (info: GraphQLResolveInfo) => Result) => {
  const known = new WeakMap<FieldNode, Result>()
  return (info: GraphQLResolveInfo): Result => {
    const [node, ...others] = info.fieldNodes
    if (others.length > 0) return read(info)
    const result = known.get(node!) ?? read(info)
    known.set(node!, result)
    return result
  }
}

/** Makes the function that finds the names of the fields that are selected of rows. */
export const selectedFields = (place: RowPlace): ((info: GraphQLResolveInfo) => ReadonlySet<string>) =>
  oncePerDocument(info => selectedNames(info, place))

const collect = <Field extends string>(
  sets: ColumnSets<Field>,
  always: readonly Field[],
  info: GraphQLResolveInfo,
  place: RowPlace,
): ColumnSet<Field> => {
  const type = info.schema.getType(place.typename) as GraphQLObjectType<unknown, GraphContext>
  const names = [...selectedNames(info, place)].filter(name => name !== '__typename')
  const read = names.flatMap(name => readBy(sets, name, type.getFields()[name]?.resolve))
  return sets.of([...always, ...read])
}

/**
 * Makes the function that finds the columns to read for a selection.
 * @param always the columns that are read whatever is selected.
 */
export const selectedColumns = <Field extends string, Always extends Field>(
  sets: ColumnSets<Field>,
  always: readonly Always[],
  place: RowPlace,
): ((info: GraphQLResolveInfo) => ColumnSet<Always>) =>
  oncePerDocument(info => collect(sets, always, info, place))

/** Page of transactions with its total. */
export type TransactionPage = CountedConnection<SelectedRow>

/**
 * Narrows a filter to the transactions that the caller may see. @throws ServiceError CARRIER_BILLING.INVALID_TOKEN_CONTEXT for an account, or of a reader a number, that is not the token's.
 */
const filterInContext = async (
  filter: TransactionFilter,
  context: GraphContext,
): Promise<TransactionFilter> => {
  if (filter.customerAccountNumber != null) await checkAccountInContext(filter.customerAccountNumber, context)
  if (visibleNumber(context.caller) === undefined) return filter
  const named = filter.mobileNumber?.slice(1)
  return { ...filter, mobileNumber: phoneInContext(context.caller.principal, 'filter.mobileNumber', named) }
}

const toQuery = async (
  kind: TransactionKind,
  args: ConnectionArgs,
  context: GraphContext,
  columns: RowColumns,
): Promise<ConnectionQuery> => {
  const filter = withInstants(args.filter ?? {})
  // Most clients see every number, and most lists are not narrowed: nothing is waited for then.
  const isInContext = filter.customerAccountNumber == null && visibleNumber(context.caller) === undefined
  return {
    kind,
    columns,
    clientId: context.loaders.clientId,
    filter: isInContext ? filter : await filterInContext(filter, context),
    keyset: parsePageArgs(args),
  }
}

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
  const key = new OwnedQuery(loaders.audience, by, holder, query)
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
  const columnsOf = selectedColumns(GRAPH_COLUMN_SETS, KEYS, {
    typename,
    paths: [['nodes'], ['edges', 'node']],
  })
  return (info: GraphQLResolveInfo): SelectedPage => ({ columns: columnsOf(info), total: selectsTotal(info) })
}

/** Makes the function that finds the selected columns of one transaction. */
export const entityColumns = ({ typename }: TransactionKind) =>
  selectedColumns(GRAPH_COLUMN_SETS, KEYS, { typename, paths: [[]] })

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
export function withTotal<Row extends object>(
  page: Promise<Connection<Row>>,
  count: () => Promise<number>,
  early: boolean,
): Promise<CountedConnection<Row>> {
  // A failure is reported by the field of the total, which is resolved only if the page was read.
  if (early) count().catch(() => undefined)
  return page.then(rows => counted(rows, count))
}
