/**
 * Which columns a selection needs: a resolver says what of its row it reads, is given no more by its type, and the
 * statement reads what the resolvers of the selected fields say.
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
import type { ColumnSet, ColumnSets } from '../data/column-sets.ts'
import type { GraphContext } from './loaders.ts'

const READ_BY = new WeakMap<object, readonly string[]>()

const hasAll = <Row extends object, Field extends keyof Row>(
  row: Partial<Row>,
  fields: readonly Field[],
): row is Partial<Row> & Pick<Row, Field> => fields.every(field => row[field] !== undefined)

/**
 * Makes the function that makes resolvers of fields of rows of which not all columns may have been read.
 * @returns a resolver that reads these columns. It throws where they were not read, instead of taking them for null.
 */
export const resolversOf =
  <Row extends object>() =>
  <Field extends keyof Row & string, Args, Result>(
    fields: readonly Field[],
    resolve: (row: Pick<Row, Field>, args: Args, context: GraphContext) => Result,
  ) => {
    const resolver = (row: Partial<Row>, args: Args, context: GraphContext): Result => {
      if (!hasAll<Row, Field>(row, fields)) throw new Error(`Read without a column of ${fields.join(', ')}`)
      return resolve(row, args, context)
    }
    READ_BY.set(resolver, fields)
    return resolver
  }

/** The columns that a field's resolver reads; without one it is the column of its name. */
const readBy = <Field extends string>(
  { fields, has }: ColumnSets<Field>,
  name: string,
  resolver: GraphQLFieldResolver<unknown, GraphContext> | undefined,
): readonly Field[] => {
  if (!resolver) return has(name) ? [name] : fields
  return READ_BY.get(resolver)?.filter(has) ?? fields
}

/** What rows are selected from: their type, and the names of the fields that lead from the resolved field to them. */
export interface RowPlace {
  readonly typename: string
  readonly paths: readonly (readonly string[])[]
}

type Visit = (node: FieldNode) => void

/** Every field of a selection, whatever its conditions are; fragments on other object types are passed over. */
const visitFields = (
  set: SelectionSetNode | undefined,
  { fragments, schema }: GraphQLResolveInfo,
  typename: string | undefined,
  visit: Visit,
): void => {
  const isOther = (name: string | undefined) =>
    typename !== undefined && name !== undefined && name !== typename && isObjectType(schema.getType(name))
  const enter = (selections: SelectionSetNode | undefined): void => {
    for (const node of selections?.selections ?? []) {
      if (node.kind === Kind.FIELD) visit(node)
      else {
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value]! : node
        if (!isOther(fragment.typeCondition?.name.value)) enter(fragment.selectionSet)
      }
    }
  }
  enter(set)
}

/** The fields at the end of the path. */
const visitPath = (
  node: FieldNode,
  path: readonly string[],
  info: GraphQLResolveInfo,
  typename: string,
  visit: Visit,
): void => {
  const [next, ...rest] = path
  if (next === undefined) visitFields(node.selectionSet, info, typename, visit)
  else
    visitFields(node.selectionSet, info, undefined, child => {
      if (child.name.value === next) visitPath(child, rest, info, typename, visit)
    })
}

const collect = <Field extends string>(
  sets: ColumnSets<Field>,
  always: readonly Field[],
  info: GraphQLResolveInfo,
  { typename, paths }: RowPlace,
): ColumnSet<Field> => {
  const type = info.schema.getType(typename) as GraphQLObjectType<unknown, GraphContext>
  const fields = new Set<Field>(always)
  const add: Visit = ({ name: { value: name } }) => {
    if (name === '__typename') return
    for (const field of readBy(sets, name, type.getFields()[name]?.resolve)) fields.add(field)
  }
  for (const node of info.fieldNodes) for (const path of paths) visitPath(node, path, info, typename, add)
  return sets.of([...fields])
}

/**
 * Makes the function that says which columns to read for what is selected at a place. It is asked for each request, and
 * goes through a document once.
 * @param always the columns that are read whatever is selected.
 */
export function selectedColumns<Field extends string, Always extends Field>(
  sets: ColumnSets<Field>,
  always: readonly Always[],
  place: RowPlace,
): (info: GraphQLResolveInfo) => ColumnSet<Always> {
  const known = new WeakMap<FieldNode, ColumnSet<Field>>()
  return info => {
    const [node, ...others] = info.fieldNodes
    if (others.length > 0) return collect(sets, always, info, place)
    const set = known.get(node!) ?? collect(sets, always, info, place)
    known.set(node!, set)
    return set
  }
}
