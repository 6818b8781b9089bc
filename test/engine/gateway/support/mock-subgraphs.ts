/** Subgraphs that answer whatever their schemas allow, by a seed: the same fetch always has the same answer. */
import { buildSubgraphSchema } from '@apollo/subgraph'
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper/index.js'
import {
  type DefinitionNode,
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type InterfaceTypeDefinitionNode,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isScalarType,
  type ObjectTypeDefinitionNode,
  parse,
} from 'graphql'
import { createRandom, hash, type Random } from '#test/support/random.ts'

/** Request to a subgraph. */
export interface Question {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Answers as JSON text, so that nobody shares an object with another. */
export type Answerer = (subgraph: string, question: Question) => Promise<string>

export interface MockOptions {
  readonly seed: number
  /** How often what may be null is null. */
  readonly nulls?: number
  /** How often a field fails, or is null although it may not. */
  readonly failures?: number
}

export interface SubgraphDocument {
  readonly name: string
  readonly typeDefs: DocumentNode
}

interface Mock extends Required<MockOptions> {
  /** Of the fetch. */
  readonly salt: string
}

const WORDS = ['alpha', 'beta', 'gamma', '', 'with "quotes"', 'Ünïcode']

const SCALARS: Record<string, (random: Random) => unknown> = {
  // Few of them, so that entities are met again.
  ID: random => `id${random.below(4)}`,
  Int: random => random.below(1_000) - 10,
  Float: random => random.below(10_000) / 100,
  String: random => random.pick(WORDS),
  Boolean: random => random.chance(0.5),
}

/** Of other scalars nothing is known: they may be anything that JSON can say. */
const anything = (random: Random): unknown =>
  random.chance(0.1)
    ? { value: random.below(9), list: [1, null] }
    : random.pick(['2026-11-20T06:15:00Z', 12.5])

const failing = (random: Random): never => {
  const code = random.pick([undefined, 'NOT_FOUND', 'SERVICE_UNAVAILABLE', 'INVALID_GRAPHQL'])
  throw new GraphQLError(random.pick(['not found', 'down']), { extensions: code ? { code } : {} })
}

const makeValue = (type: GraphQLOutputType, random: Random, mock: Mock, schema: GraphQLSchema): unknown => {
  if (isNonNullType(type)) {
    if (random.chance(mock.failures)) return null
    return makeValue(type.ofType, random, { ...mock, nulls: 0 }, schema)
  }
  if (random.chance(mock.nulls)) return null
  if (isListType(type))
    return Array.from({ length: random.below(4) }, () => makeValue(type.ofType, random, mock, schema))
  if (isScalarType(type)) return (SCALARS[type.name] ?? anything)(random)
  if (isEnumType(type)) return random.pick(type.getValues()).value
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
  return { __typename: random.pick(possible).name }
}

const pathOf = (path: GraphQLResolveInfo['path'] | undefined): string =>
  path ? `${pathOf(path.prev)}/${path.key}` : ''

type Source = Readonly<Record<string, unknown>> | undefined

/** Keeps the fields of a representation; the rest follows from the place in the fetch. */
const resolve: GraphQLFieldResolver<Source, Mock> = (
  source,
  _,
  mock,
  { fieldName, path, returnType, schema },
) => {
  const given = source?.[fieldName]
  if (given !== undefined) return given
  const random = createRandom(`${mock.salt}${pathOf(path)}`)
  if (random.chance(mock.failures)) failing(random)
  return makeValue(returnType, random, mock, schema)
}

type Reference = Readonly<Record<string, unknown>>

const isKeyed = (node: DefinitionNode): node is ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode =>
  /^(Object|Interface)Type/.test(node.kind) &&
  'directives' in node &&
  node.directives!.some(({ name }) => name.value === 'key')

/** Entities that a subgraph does not know are null; of an interface, it says which they are. */
const resolveReference = (reference: Reference, { salt, nulls }: Mock, { schema }: GraphQLResolveInfo) => {
  const random = createRandom(`${salt}${JSON.stringify(reference)}`)
  if (random.chance(nulls / 3)) return null
  const type = schema.getType(String(reference['__typename']))
  if (!isInterfaceType(type)) return { ...reference }
  return { ...reference, __typename: random.pick(schema.getPossibleTypes(type)).name }
}

const toSchema = (typeDefs: DocumentNode): GraphQLSchema => {
  const keyed = typeDefs.definitions.filter(isKeyed)
  const resolvers = Object.fromEntries(
    keyed.map(({ name }) => [name.value, { __resolveReference: resolveReference }]),
  )
  return buildSubgraphSchema({ typeDefs, resolvers: resolvers as GraphQLResolverMap<unknown> })
}

/** Makes the answers of these subgraphs. */
export function mockSubgraphs(documents: readonly SubgraphDocument[], options: MockOptions): Answerer {
  const schemas = new Map(documents.map(({ name, typeDefs }) => [name, toSchema(typeDefs)]))
  return async (subgraph, { query, variables }) => {
    const salt = `${options.seed}:${subgraph}:${hash(query)}:${JSON.stringify(variables)}`
    const contextValue: Mock = { nulls: 0.1, failures: 0, ...options, salt }
    const schema = schemas.get(subgraph)!
    const variableValues = JSON.parse(JSON.stringify(variables)) as Record<string, unknown>
    const document = parse(query)
    const result = await execute({ schema, document, variableValues, contextValue, fieldResolver: resolve })
    return JSON.stringify(result)
  }
}
