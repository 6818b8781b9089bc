/**
 * Plan of a file: the first connection of an operation, and the operation that reads one page of it. Whatever else the
 * operation selects has no place in rows, and is not executed.
 */
import {
  type ArgumentNode,
  type ConstArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { invalid, invalidField } from '#core/errors/catalogue.ts'
import type { Column } from '#core/http/row-files.ts'
import {
  columnsOf,
  type FoundConnection,
  fieldsOf,
  findConnection,
  type GraphRow,
  keyOf,
  type Selecting,
} from './selection.ts'

export type GivenVariables = Readonly<Record<string, unknown>>

export interface FilePlan {
  /** Text of the operation that reads a page; `after` is the name of its variable for the cursor. */
  readonly text: string
  readonly operationName: string | undefined
  /** Names of the variables that it keeps. */
  readonly variables: readonly string[]
  readonly after: string
  /** Cursor that the client began with. */
  readonly begin: string | null
  /** Names that lead from the answer to the connection. */
  readonly path: readonly string[]
  /** Rows of a page. */
  rowsOf(connection: GraphRow): readonly GraphRow[]
  readonly columns: readonly Column<GraphRow>[]
}

/** Rows of a page, unless the operation says how many. */
const PAGE = 200

const name = (value: string) => ({ kind: Kind.NAME, value }) as const
const field = (of: string, selections: SelectionSetNode['selections'] = []): FieldNode => ({
  kind: Kind.FIELD,
  name: name(of),
  ...(selections.length > 0 && { selectionSet: { kind: Kind.SELECTION_SET, selections } }),
})
const argument = (of: string, value: ArgumentNode['value']): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: name(of),
  value,
})

const NO_CONNECTION = `the operation selects no connection outside of a list, such as timeline or payments: a file has a row for each entry of the first one. GET /exports/summary.csv writes sums`

/** Operation of a document that a file can be made of. @throws ServiceError INVALID_ARGUMENT for anything but a query. */
const queryIn = (document: DocumentNode, operationName: string | undefined): OperationDefinitionNode => {
  const operation = getOperationAST(document, operationName)
  if (!operation)
    throw invalidField('operationName', 'REQUIRED', 'must name one of the operations of the document')
  if (operation.operation !== 'query')
    throw invalid(`a file is made of a query, not of a ${operation.operation}`, {
      reason: 'INVALID_OPERATION',
    })
  return operation
}

/** Selections of all that a name leads to below the connection. */
const below = (selecting: Selecting, { same, typename }: FoundConnection, of: string): FieldNode[] =>
  same
    .flatMap(({ selectionSet }) => fieldsOf(selecting, selectionSet, typename))
    .map(({ node }) => node)
    .filter(node => node.name.value === of)

const setsOf = (nodes: readonly FieldNode[]): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? [])

const spreadOf = (sets: readonly SelectionSetNode[]) => sets.flatMap(({ selections }) => selections)

interface RowSelection {
  /** The connection's field of rows. */
  readonly node: FieldNode
  readonly columns: Column<GraphRow>[]
  rowsOf(connection: GraphRow): readonly GraphRow[]
}

const listAt = (connection: GraphRow, key: string) => (connection[key] ?? []) as readonly GraphRow[]

/** Rows are the nodes, or the edges where nodes are not selected by themselves. */
const rowSelection = (selecting: Selecting, found: FoundConnection): RowSelection => {
  const type = (of: string, parent: string) => {
    const parentType = selecting.schema.getType(parent)
    const known = isObjectType(parentType) ? parentType.getFields()[of]?.type : undefined
    return known ? getNamedType(known).name : ''
  }
  const nodes = setsOf(below(selecting, found, 'nodes'))
  if (nodes.length > 0)
    return {
      node: field('nodes', spreadOf(nodes)),
      columns: columnsOf(selecting, nodes, type('nodes', found.typename)),
      rowsOf: connection => listAt(connection, 'nodes'),
    }
  const edges = setsOf(below(selecting, found, 'edges'))
  const edge = type('edges', found.typename)
  const inner = setsOf(
    edges
      .flatMap(set => fieldsOf(selecting, set, edge))
      .map(({ node }) => node)
      .filter(node => node.name.value === 'node'),
  )
  if (inner.length === 0)
    throw invalid(`a file needs the fields of its rows: select nodes { … } of ${keyOf(found.same[0]!)}`, {
      reason: 'INVALID_OPERATION',
    })
  return {
    node: field('edges', [field('node', spreadOf(inner))]),
    columns: columnsOf(selecting, inner, type('node', edge)),
    rowsOf: connection => listAt(connection, 'edges').map(one => one['node'] as GraphRow),
  }
}

/** Arguments of the page: those of the client, but for its place. @throws ServiceError for a page from the end. */
const pageArguments = (connection: FieldNode, variables: GivenVariables, after: string) => {
  const given = new Map((connection.arguments ?? []).map(one => [one.name.value, one]))
  const givenFor = (of: string): unknown => {
    const node = given.get(of)?.value
    return node && valueFromASTUntyped((node as ConstArgumentNode['value']) ?? null, variables)
  }
  for (const backward of ['last', 'before'])
    if (givenFor(backward) != null)
      throw invalidField(
        backward,
        'CONTRADICTION',
        'has no meaning for a file, which goes from the first page to the last',
      )
  const first =
    givenFor('first') == null ? argument('first', { kind: Kind.INT, value: `${PAGE}` }) : given.get('first')!
  const kept = [...given.values()].filter(
    one => !['first', 'after', 'last', 'before'].includes(one.name.value),
  )
  const begin = givenFor('after')
  return {
    args: [...kept, first, argument('after', { kind: Kind.VARIABLE, name: name(after) })],
    begin: typeof begin === 'string' ? begin : null,
  }
}

/** Fragments and variables that a selection uses; a document with others would be refused. */
const usedBy = (operation: OperationDefinitionNode, fragments: Selecting['fragments']) => {
  const used = new Map<string, FragmentDefinitionNode>()
  const variables = new Set<string>()
  const enter = (
    node: OperationDefinitionNode['selectionSet'] | OperationDefinitionNode | FragmentDefinitionNode,
  ) =>
    visit(node as FragmentDefinitionNode, {
      VariableDefinition: () => false,
      Variable: ({ name: { value } }) => void variables.add(value),
      FragmentSpread({ name: { value } }) {
        const fragment = fragments.get(value)
        if (!fragment || used.has(value)) return
        used.set(value, fragment)
        enter(fragment)
      },
    })
  enter(operation)
  return { used, variables }
}

/** Name of a variable that the operation does not have. */
const freeName = ({ variableDefinitions = [] }: OperationDefinitionNode): string => {
  const taken = new Set(variableDefinitions.map(one => one.variable.name.value))
  let free = 'after'
  while (taken.has(free)) free += '_'
  return free
}

const stringVariable = (of: string) =>
  ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: name(of) },
    type: { kind: Kind.NAMED_TYPE, name: name('String') },
  }) as const

/**
 * Plans the file of an operation.
 * @throws ServiceError INVALID_ARGUMENT where no file can be made of it, saying why.
 */
export function planFile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: GivenVariables,
): FilePlan {
  const operation = queryIn(document, operationName)
  const fragments = new Map(
    document.definitions.flatMap(one =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  )
  const selecting: Selecting = { schema, fragments }
  const found = findConnection(selecting, [operation.selectionSet], schema.getQueryType()!.name, [])
  if (!found) throw invalid(NO_CONNECTION, { reason: 'INVALID_OPERATION' })
  const after = freeName(operation)
  const [connection, ...parents] = found.way.map(({ node }) => node).toReversed()
  const { args, begin } = pageArguments(connection!, variables, after)
  const rows = rowSelection(selecting, found)
  const page: FieldNode = {
    ...connection!,
    arguments: args,
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [rows.node, field('pageInfo', [field('hasNextPage'), field('endCursor')])],
    },
  }
  const root = parents.reduce<FieldNode>(
    (inner, parent) => ({ ...parent, selectionSet: { kind: Kind.SELECTION_SET, selections: [inner] } }),
    page,
  )
  const bare = { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections: [root] } } as const
  const { used, variables: needed } = usedBy(bare, fragments)
  const kept = (operation.variableDefinitions ?? []).filter(one => needed.has(one.variable.name.value))
  const paged: OperationDefinitionNode = { ...bare, variableDefinitions: [...kept, stringVariable(after)] }
  return {
    text: print({ kind: Kind.DOCUMENT, definitions: [paged, ...used.values()] }),
    operationName: operation.name?.value,
    variables: kept.map(one => one.variable.name.value),
    after,
    begin,
    path: found.way.map(({ node }) => keyOf(node)),
    rowsOf: rows.rowsOf,
    columns: rows.columns,
  }
}
