/** What is looked at before a subgraph executes an operation that came by its own port: what it is, what it may cost. */

import { type DocumentNode, type GraphQLError, getOperationAST, type OperationTypeNode } from 'graphql'
import type { Principal } from '../access/principal.ts'
import type { App } from '../context/app.ts'
import { invalidField, ServiceError, toGraphQL } from '../errors/catalogue.ts'
import type { GraphRequest } from '../streams/operation.ts'
import { createCostLimit, MAX_COST } from './cost.ts'
import { type Executor, isRefusal } from './executor.ts'
import { checkOperationText, MAX_OPERATION_TEXT } from './operation-text.ts'
import { checkRepresentations } from './representations.ts'
import type { Subgraph } from './subgraph.ts'

/** The gateway counts before it plans; its fetches together must fit where the operation did. */
const FETCH_SHARE = 4
const MAX_FETCH_COST = FETCH_SHARE * MAX_COST
/** A gateway's fetch can be longer than the text that its client sent. */
export const MAX_TOKENS = 10_000

/** An operation that may be executed. */
export interface Admitted {
  readonly type: OperationTypeNode
  readonly document: DocumentNode
  readonly operationName?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Why an operation is not executed, error by error. */
export class NotAdmitted extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]!.message)
    this.name = 'NotAdmitted'
    this.errors = errors
  }
}

/**
 * Tells whether an operation may be executed, and counts it as its client's.
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

/** Not for what the client has used up, but for what stands in the operation. */
const isRefused = (error: unknown): boolean =>
  error instanceof NotAdmitted || (error instanceof ServiceError && error.status === 400)

/** Makes the function that admits operations to a subgraph. */
export function createAdmit({ usage }: Pick<App, 'usage'>, { schema }: Subgraph, executor: Executor): Admit {
  checkRepresentations(schema)
  const checkCost = createCostLimit(MAX_FETCH_COST)
  const admit = (request: GraphRequest, principal: Principal): Admitted => {
    const document = prepare(executor, request)
    const operationName = request.operationName ?? undefined
    const variables = request.variables ?? undefined
    const type = typeOf(document, operationName)
    const cost = checkCost({ schema, document, operationName, variables })
    // Its variables do not fit, which whoever executes it says.
    if (cost === 0) usage.spendRefused(principal, request.query as string)
    // What a gateway makes of one operation may cost more than the operation, in the client's quota as in the limit.
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
