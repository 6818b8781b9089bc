/** A schema with every hard point of execution: each kind of type under each kind of wrapper, resolved in each way. */
import {
  buildSchema,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { describeArguments, describeInfo, placeOf, spoil } from './resolver-input.ts'
import type { World } from './world.ts'

const BASES = ['String', 'Odd', 'Color', 'Plain', 'Asked', 'Proven', 'Node', 'Any']
const WRAPPERS = ['T', 'T!', '[T]', '[T!]', '[T!]!', '[[T!]]', '[[T]!]!']

const ARGUMENTS = '(x: Int = 1, text: String, filter: Filter, colors: [Color!], free: Free)'

/** Names that say what they give: `nodeList` and so on. */
const NAMES = ['', 'Must', 'List', 'ListMust', 'MustListMust', 'Deep', 'DeepMust']

const fields = BASES.flatMap(base =>
  WRAPPERS.map((wrapper, index) => {
    const args = index % 3 === 0 ? ARGUMENTS : ''
    return `${base.toLowerCase()}${NAMES[index]}${args}: ${wrapper.replace('T', base)}`
  }),
).join('\n')

const SDL = `
  scalar Odd
  scalar Free
  enum Color { RED GREEN BLUE }
  input Filter { text: String, limit: Int = 3, must: Int! = 4, below: Filter, colors: [Color!], free: Free }
  interface Node { ${fields} }
  union Any = Plain | Asked | Proven
  type Plain implements Node { ${fields} needs(x: Int!, text: String!): String }
  type Asked implements Node { ${fields} needs(x: Int!, text: String!): String }
  type Proven implements Node { ${fields} }
  type Query { ${fields} needs(x: Int!, text: String!): String }
  type Mutation { ${fields} }
  type Subscription { ${fields} }
`

/** Context of a resolver. */
export interface Context {
  readonly world: World
}

type Resolver = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>

const resolve: Resolver = (_source, args, { world }, info) => {
  const place = placeOf(info)
  world.note(`resolve ${place} ${describeArguments(args)} ${describeInfo(info)}`)
  spoil(args)
  return world.give(place, info.returnType)
}

/** Of some types each field has a resolver, of some every second one, of some none. */
const STEPS: Readonly<Record<string, number>> = {
  Query: 1,
  Asked: 1,
  Proven: 2,
  Mutation: 2,
  Subscription: 2,
}

const addResolvers = (type: GraphQLObjectType): void => {
  const step = STEPS[type.name] ?? Number.POSITIVE_INFINITY
  for (const [index, field] of Object.values(type.getFields()).entries())
    if (index % step === 0) field.resolve = resolve
}

const serializeOdd = (value: unknown) => {
  if (value === 'bad') throw new Error('a bad value')
  if (value === 'void') return undefined
  if (value === 'nil') return null
  return typeof value === 'symbol' ? value.toString() : value
}

const parseFree = (value: unknown) => {
  if (value === 'bad') throw new Error('a bad value')
  return value === 'now' ? new Date(0) : value
}

/** A name, right or wrong, now or later. */
const resolveNode = (value: { __typename?: unknown }, { world }: Context, info: GraphQLResolveInfo) => {
  const place = `${placeOf(info)} type`
  world.note(`type of ${place} ${describeInfo(info)}`)
  const kind = world.draw(place)(40)
  if (kind === 0) throw world.error(place)
  if (kind < 8) return Promise.resolve(value.__typename)
  if (kind === 8) return Promise.reject(world.error(place))
  if (kind === 9) return world.schema.getType('Plain')
  return kind === 10 ? 5 : value.__typename
}

const isProven = (value: { __typename?: unknown }, { world }: Context, info: GraphQLResolveInfo) => {
  const place = `${placeOf(info)} proof`
  world.note(`proof of ${place} ${describeInfo(info)}`)
  const kind = world.draw(place)(30)
  const holds = kind > 0 && value.__typename === 'Proven'
  if (kind === 1) throw world.error(place)
  if (kind === 2) return Promise.reject(world.error(place))
  return kind < 10 ? Promise.resolve(holds) : holds
}

/** Makes the schema. */
export const createHardSchema = (): GraphQLSchema => {
  const schema = buildSchema(SDL)
  const { Odd, Free, Node, Proven } = schema.getTypeMap()
  Object.assign(Odd!, { serialize: serializeOdd })
  Object.assign(Free!, {
    parseValue: parseFree,
    parseLiteral: (node: ValueNode, variables: Record<string, unknown>) =>
      parseFree(valueFromASTUntyped(node, variables)),
  })
  Object.assign(Node!, { resolveType: resolveNode })
  Object.assign(Proven!, { isTypeOf: isProven })
  // Those of introspection are every schema's, in this process.
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !isIntrospectionType(type)) addResolvers(type)
  return schema
}
