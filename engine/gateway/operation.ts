/** Compiled operation: its plan and the shape of its response, made once and executed any number of times. */

import { assert, type Operation } from '@apollo/federation-internals'
import { evaluateCondition, type PlanNode, type ResponsePath } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { withoutStack } from '#core/errors/catalogue.ts'
import type { ExecutePlan, PlannedOperation, PlanResult, SendOf } from '#gateway/supergraph/engine.ts'
import { computeResponse, type GatewayInternals } from '#gateway/third-party/apollo-internals.ts'
import { NotCompiled } from '../subgraph/compile.ts'
import { createDataClass } from '../subgraph/result.ts'
import type { Chosen } from './collect.ts'
import { compileFetch } from './fetch.ts'
import { compileIrregularShape, type Shaped } from './irregular-shape.ts'
import { bringsNothing, shapingVariables } from './plan-checks.ts'
import type { PlanRun, PlanStep } from './plan-run.ts'
import { compileGather, Places } from './representations.ts'
import { compileShape, IRREGULAR } from './shape.ts'
import { analyse, NO_TWINS, type Twins } from './twins.ts'

export interface PlanOptions {
  readonly supergraphSchema: GatewayInternals['supergraphSchema']
  readonly sendOf: SendOf
  /** Gives the value of a condition's variable, of type `Boolean!`. */
  conditionOf(variable: string, run: PlanRun): boolean
  /** Findings of a plan that is executed as a whole. */
  readonly twins?: Twins
}

const compileSequence =
  (steps: readonly PlanStep[]): PlanStep =>
  async (run, data) => {
    for (const step of steps) await step(run, data)
  }

/** Begins a step. A synchronous failure becomes a rejection, so that the other steps are begun all the same. */
const begin = (step: PlanStep, run: PlanRun, data: unknown) => {
  try {
    return step(run, data)
  } catch (error) {
    return Promise.reject(error)
  }
}

const compileParallel =
  (steps: readonly PlanStep[]): PlanStep =>
  async (run, data) => {
    await Promise.all(steps.map(step => begin(step, run, data)))
  }

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined

/** Compiles the access to a path as Apollo Gateway has it; `@` stands for each item of a list. */
const compileAccess = ([head, ...rest]: ResponsePath): ((value: unknown) => unknown) => {
  if (head === undefined) return value => value
  const next = compileAccess(rest)
  if (head === '@')
    return value =>
      isNothing(value) ? value : (value as unknown[]).flatMap(next as (one: unknown) => unknown)
  return value => {
    if (isNothing(value)) return value
    assert(!Array.isArray(value), () => `Unexpected array in result for path element ${head}`)
    return next(Object.hasOwn(value as object, head) ? (value as Record<string, unknown>)[head] : undefined)
  }
}

/**
 * Compiles the access to a path: the places at it or, where the data are not as expected, what Apollo Gateway would
 * find there.
 */
const compilePath = (path: ResponsePath): ((data: unknown) => unknown) => {
  const access = compileAccess(path)
  // One object at the most needs no list of places.
  const gather = path.includes('@') ? compileGather(path) : undefined
  if (!gather) return access
  return data => {
    const places = new Places()
    return gather(data, places) ? places : access(data)
  }
}

/** Makes a step that tells when it has ended. */
const announcing =
  (step: PlanStep, id: string): PlanStep =>
  async (run, data) => {
    await step(run, data)
    run.onFetched?.(id)
  }

/**
 * Compiles a node of a plan.
 * @param path the place in the response that the node fills.
 * @throws NotCompiled for a node that only Apollo Gateway executes or refuses.
 */
export function compilePlan(node: PlanNode, options: PlanOptions, path: ResponsePath = []): PlanStep {
  const inner = (one: PlanNode) => compilePlan(one, options, path)
  switch (node.kind) {
    case 'Sequence':
      return compileSequence(node.nodes.map(inner))
    case 'Parallel':
      return compileParallel(node.nodes.map(inner))
    case 'Flatten': {
      const at = compilePath(node.path)
      const step = compilePlan(node.node, options, [...path, ...node.path])
      return (run, data) => {
        const found = at(data)
        return found ? step(run, found) : undefined
      }
    }
    case 'Fetch': {
      if (node.contextRewrites) throw new NotCompiled('a fetch that sets a context')
      const { supergraphSchema, twins = NO_TWINS } = options
      const step = bringsNothing(node)
        ? async () => {}
        : compileFetch({ node, path, send: options.sendOf(node), supergraphSchema, twins })
      return node.id === undefined ? step : announcing(step, node.id)
    }
    case 'Condition': {
      const [whenTrue, whenFalse] = [node.ifClause, node.elseClause].map(one => one && inner(one))
      return (run, data) => (options.conditionOf(node.condition, run) ? whenTrue : whenFalse)?.(run, data)
    }
    default:
      throw new NotCompiled(`a plan node of kind ${node.kind}`)
  }
}

/** Shapes data in Apollo's own way. @throws what it throws. */
const shapeByApollo = (operation: Operation, { variables, data: input }: PlanRun): Shaped =>
  withoutStack(() =>
    computeResponse({
      operation,
      variables: variables as Record<string, unknown> | undefined,
      input,
      introspectionHandling: () => undefined,
    }),
  )

/** Makes the result of irregular data: what is wrong with them shows where nothing else has failed. */
const resultOf = (shape: () => Shaped, { errors }: PlanRun): PlanResult => {
  try {
    const { data, errors: found } = shape() as { data: PlanResult['data']; errors: Shaped['errors'] }
    if (errors.length === 0 && found.length > 0) return { extensions: { valueCompletion: found }, data }
    return errors.length === 0 ? { data } : { errors, data }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] }
  }
}

/** Shapes of a response for one combination of conditions. */
class ConditionShapes {
  readonly regular: ReturnType<typeof compileShape>
  readonly #operation: Operation
  readonly #chosen: Chosen
  #irregular: ReturnType<typeof compileIrregularShape> | undefined

  constructor(operation: Operation, chosen: Chosen) {
    this.regular = compileShape(operation, chosen)
    this.#operation = operation
    this.#chosen = chosen
  }

  get irregular(): ReturnType<typeof compileIrregularShape> {
    this.#irregular ??= compileIrregularShape(this.#operation, this.#chosen)
    return this.#irregular
  }
}

/** Shapes irregular data with their errors, and has Apollo shape what can be told in two ways. */
const shapeIrregular = (
  operation: Operation,
  shapes: ConditionShapes | undefined,
  run: PlanRun,
): PlanResult => {
  const shape = () => {
    try {
      if (shapes) return shapes.irregular(run.data)
    } catch {
      // Apollo tells of it.
    }
    return shapeByApollo(operation, run)
  }
  return resultOf(shape, run)
}

/** Makes the function that finds the shape of a response, one for each combination of conditions. */
const createShapes = (operation: Operation, conditions: readonly string[]) => {
  const shapes = new Map<string, ConditionShapes>()
  const defaults = operation.collectDefaultedVariableValues()
  return (variables: PlanRun['variables']) => {
    const chosen = (name: string): boolean => {
      const value = variables && name in variables ? variables[name] : defaults[name]
      if (typeof value !== 'boolean') throw IRREGULAR
      return value
    }
    const key = conditions.map(name => (chosen(name) ? '1' : '0')).join('')
    const shape = shapes.get(key) ?? new ConditionShapes(operation, chosen)
    shapes.set(key, shape)
    return shape
  }
}

/**
 * Makes the function that makes responses of one operation.
 * @param conditions variables on which its shape depends.
 */
const createRespond = (
  operation: Operation,
  conditions: readonly string[],
): ((run: PlanRun) => PlanResult) => {
  const shapesFor = createShapes(operation, conditions)
  return run => {
    let shapes: ConditionShapes | undefined
    try {
      shapes = shapesFor(run.variables)
      const data = shapes.regular(run.data) as PlanResult['data']
      return run.errors.length === 0 ? { data } : { errors: run.errors, data }
    } catch {
      return shapeIrregular(operation, shapes, run)
    }
  }
}

/**
 * Compiles an operation that was planned.
 * @throws NotCompiled for one that only Apollo Gateway executes.
 */
export function compilePlanned(
  { node, operation, operationContext, sendOf }: PlannedOperation,
  supergraphSchema: GatewayInternals['supergraphSchema'],
): ExecutePlan {
  const respond = createRespond(operation, shapingVariables(operationContext))
  const conditionOf = (condition: string, { variables }: PlanRun) =>
    evaluateCondition(
      { kind: 'Condition', condition },
      operation.variableDefinitions,
      variables as Record<string, unknown> | undefined,
    )
  const step = node && compilePlan(node, { supergraphSchema, sendOf, conditionOf, twins: analyse(node) })
  const request = { operation: operationContext.operation }
  const createData = createDataClass()
  return async given => {
    const run: PlanRun = { ...given, request: { ...request }, data: createData(), errors: [] }
    await step?.(run, run.data)
    return respond(run)
  }
}
