/**
 * Columns by selection: a resolver declares the columns that it reads, and its row's type has no others; the statement reads
 * the columns of all selected resolvers.
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
import type { ColumnSet, ColumnSets } from '../data/sql.ts'
import type { GraphContext } from './loaders.ts'

const READ_BY = new WeakMap<object, readonly string[]>()

const hasAll = <Row extends object, Field extends keyof Row>(
  row: Partial<Row>,
  fields: readonly Field[],
): row is Partial<Row> & Pick<Row, Field> => fields.every(field => row[field] !== undefined)

/**
 * Makes the function that makes resolvers of rows with some of their columns.
 * @returns a resolver that reads these columns. It throws where one was not read, instead of taking it for null.
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

/** Columns that a field's resolver reads; without a resolver, the column of its name. */
const readBy = <Field extends string>(
  { fields, has }: ColumnSets<Field>,
  name: string,
  resolver: GraphQLFieldResolver<unknown, GraphContext> | undefined,
): readonly Field[] => {
  if (!resolver) return has(name) ? [name] : fields
  return READ_BY.get(resolver)?.filter(has) ?? fields
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

/**
 * Makes the function that finds the names of the fields that are selected of rows. It is called for each request, and goes
 * through each document once.
 */
export function selectedFields(place: RowPlace): (info: GraphQLResolveInfo) => ReadonlySet<string> {
  const known = new WeakMap<FieldNode, ReadonlySet<string>>()
  return info => {
    const [node, ...others] = info.fieldNodes
    if (others.length > 0) return selectedNames(info, place)
    const names = known.get(node!) ?? selectedNames(info, place)
    known.set(node!, names)
    return names
  }
}

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
 * Makes the function that finds the columns to read for a selection. It is called for each request, and goes through each
 * document once.
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
