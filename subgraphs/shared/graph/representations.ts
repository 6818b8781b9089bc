/** What entities are asked for by: a representation that names no entity of the subgraph is the asker's fault. */
import {
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLUnionType,
  valueFromASTUntyped,
} from 'graphql'

/** Makes a schema refuse wrong values of `_Any`, which would otherwise fail where they are resolved, as bugs do. */
export function checkRepresentations(schema: GraphQLSchema): void {
  const any = schema.getType('_Any') as GraphQLScalarType | undefined
  const entity = schema.getType('_Entity') as GraphQLUnionType | undefined
  if (!any || !entity) return
  const names = new Set(entity.getTypes().map(({ name }) => name))
  const check = (value: unknown) => {
    const name = (value as { __typename?: string } | null)?.__typename
    if (!names.has(name!)) throw new GraphQLError('__typename must name an entity of this subgraph')
    return value
  }
  any.parseValue = check
  any.parseLiteral = (node, variables) => check(valueFromASTUntyped(node, variables))
}
