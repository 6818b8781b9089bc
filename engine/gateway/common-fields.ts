/** Fields of entities that every subgraph has: they come with their objects, whichever subgraph brings those. */
import {
  type ConstDirectiveNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  Kind,
} from 'graphql'

/** Whether a field comes with each object of a type, whichever subgraph brings the object. */
export type IsCommon = (type: GraphQLCompositeType, field: string) => boolean

const joinsIn = (
  node: { readonly directives?: readonly ConstDirectiveNode[] } | null | undefined,
  name: string,
) =>
  (node?.directives ?? [])
    .filter(one => one.name.value === name)
    .map(({ arguments: args = [] }) => new Map(args.map(one => [one.name.value, one.value])))

const graphOf = (join: ReturnType<typeof joinsIn>[number]): string | undefined => {
  const graph = join.get('graph')
  return graph?.kind === Kind.ENUM ? graph.value : undefined
}

/** Arguments of `join__field` by which a subgraph does not bring the field itself. */
const NOT_BROUGHT = ['external', 'usedOverridden', 'overrideLabel', 'requires']

/** Whether each of these subgraphs brings a field; without `join__field` all have it. */
const bringEach = ({ args, astNode, type }: GraphQLField<unknown, unknown>, graphs: ReadonlySet<unknown>) => {
  const joins = joinsIn(astNode, 'join__field')
  const bringing = joins.filter(join => NOT_BROUGHT.every(name => !join.has(name))).map(graphOf)
  return (
    args.length === 0 &&
    isLeafType(getNamedType(type)) &&
    (joins.length === 0 || graphs.isSubsetOf(new Set(bringing)))
  )
}

const commonOf = (supergraph: GraphQLSchema, name: string): ReadonlySet<string> => {
  const type = supergraph.getType(name)
  if (!isObjectType(type)) return new Set()
  const joins = joinsIn(type.astNode, 'join__type')
  const graphs = new Set(joins.map(graphOf))
  if (graphs.size < 2 || !joins.some(join => join.has('key'))) return new Set()
  const fields = Object.values(type.getFields()).filter(field => bringEach(field, graphs))
  return new Set(fields.map(field => field.name))
}

/** Makes the function that finds them by the supergraph's own document; of an abstract type all possible types have them. */
export const createIsCommon = (supergraph: GraphQLSchema, schema: GraphQLSchema): IsCommon => {
  const known = new Map<string, ReadonlySet<string>>()
  const ofObject = (name: string) => {
    const common = known.get(name) ?? commonOf(supergraph, name)
    known.set(name, common)
    return common
  }
  return (type, field) => {
    if (field === '__typename') return true
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
    return types.every(({ name }) => ofObject(name).has(field))
  }
}
