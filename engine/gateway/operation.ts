/** A compiled operation: its plan and the shape of its answer, made once and executed any number of times. */
import type { Operation } from '@apollo/federation-internals'
import type { buildOperationContext } from '@apollo/gateway'
import { evaluateCondition, type FetchNode, type PlanNode } from '@apollo/query-planner'
import { type FormattedExecutionResult, GraphQLError } from 'graphql'
import { createDataClass } from '#engine/subgraph/data.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { computeResponse, type GatewayParts } from '#gateway/third-party/apollo-internals.ts'
import { conditionsOf } from './conditions.ts'
import type { PlanRun, Send } from './fetch.ts'
import { compilePlan } from './plan.ts'
import { compileShape, IRREGULAR } from './shape.ts'

type Variables = Readonly<Record<string, unknown>>
type Data = Record<string, unknown> | null | undefined

/** What `executeQueryPlan` would return: errors as they are before Apollo Server words them. */
export interface PlanResult {
  readonly data?: Data
  readonly errors?: readonly unknown[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

export interface OperationRequest {
  /** As the client gave them; they must fit the operation's definitions. */
  readonly variables: Variables | undefined
  readonly context: GatewayContext
  /** Of a subscription, what its primary fetch brought. */
  readonly event?: FormattedExecutionResult
}

export interface CompileParts {
  readonly node: PlanNode | undefined
  readonly operation: Operation
  readonly operationContext: ReturnType<typeof buildOperationContext>
  readonly supergraphSchema: GatewayParts['supergraphSchema']
  sendOf(node: FetchNode): Send
}

export type CompiledOperation = (request: OperationRequest) => Promise<PlanResult>

/** The data in Apollo's own way, with what it finds wrong with them. */
const shapeByApollo = (operation: Operation, variables: Variables | undefined, run: PlanRun): PlanResult => {
  const { errors } = run
  try {
    const { data, errors: found } = computeResponse({
      operation,
      variables: variables as Record<string, unknown> | undefined,
      input: run.data,
      introspectionHandling: () => undefined,
    })
    if (errors.length === 0 && found.length > 0) return { extensions: { valueCompletion: found }, data }
    return errors.length === 0 ? { data } : { errors, data }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] }
  }
}

/** The shapes of the answer, one for each combination of its conditions. */
const createShaper = (operation: Operation, conditions: readonly string[]) => {
  const shapes = new Map<string, ReturnType<typeof compileShape>>()
  const defaults = operation.collectDefaultedVariableValues()
  return (variables: Variables | undefined) => {
    const chosen = (name: string): boolean => {
      const value = variables && name in variables ? variables[name] : defaults[name]
      if (typeof value !== 'boolean') throw IRREGULAR
      return value
    }
    const key = conditions.map(name => (chosen(name) ? '1' : '0')).join('')
    const shape = shapes.get(key) ?? compileShape(operation, chosen)
    shapes.set(key, shape)
    return shape
  }
}

/**
 * Compiles an operation that was planned.
 * @throws NotCompiled when it is one that only Apollo Gateway executes.
 */
export function compileOperation(parts: CompileParts): CompiledOperation {
  const { node, operation, operationContext, supergraphSchema, sendOf } = parts
  const shapeFor = createShaper(operation, conditionsOf(operationContext))
  const conditionOf = (condition: string, { variables }: PlanRun) =>
    evaluateCondition(
      { kind: 'Condition', condition },
      operation.variableDefinitions,
      variables as Record<string, unknown> | undefined,
    )
  const step = node && compilePlan(node, { supergraphSchema, sendOf, conditionOf })
  const request = { operation: operationContext.operation }
  const createData = createDataClass()
  return async given => {
    const run: PlanRun = { ...given, request: { ...request }, data: createData(), errors: [] }
    const { variables } = given
    await step?.(run, run.data)
    try {
      const data = shapeFor(variables)(run.data) as Data
      return run.errors.length === 0 ? { data } : { errors: run.errors, data }
    } catch {
      return shapeByApollo(operation, variables, run)
    }
  }
}
