/**
 * One graph of made-up objects, as graphql-js resolves it of one schema, and cut into subgraphs: a field's value follows
 * from its object, its name and its arguments, and an object is known by its keys, so both have to come to the same.
 */
import { buildSubgraphSchema } from '@apollo/subgraph'
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper/index.js'
import {
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  parse,
} from 'graphql'
import { hash } from '#test/support/random.ts'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import type { Answerer, SubgraphDocument } from './mock-subgraphs.ts'

/** An object of the graph. */
interface Thing {
  readonly __typename: string
  readonly self: number
}

interface Resolving {
  /** Of the whole graph, by which an object of an abstract type is chosen. */
  readonly possibleTypes: (name: string) => readonly string[]
  /** The fields of `Mutation`, in the sequence in which they were executed. */
  readonly executed: string[]
  /** Whether a field of an object fails; none does unless given. */
  readonly fails?: Fails | undefined
}

/** Whether a field of an object fails, wherever it is asked for. */
export type Fails = (field: string, self: number) => boolean

/** Of texts, ids and scalars of the project's own, so that every key names its object. */
const textOf = (self: number, field: string) => `${self}.${field}`
const selfOf = (key: unknown) => Number(String(key).split('.', 1)[0])

const LEAVES: Record<string, (value: number) => unknown> = {
  Int: value => value % 1_000,
  Float: value => (value % 1_000) / 4,
  Boolean: value => value % 2 === 0,
}

interface Place extends Resolving {
  readonly self: number
  readonly field: string
}

const makeValue = (type: GraphQLOutputType, value: number, place: Place): unknown => {
  if (isNonNullType(type)) return makeValue(type.ofType, (value | 1) >>> 0, place)
  if (value % 10 === 0) return null
  if (isListType(type))
    return Array.from({ length: value % 4 }, (_, index) =>
      makeValue(type.ofType, hash(`${value}[${index}`), place),
    )
  if (isScalarType(type)) return LEAVES[type.name]?.(value) ?? textOf(place.self, place.field)
  if (isEnumType(type)) {
    const names = type
      .getValues()
      .map(({ name }) => name)
      .toSorted()
    return names[value % names.length]
  }
  const possible = isAbstractType(type) ? place.possibleTypes(type.name) : [type.name]
  return { __typename: possible[value % possible.length]!, self: value }
}

const sorted = (args: object) =>
  JSON.stringify(args, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

const resolve: GraphQLFieldResolver<Thing | undefined, Resolving> = (source, args, resolving, info) => {
  const { fieldName: field, parentType, returnType } = info
  const what = `${field}(${sorted(args)})`
  if (parentType.name === 'Mutation') resolving.executed.push(what)
  const self = source?.self ?? 0
  if (resolving.fails?.(field, self)) throw new GraphQLError(`${field} of ${self} fails`)
  return makeValue(returnType, hash(`${self} ${what}`), { ...resolving, self, field })
}

/** Outcome of an operation. */
export interface Answered {
  readonly data: string
  readonly executed: readonly string[]
}

export interface OneGraph {
  /** An operation as graphql-js executes it of the whole graph; undefined where its variables do not fit. */
  execute(operation: OperationRequest): Promise<Answered | undefined>
  /** Subgraphs of it; what they execute of `Mutation` is added to the list. */
  answerer(executed: string[], fails?: Fails): Answerer
}

const toSchema = ({ typeDefs }: SubgraphDocument): GraphQLSchema => {
  const byReference = (reference: Record<string, unknown>) => {
    const { __typename, ...keys } = reference
    return { __typename, self: selfOf(Object.values(keys)[0]) }
  }
  const keyed = typeDefs.definitions
    .filter(node => node.kind === Kind.OBJECT_TYPE_DEFINITION)
    .filter(({ directives = [] }) => directives.some(({ name }) => name.value === 'key'))
    .map(({ name }) => [name.value, { __resolveReference: byReference }])
  return buildSubgraphSchema({
    typeDefs,
    resolvers: Object.fromEntries(keyed) as GraphQLResolverMap<unknown>,
  })
}

/** Makes the graph of a schema and its subgraphs. */
export function createOneGraph(schema: GraphQLSchema, documents: readonly SubgraphDocument[]): OneGraph {
  const schemas = new Map(documents.map(one => [one.name, toSchema(one)]))
  const possibleTypes = (name: string) =>
    schema
      .getPossibleTypes(schema.getType(name) as Parameters<GraphQLSchema['getPossibleTypes']>[0])
      .map(type => type.name)
      .toSorted()
  return {
    async execute({ document, variables: variableValues, operationName }) {
      const executed: string[] = []
      const contextValue: Resolving = { possibleTypes, executed }
      const { data, errors } = await execute({
        schema,
        document,
        variableValues,
        operationName,
        contextValue,
        fieldResolver: resolve,
      })
      if (data === undefined) return undefined
      if (errors) throw errors[0]
      return { data: JSON.stringify(data), executed }
    },
    answerer:
      (executed, fails) =>
      async (subgraph, { query, variables }) => {
        const contextValue: Resolving = { possibleTypes, executed, fails }
        const variableValues = { ...variables }
        const document = parse(query)
        const subschema = schemas.get(subgraph)!
        return JSON.stringify(
          await execute({
            schema: subschema,
            document,
            variableValues,
            contextValue,
            fieldResolver: resolve,
          }),
        )
      },
  }
}
