/**
 * Selections of a file: the first connection of an operation, and the columns, which are the fields that it selects of each row,
 * nested ones by their path with dots.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Column } from '#core/http/row-files.ts'
import { isObject } from '#core/values/json.ts'

/** A row as the graph gives it. */
export type GraphRow = Readonly<Record<string, unknown>>

/** A document, as far as its selections need it. */
export interface Selecting {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

/** A selected field with the type that it is selected of; undefined where the schema has no such type. */
export interface Selected {
  readonly node: FieldNode
  readonly parent: string
}

/** Lists the fields of a selection with those of its fragments, in the order of the text; each fragment once. */
export function fieldsOf(
  { fragments }: Selecting,
  set: SelectionSetNode | undefined,
  parent: string,
  seen = new Set<string>(),
): Selected[] {
  return (set?.selections ?? []).flatMap(node => {
    if (node.kind === Kind.FIELD) return [{ node, parent }]
    if (node.kind === Kind.INLINE_FRAGMENT)
      return fieldsOf(
        { fragments } as Selecting,
        node.selectionSet,
        node.typeCondition?.name.value ?? parent,
        seen,
      )
    const fragment = fragments.get(node.name.value)
    if (!fragment || seen.has(fragment.name.value)) return []
    seen.add(fragment.name.value)
    return fieldsOf(
      { fragments } as Selecting,
      fragment.selectionSet,
      fragment.typeCondition.name.value,
      seen,
    )
  })
}

/** Finds the type of a field; undefined where the schema does not know it. */
export const typeOf = ({ schema }: Selecting, { node, parent }: Selected) => {
  const type = schema.getType(parent)
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value]?.type : undefined
}

/** Name of a field in the answer. */
export const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** Scalars whose texts nobody but the program writes. */
const OWN_SCALARS: ReadonlySet<string> = new Set([
  'Int',
  'Float',
  'Boolean',
  'DateTime',
  'Currency',
  'Decimal',
  'PhoneNumber',
  'UUID',
])

/** Value at a path; null where an object on the way is. */
const valueAt = (row: GraphRow, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : null), row)

const cellOf = (value: unknown): string | number | boolean | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)
}

const columnAt = (path: readonly string[], free: boolean): Column<GraphRow> => ({
  name: path.join('.'),
  free,
  value: row => cellOf(valueAt(row, path)),
})

/**
 * Makes the columns of rows: one for each scalar, and one for each list, whose cells are JSON. Fields of the same name in
 * fragments on several types are one column.
 */
export function columnsOf(
  selecting: Selecting,
  sets: readonly SelectionSetNode[],
  parent: string,
  path: readonly string[] = [],
): Column<GraphRow>[] {
  const columns: Column<GraphRow>[] = []
  const fields = sets.flatMap(set => fieldsOf(selecting, set, parent))
  for (const [key, same] of Map.groupBy(fields, ({ node }) => keyOf(node))) {
    const at = [...path, key]
    const type = typeOf(selecting, same[0]!)
    const named = type && getNamedType(type)
    if (type && isCompositeType(named) && !isListType(getNullableType(type))) {
      const inner = same.flatMap(({ node }) => node.selectionSet ?? [])
      columns.push(...columnsOf(selecting, inner, named.name, at))
    } else columns.push(columnAt(at, !(isEnumType(named) || OWN_SCALARS.has(named?.name ?? ''))))
  }
  return columns
}

/** The first connection of an operation. */
export interface FoundConnection {
  /** Fields that lead to the connection, from the root on, the connection last. */
  readonly way: readonly Selected[]
  /** Further selections of the connection under the same name. */
  readonly same: readonly FieldNode[]
  readonly typename: string
}

/** Longest way to a connection. */
const LONGEST_WAY = 1_000

/** Finds the first connection, depth first; lists are not entered, since each of their items would have its own. */
export function findConnection(
  selecting: Selecting,
  sets: readonly SelectionSetNode[],
  parent: string,
  way: readonly Selected[],
): FoundConnection | undefined {
  if (way.length > LONGEST_WAY) return undefined
  const fields = sets.flatMap(set => fieldsOf(selecting, set, parent))
  for (const same of Map.groupBy(fields, ({ node }) => keyOf(node)).values()) {
    const type = typeOf(selecting, same[0]!)
    const named = type && getNamedType(type)
    if (!type || !isObjectType(named) || isListType(getNullableType(type))) continue
    const next = [...way, same[0]!]
    const nodes = same.map(({ node }) => node)
    if (named.name.endsWith('Connection')) return { way: next, same: nodes, typename: named.name }
    const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    const found = findConnection(selecting, inner, named.name, next)
    if (found) return found
  }
  return undefined
}
