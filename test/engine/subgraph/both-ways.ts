/** Executes an operation by graphql-js and compiled, and tells of each all that anyone could see of it. */
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql'
import { createCompiledDocuments } from '#engine/subgraph/operation.ts'

/** The compiled way; undefined where it leaves the operation to graphql-js. */
export const executeCompiled = (args: ExecutionArgs) => {
  const documents = createCompiledDocuments(args.schema)
  documents.add(args.document)
  const run = documents.find(args.document, args.operationName ?? undefined)
  return run?.({
    variableValues: args.variableValues,
    contextValue: args.contextValue,
    rootValue: args.rootValue,
  })
}

/** The names that it has from its prototypes. */
const inheritedBy = (value: object): number => {
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null ? 0 : Reflect.ownKeys(prototype).length + inheritedBy(prototype)
}

/** A value as text that tells the order of names, and what JSON does not tell. */
export const describeValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(describeValue)
  if (typeof value !== 'object' || value === null) return typeof value === 'symbol' ? String(value) : value
  const inherits = inheritedBy(value)
  return { inherits, entries: Object.entries(value).map(([name, one]) => [name, describeValue(one)]) }
}

const PARTS = ['message', 'path', 'locations', 'extensions'] as const

/** Errors that resolvers gave, each with where. */
export type Given = ReadonlyMap<unknown, string>

/** An error that was made on the way. */
const describeMade = (error: Error & { thrownValue?: unknown }, given: Given) => ({
  name: error.constructor.name,
  text: error.message,
  thrown: given.get(error.thrownValue),
})

/** An error and its original; those of resolvers are described by their place, since they must be the very same. */
const describeError = (error: GraphQLError, given: Given) => {
  const { originalError: original } = error
  return {
    ...Object.fromEntries(PARTS.map(part => [part, describeValue(error[part])])),
    isGraphQL: error instanceof GraphQLError,
    given: given.get(error),
    original: original && (given.get(original) ?? describeMade(original, given)),
    nodes: error.nodes?.map(({ kind, loc }) => `${kind} ${loc?.start}`),
  }
}

/** All that is seen of a result. */
export const describeResult = (result: ExecutionResult, given: Given) => ({
  names: Object.keys(result),
  data: describeValue(result.data),
  errors: result.errors?.map(error => describeError(error, given)),
})
