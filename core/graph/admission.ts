/** Admission of operations that come by a subgraph's own port: their text, kind, cost, and references of entities. */
import {
  type ConstDirectiveNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNullableType,
  getOperationAST,
  isLeafType,
  type OperationTypeNode,
  valueFromASTUntyped,
} from 'graphql'
import type { Principal } from '../access/principal.ts'
import type { App } from '../context/app.ts'
import { invalidField, ServiceError, toGraphQL } from '../errors/catalogue.ts'
import type { GraphRequest } from '../streams/result-stream.ts'
import { isObject } from '../values/json.ts'
import { readDeclaredCosts } from './cost-directives.ts'
import { type Executor, isRefusal } from './executor.ts'
import { checkOperationText, createCostLimit, MAX_OPERATION_TEXT } from './operation-limits.ts'
import type { Subgraph } from './subgraph.ts'

/** Factor over the limits of the gateway, which counts an operation before it is planned: its fetches must fit. */
const FETCH_SHARE = 4
/** Tokens of a fetch: it can be longer than the client's own text. */
export const MAX_TOKENS = 10_000

/** Operation that may be executed. */
export interface Admitted {
  readonly type: OperationTypeNode
  readonly document: DocumentNode
  readonly operationName?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Errors of an operation that is not executed. */
export class NotAdmitted extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]!.message)
    this.name = 'NotAdmitted'
    this.errors = errors
  }
}

/**
 * Admits an operation, and counts it in its client's quota.
 * @throws NotAdmitted with the reasons, ServiceError SERVICE_UNAVAILABLE for a client that has used up its quota.
 */
export type Admit = (request: GraphRequest, principal: Principal) => Promise<Admitted>

const prepare = (executor: Executor, { query }: GraphRequest): DocumentNode => {
  if (typeof query !== 'string')
    throw new NotAdmitted([toGraphQL(invalidField('query', 'WRONG_TYPE', 'must be a text'))])
  checkOperationText(query, FETCH_SHARE * MAX_OPERATION_TEXT)
  const prepared = executor.prepare(query)
  if (isRefusal(prepared)) throw new NotAdmitted(prepared)
  return prepared
}

const noOperation = () => invalidField('operationName', 'UNKNOWN_VALUE', 'must name one of the operations')

const typeOf = (document: DocumentNode, operationName?: string): OperationTypeNode => {
  const operation = getOperationAST(document, operationName)
  if (!operation) throw new NotAdmitted([toGraphQL(noOperation())])
  return operation.operation
}

/** Whether an operation was refused for its own faults, and not for its client's quota. */
const isRefused = (error: unknown): boolean =>
  error instanceof NotAdmitted || (error instanceof ServiceError && error.status === 400)

/** Makes the function that admits operations to a subgraph. */
export function createAdmit(
  { usage, config }: Pick<App, 'usage' | 'config'>,
  { schema }: Subgraph,
  executor: Executor,
): Admit {
  checkRepresentations(schema)
  const checkCost = createCostLimit(FETCH_SHARE * config.maxOperationCost, readDeclaredCosts(schema))
  const admit = (request: GraphRequest, principal: Principal): Admitted => {
    const document = prepare(executor, request)
    const operationName = request.operationName ?? undefined
    const variables = request.variables ?? undefined
    const type = typeOf(document, operationName)
    const cost = checkCost({ schema, document, operationName, variables })
    // Its variables do not fit; the executor reports how.
    if (cost === 0) usage.spendRefused(principal, request.query as string)
    // The fetches of one operation may cost more than the operation, in the client's quota as in the limit.
    usage.spendCost(principal, cost / FETCH_SHARE)
    return { type, document, operationName, variables }
  }
  return async (request, principal) => {
    const { query } = request
    usage.checkCost(principal)
    if (!executor.knows(query)) await usage.turn(principal)
    try {
      return admit(request, principal)
    } catch (error) {
      if (isRefused(error)) usage.spendRefused(principal, typeof query === 'string' ? query : '')
      throw error
    }
  }
}

type Representation = Readonly<Record<string, unknown>>

/** Key of an entity: its fields, with their types where these are no objects. */
type Key = readonly (readonly [field: string, type: GraphQLLeafType | undefined])[]

/** Outermost fields of a `@key`: `id owner { id }` has two. */
const fieldsOf = (key: string): string[] => {
  const fields: string[] = []
  let depth = 0
  for (const sign of key.match(/[{}]|\w+/g) ?? []) {
    if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    else if (depth === 0) fields.push(sign)
  }
  return fields
}

const toKey = (entity: GraphQLObjectType, fields: readonly string[]): Key =>
  fields.map(name => {
    const type = getNullableType(entity.getFields()[name]?.type)
    return [name, isLeafType(type) ? type : undefined]
  })

const argumentOf = ({ arguments: given }: ConstDirectiveNode, argument: string) =>
  given?.find(({ name }) => name.value === argument)?.value

/** Whether the subgraph finds entities by a key (Federation 2, `@key(resolvable: false)`). */
const isResolvable = (key: ConstDirectiveNode): boolean => {
  const resolvable = argumentOf(key, 'resolvable')
  return resolvable?.kind !== 'BooleanValue' || resolvable.value
}

/** Keys by which an entity can be found, from its own definition and its extensions. */
const keysOf = (entity: GraphQLObjectType): Key[] =>
  [entity.astNode, ...entity.extensionASTNodes]
    .flatMap(node => node?.directives ?? [])
    .filter(directive => directive.name.value === 'key' && isResolvable(directive))
    .flatMap(directive => argumentOf(directive, 'fields') ?? [])
    .flatMap(value => (value.kind === 'StringValue' ? [toKey(entity, fieldsOf(value.value))] : []))

const isOf = (type: GraphQLLeafType, value: unknown): boolean => {
  try {
    return type.parseValue(value) !== undefined
  } catch {
    return false
  }
}

const hasKey = (representation: Representation, key: Key): boolean =>
  key.every(([name, type]) => {
    const value = Object.hasOwn(representation, name) ? representation[name] : undefined
    return value != null && (!type || isOf(type, value))
  })

const describeKeys = (keys: readonly Key[]) =>
  keys.map(key => key.map(([name]) => name).join(' and ')).join(', or ')

/**
 * Makes a schema refuse representations that identify no entity of the subgraph, as faults of the client: they would fail
 * in a resolver otherwise, and count as bugs.
 */
function checkRepresentations(schema: GraphQLSchema): void {
  const any = schema.getType('_Any') as GraphQLScalarType | undefined
  const union = schema.getType('_Entity') as GraphQLUnionType | undefined
  if (!any || !union) return
  const keysByName = new Map(union.getTypes().map(entity => [entity.name, keysOf(entity)]))
  const check = (value: unknown) => {
    const name = isObject(value) ? value['__typename'] : undefined
    const keys = typeof name === 'string' ? keysByName.get(name) : undefined
    if (!keys?.length) throw new GraphQLError('__typename must name an entity of this subgraph')
    if (keys.some(key => hasKey(value as Representation, key))) return value
    throw new GraphQLError(`A ${name} must be named by its key, of the right type: ${describeKeys(keys)}`)
  }
  any.parseValue = check
  any.parseLiteral = (node, variables) => check(valueFromASTUntyped(node, variables))
}
