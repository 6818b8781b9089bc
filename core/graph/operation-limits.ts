/**
 * Limits of operations before they are executed: the length of a text, the memory of kept documents, and the cost. The cost is the
 * number of fields that an operation can come to resolve, each with its weight, pages counted by their requested size: as the
 * schema declares (`cost-directives.ts`), or else by the defaults here.
 */
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
import { LRUCache } from 'lru-cache'
import { invalid, invalidField } from '../errors/catalogue.ts'
import { DEFAULT_SIZE } from '../paging/keyset.ts'
import type { DeclaredCost, DeclaredCosts, DeclaredSize } from './cost-directives.ts'
import { redactMessage, redactVariables } from './redact.ts'

/** Number of kept operations: far more than a portal has; an attacker's operations only evict each other. */
export const MAX_OPERATIONS = 2_000
/** Size of all kept documents, in bytes. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
/** Size of a node of a parsed document, with its place in the text. */
const NODE_BYTES = 400

/** Counts the objects in a document that have a kind. */
const countNodes = (value: object): number => {
  let nodes = 'kind' in value ? 1 : 0
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'object' && one !== null && name !== 'loc') nodes += countNodes(one)
  }
  return nodes
}

/** Approximate size of a text and its parsed document, in bytes. */
export const sizeOfDocument = (document: DocumentNode, text: string): number =>
  2 * text.length + NODE_BYTES * countNodes(document)

/**
 * Makes a cache of documents by their texts; the least recently used one is evicted first.
 * @param bytesBeside gives the size of further data that is kept as long as a document, in bytes.
 */
export const createDocumentCache = (bytesBeside: (document: DocumentNode) => number = () => 0) =>
  new LRUCache<string, DocumentNode>({
    max: MAX_OPERATIONS,
    maxSize: MAX_DOCUMENT_BYTES,
    sizeCalculation: (document, text) => sizeOfDocument(document, text) + bytesBeside(document),
  })

/** Characters of an operation, spaces and comments included, since they take memory: tens of times the longest of a portal. */
export const MAX_OPERATION_TEXT = 100_000

/** Lines of an operation. The place of an error is found by counting lines, for each error anew. */
const MAX_LINES = 10_000

const LINE_END = /\r\n|[\n\r]/g

const hasTooManyLines = (text: string): boolean => {
  if (text.length <= MAX_LINES) return false
  let lines = 1
  for (const _ of text.matchAll(LINE_END)) {
    lines += 1
    if (lines > MAX_LINES) return true
  }
  return false
}

/** @throws ServiceError INVALID_ARGUMENT for a text that is too long, or has too many lines. */
export function checkOperationText(query: unknown, max = MAX_OPERATION_TEXT): void {
  if (typeof query === 'string' && query.length > max)
    throw invalidField('query', 'TOO_LONG', `must not be longer than ${max} characters`)
  if (typeof query === 'string' && hasTooManyLines(query))
    throw invalidField('query', 'TOO_LONG', `must not have more than ${MAX_LINES} lines`)
}

/** Assumed size of a list of which the schema says nothing: the lines of an account, the items of an amount. */
const LIST_SIZE = 10
/** Weight of a field of which the schema says nothing. */
const WEIGHT = 1
/** Entities of one fetch: more than an operation of 50,000 fields can lead to. Of another limit the same part. */
const MAX_ENTITIES = 20_000
const ENTITIES_SHARE = 0.1
/** Remembered costs of one operation: the number of sizes that a page can have. */
const MAX_MEMO = 200
/** Faults of variables that are reported one by one: each message quotes a value before it is redacted. */
const MAX_FAULTS = 10

/** Operation whose cost is counted. */
export interface CostlyOperation {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
  /** Coerced variables, if they are known already. */
  readonly coerced?: Readonly<Record<string, unknown>>
}

/** Counts the fields that an operation can come to; 0 where the execution will refuse it. */
export type CostOf = (operation: CostlyOperation) => number

type Estimate = Parameters<ComplexityEstimator>[0]

/** Size that a field declares: the greatest that its arguments ask for, or else the assumed one. */
const declaredSize = ({ slicingArguments, assumedSize }: DeclaredSize, args: Estimate['args']): number => {
  const given = slicingArguments.map(name => args[name]).filter(size => typeof size === 'number')
  return given.length > 0 ? Math.max(...given) : (assumedSize ?? LIST_SIZE)
}

/** Number of objects of a field of which the schema says nothing: the size of a page, or the assumed size of a list. */
const defaultSize = ({ type, field, args }: Estimate): number => {
  if (getNamedType(field.type).name.endsWith('Connection'))
    return args['first'] ?? args['last'] ?? DEFAULT_SIZE
  // The connection counts the rows of its page.
  const inPage = type.name.endsWith('Connection')
  return inPage || !isListType(getNullableType(field.type)) ? 1 : LIST_SIZE
}

/** @throws RangeError for more entities than are counted; the cost is infinite then. */
const entitiesIn = ({ length }: readonly unknown[], most: number) => {
  if (length > most) throw new RangeError(`More than ${most} entities`)
  return length
}

/** Weights of the arguments that a field is given. */
const argumentWeight = ({ argumentWeights }: DeclaredCost, args: Estimate['args']): number => {
  let weight = 0
  for (const [name, one] of argumentWeights) if (args[name] !== undefined) weight += one
  return weight
}

const createEstimate = (costs: DeclaredCosts, mostEntities: number): ComplexityEstimator => {
  const sizeOf = (field: Estimate, declared: DeclaredCost | undefined): number => {
    if (field.field.name === '_entities') return entitiesIn(field.args['representations'], mostEntities)
    return declared?.size ? declaredSize(declared.size, field.args) : defaultSize(field)
  }
  return field => {
    const { type, field: definition, args, childComplexity } = field
    if (getNamedType(definition.type).name.startsWith('__') || type.name.startsWith('__')) return WEIGHT
    const declared = costs(type.name, definition.name)
    const own = (declared?.weight ?? WEIGHT) + (declared ? argumentWeight(declared, args) : 0)
    return own + childComplexity * Math.max(sizeOf(field, declared), 1)
  }
}

type Coerced = Readonly<Record<string, unknown>>

const refuseFaults = (errors: readonly GraphQLError[]) => {
  if (errors.length > MAX_FAULTS)
    throw invalid(
      `More than ${MAX_FAULTS} faults in the variables, the first: ${redactMessage(errors[0]!.message)}`,
      { reason: 'INVALID_OPERATION' },
    )
}

/** Coerces the variables of an operation; undefined where no operation is meant, or the variables do not fit. */
const coerce = ({ schema, document, operationName, variables }: CostlyOperation): Coerced | undefined => {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions
  if (!definitions) return undefined
  const { coerced, errors } = getVariableValues(schema, definitions, redactVariables(variables ?? {}), {
    maxErrors: MAX_FAULTS,
  })
  if (errors) refuseFaults(errors)
  return coerced
}

/** Counts; very many entities, and fragments that unfold to too many fields, cost infinitely much. */
const count = (
  estimate: ComplexityEstimator,
  { schema, document, operationName, variables }: CostlyOperation,
): number => {
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

/** Nothing declared. */
const UNDECLARED: DeclaredCosts = () => undefined

interface CostRules {
  /** Costs that the schema declares; none unless given. */
  readonly costs?: DeclaredCosts
  /** The most that an operation may cost, by which entities are bounded. */
  readonly max?: number
}

const estimateOf = ({ costs = UNDECLARED, max }: CostRules): ComplexityEstimator =>
  createEstimate(costs, max === undefined ? MAX_ENTITIES : Math.ceil(max * ENTITIES_SHARE))

/** Properties of a value on which a cost can depend: its presence, a condition, a size, the length of a list. */
const measureOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [value.length]
  return value === null || typeof value === 'boolean' || typeof value === 'number' ? value : typeof value
}

/** Key that is equal for operations of one document with the same cost: by their coerced variables, defaults included. */
const keyOf = (operationName: string | null | undefined, coerced: Coerced): string =>
  JSON.stringify([operationName, Object.entries(coerced).map(([name, value]) => [name, measureOf(value)])])

/** Makes a function that remembers costs by document: the server keeps documents, and most clients send the same few. */
export const createCostOf = (rules: CostRules = {}): CostOf => {
  const estimate = estimateOf(rules)
  const costs = new WeakMap<DocumentNode, Map<string, number>>()
  return operation => {
    const coerced = operation.coerced ?? coerce(operation)
    if (!coerced) return 0
    const known = costs.get(operation.document) ?? new Map<string, number>()
    costs.set(operation.document, known)
    const key = keyOf(operation.operationName, coerced)
    const cost = known.get(key) ?? count(estimate, operation)
    if (known.size < MAX_MEMO) known.set(key, cost)
    return cost
  }
}

/**
 * Makes the function that counts the cost of operations before anything is fetched. It throws ServiceError
 * INVALID_ARGUMENT for one that could come to more than `max` fields.
 */
export function createCostLimit(max: number, costs?: DeclaredCosts): CostOf {
  const costOf = createCostOf({ max, ...(costs && { costs }) })
  return operation => {
    const cost = costOf(operation)
    if (cost > max)
      throw invalid(`The operation can come to more than ${max} fields: ask for smaller pages`, {
        reason: 'INVALID_OPERATION',
      })
    return cost
  }
}
