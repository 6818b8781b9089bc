/** Every way from a root field of the graph to the entities that belong to a customer, taken from the schema itself. */
import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { Graph } from './graph.ts'

/** The types of which a token that is bound to a number may see its own alone. */
export const OWNED = ['Subscriber', 'Customer']

/** The schema as a client learns it. */
export async function introspect(graph: Graph, token: string): Promise<GraphQLSchema> {
  const { data } = await graph(getIntrospectionQuery(), { token })
  return buildClientSchema(data)
}

type Field = GraphQLField<unknown, unknown>

const needsArgument = ({ args }: Field) =>
  args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)

const leavesOf = (type: GraphQLObjectType) =>
  Object.values(type.getFields())
    .filter(field => isLeafType(getNamedType(field.type)) && !needsArgument(field))
    .map(({ name }) => name)
    .join(' ')

const objectsOf = (schema: GraphQLSchema, field: Field): readonly GraphQLObjectType[] => {
  const type = getNamedType(field.type)
  if (isObjectType(type)) return [type]
  return isInterfaceType(type) ? schema.getPossibleTypes(type) : []
}

/** Arguments of fields whose rows would cost too much by themselves, or lead to nobody without them. */
const ARGUMENTS: Readonly<Record<string, string>> = { summary: '(groupBy: [CUSTOMER], first: 5)' }

/** The selections below a type that end at an owned entity; no type is passed twice on the way. */
function* selectionsFrom(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  deepest: number,
  passed: readonly string[] = [],
): Generator<string> {
  if (OWNED.includes(type.name)) yield `__typename ${leavesOf(type)}`
  if (passed.includes(type.name) || passed.length > deepest) return
  for (const field of Object.values(type.getFields())) {
    if (needsArgument(field)) continue
    for (const target of objectsOf(schema, field))
      for (const rest of selectionsFrom(schema, target, deepest, [...passed, type.name]))
        yield `${field.name}${ARGUMENTS[field.name] ?? ''} { ... on ${target.name} { ${rest} } }`
  }
}

/**
 * Queries along every way from a root field.
 * @param written the field with its arguments.
 * @param deepest how many types a way passes at the most.
 */
export function* queriesFrom(
  schema: GraphQLSchema,
  name: string,
  written = name,
  deepest = 4,
): Generator<string> {
  const field = schema.getQueryType()!.getFields()[name]!
  for (const target of objectsOf(schema, field))
    for (const selection of selectionsFrom(schema, target, deepest))
      yield `{ ${written} { ... on ${target.name} { ${selection} } } }`
}

/** Everything in a response that is an owned entity. */
export function ownedIn(data: unknown): Record<string, unknown>[] {
  if (typeof data !== 'object' || data === null) return []
  const below = Object.values(data).flatMap(ownedIn)
  const { __typename } = data as { __typename?: string }
  return OWNED.includes(__typename!) ? [data as Record<string, unknown>, ...below] : below
}
