/** What an operation may cost: the fields it can come to resolve, pages counted by the size that they are asked for. */
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isListType,
} from 'graphql'
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity'
import { invalid } from '../errors.ts'
import { DEFAULT_SIZE } from '../transactions/slice.ts'

/** What a client's operation may cost. A page of 200 transactions with all their fields and a short list on each costs half of it. */
export const MAX_COST = 50_000
/** A list that is no connection: the lines of an account, the items of an amount. */
const LIST_SIZE = 10
/** As many sizes of one operation are remembered as a page can have. */
const MAX_MEMO = 200

/** An operation whose cost is asked for. */
export interface CostlyOperation {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
}

type Estimate = Parameters<ComplexityEstimator>[0]

/** A connection has the size of its page; entities are as many as are asked for; other lists are guessed. */
const sizeOf = ({ type, field, args }: Estimate): number => {
  if (getNamedType(field.type).name.endsWith('Connection'))
    return args['first'] ?? args['last'] ?? DEFAULT_SIZE
  if (field.name === '_entities') return args['representations'].length
  // The rows of a page are counted by the page.
  const inPage = type.name.endsWith('Connection')
  return isListType(getNullableType(field.type)) && !inPage ? LIST_SIZE : 1
}

const estimate: ComplexityEstimator = field => {
  if (getNamedType(field.field.type).name.startsWith('__') || field.type.name.startsWith('__')) return 1
  return 1 + field.childComplexity * Math.max(sizeOf(field), 1)
}

/** What the execution will refuse in its own words: an operation that is not told, variables that do not fit. */
const isImpossible = ({ schema, document, operationName, variables }: CostlyOperation): boolean => {
  const operation = getOperationAST(document, operationName)
  return (
    !operation ||
    Boolean(getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}).errors)
  )
}

/** The counting gives up on fragments that unfold to too many fields: they cost more than anything. */
const costOf = (operation: CostlyOperation): number => {
  if (isImpossible(operation)) return 0
  const { schema, document: query, operationName, variables } = operation
  try {
    return getComplexity({
      schema,
      query,
      operationName: operationName ?? undefined,
      variables: variables ?? undefined,
      estimators: [estimate],
    })
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Only sizes change an operation's cost: whole numbers and the lengths of lists among its variables. */
const sizesIn = ({ operationName, variables }: CostlyOperation): string =>
  JSON.stringify([
    operationName,
    Object.entries(variables ?? {})
      .map(([name, value]) => [name, Array.isArray(value) ? value.length : value])
      .filter(([, value]) => Number.isInteger(value)),
  ])

/** Remembers what a document costs, which the server keeps parsed: most clients send the same few. */
const createMemo = () => {
  const costs = new WeakMap<DocumentNode, Map<string, number>>()
  return (operation: CostlyOperation): number => {
    const { document } = operation
    const key = sizesIn(operation)
    const known = costs.get(document) ?? new Map<string, number>()
    costs.set(document, known)
    const cost = known.get(key) ?? costOf(operation)
    if (known.size < MAX_MEMO) known.set(key, cost)
    return cost
  }
}

/**
 * Makes the function that refuses operations which could come to more than `max` fields, before anything is fetched.
 * Too costly: ServiceError INVALID_ARGUMENT.
 */
export function createCostLimit(max: number): (operation: CostlyOperation) => void {
  const memo = createMemo()
  return operation => {
    if (memo(operation) > max)
      throw invalid(`The operation can come to more than ${max} fields: ask for smaller pages`)
  }
}
