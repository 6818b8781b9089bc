/** What an operation may cost: the fields it can come to resolve, pages counted by the size that they are asked for. */
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isListType,
} from 'graphql'
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity'
import { redactVariables } from '#core/graph/redact.ts'
import { invalid } from '../errors/catalogue.ts'
import { DEFAULT_SIZE } from '../paging/keyset.ts'
import { redactMessage } from './redact.ts'

/** What a client's operation may cost. A page of 200 transactions with all their fields and a short list on each costs half of it. */
export const MAX_COST = 50_000
/** A list that is no connection: the lines of an account, the items of an amount. */
const LIST_SIZE = 10
/** Lists that cannot be as long: a transaction is delivered when it ends, and when it is reversed. */
const SHORT_LISTS: Readonly<Record<string, number>> = { WebhookDelivery: 2 }
/** More than an operation of `MAX_COST` fields can make a gateway ask for at once. */
const MAX_ENTITIES = 20_000
/** As many sizes of one operation are remembered as a page can have. */
const MAX_MEMO = 200
/** So many wrong variables are told of one by one: each quotes what it is about before that is left out. */
const MAX_FAULTS = 10

/** An operation whose cost is asked for. */
export interface CostlyOperation {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
  /** What the variables were coerced to, where that was done before. */
  readonly coerced?: Readonly<Record<string, unknown>>
}

/** Tells the fields that an operation can come to; 0 where the execution will refuse it in its own words. */
export type CostOf = (operation: CostlyOperation) => number

type Estimate = Parameters<ComplexityEstimator>[0]

/** A connection has the size of its page; entities are as many as are asked for; other lists are guessed. */
const sizeOf = ({ type, field, args }: Estimate): number => {
  if (getNamedType(field.type).name.endsWith('Connection'))
    return args['first'] ?? args['last'] ?? DEFAULT_SIZE
  if (field.name === '_entities') return entitiesIn(args['representations'])
  // The rows of a page are counted by the page.
  const inPage = type.name.endsWith('Connection')
  if (inPage || !isListType(getNullableType(field.type))) return 1
  return SHORT_LISTS[getNamedType(field.type).name] ?? LIST_SIZE
}

/** More than these are beyond counting, as are fragments that unfold without end. */
const entitiesIn = ({ length }: readonly unknown[]) => {
  if (length > MAX_ENTITIES) throw new RangeError(`More than ${MAX_ENTITIES} entities`)
  return length
}

const estimate: ComplexityEstimator = field => {
  if (getNamedType(field.field.type).name.startsWith('__') || field.type.name.startsWith('__')) return 1
  return 1 + field.childComplexity * Math.max(sizeOf(field), 1)
}

type Coerced = Readonly<Record<string, unknown>>

const refuseFaults = (errors: readonly GraphQLError[]) => {
  if (errors.length > MAX_FAULTS)
    throw invalid(
      `More than ${MAX_FAULTS} faults in the variables, the first: ${redactMessage(errors[0]!.message)}`,
      { reason: 'INVALID_OPERATION' },
    )
}

/** What an operation is executed with; undefined for one that is not told, or whose variables do not fit. */
const coerce = ({ schema, document, operationName, variables }: CostlyOperation): Coerced | undefined => {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions
  if (!definitions) return undefined
  const { coerced, errors } = getVariableValues(schema, definitions, redactVariables(variables ?? {}), {
    maxErrors: MAX_FAULTS,
  })
  if (errors) refuseFaults(errors)
  return coerced
}

/** The counting gives up on very many entities, and on fragments that unfold to too many fields: they cost more than anything. */
const count = ({ schema, document, operationName, variables }: CostlyOperation): number => {
  try {
    return getComplexity({
      schema,
      query: document,
      operationName: operationName ?? undefined,
      variables: variables ?? undefined,
      estimators: [estimate],
    })
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Counted each time. @throws ServiceError INVALID_ARGUMENT for variables with very many faults. */
export const countCost: CostOf = operation => (coerce(operation) ? count(operation) : 0)

/** What of a value a cost can depend on: whether it is there, a condition, a size, the length of a list. */
const measureOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [value.length]
  return value === null || typeof value === 'boolean' || typeof value === 'number' ? value : typeof value
}

/** Equal for operations of one document that cost the same: by what they are executed with, defaults included. */
const keyOf = (operationName: string | null | undefined, coerced: Coerced): string =>
  JSON.stringify([operationName, Object.entries(coerced).map(([name, value]) => [name, measureOf(value)])])

/** Remembers what a document costs, which the server keeps parsed: most clients send the same few. */
export const createCostOf = (): CostOf => {
  const costs = new WeakMap<DocumentNode, Map<string, number>>()
  return operation => {
    const coerced = operation.coerced ?? coerce(operation)
    if (!coerced) return 0
    const known = costs.get(operation.document) ?? new Map<string, number>()
    costs.set(operation.document, known)
    const key = keyOf(operation.operationName, coerced)
    const cost = known.get(key) ?? count(operation)
    if (known.size < MAX_MEMO) known.set(key, cost)
    return cost
  }
}

/**
 * Makes the function that refuses operations which could come to more than `max` fields, before anything is fetched,
 * and tells what the others can come to. Too costly: ServiceError INVALID_ARGUMENT.
 */
export function createCostLimit(max: number): CostOf {
  const costOf = createCostOf()
  return operation => {
    const cost = costOf(operation)
    if (cost > max)
      throw invalid(`The operation can come to more than ${max} fields: ask for smaller pages`, {
        reason: 'INVALID_OPERATION',
      })
    return cost
  }
}
