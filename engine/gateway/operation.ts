/** Compiled operation: its plan and the shape of its response, made once and executed any number of times. */

import { assert, type Operation } from '@apollo/federation-internals'
import { evaluateCondition, type FetchNode, type PlanNode, type ResponsePath } from '@apollo/query-planner'
import {
  type ASTNode,
  type FieldNode,
  GraphQLError,
  Kind,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql'
import type { ExecutePlan, PlannedOperation, PlanResult, SendOf } from '#gateway/supergraph/engine.ts'
import { computeResponse, type GatewayInternals } from '#gateway/third-party/apollo-internals.ts'
import { NotCompiled } from '../subgraph/compile.ts'
import { createDataClass } from '../subgraph/fields.ts'
import { compileFetch } from './fetch.ts'
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

const areTypenames = ({ selections }: SelectionSetNode): boolean =>
  selections.every(one =>
    one.kind === Kind.INLINE_FRAGMENT
      ? areTypenames(one.selectionSet)
      : one.kind === Kind.FIELD && one.name.value === '__typename',
  )

/**
 * Whether a fetch brings no more than the name of a root type, which is known. The planner writes such a fetch where all else of it
 * is deferred, and its failure would be no field's.
 */
export const bringsNothing = ({ requires, operation }: FetchNode): boolean =>
  !requires &&
  parse(operation, { noLocation: true }).definitions.every(
    one => one.kind === Kind.OPERATION_DEFINITION && areTypenames(one.selectionSet),
  )

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

/** Most conditions of an operation: each combination of them has a shape of its own. */
const MAX_CONDITIONS = 6

/**
 * Whether a field is answered from the schema, as introspection is, or has a name that every object has and that would
 * be found where it was not fetched.
 */
const isUnusual = ({ name, alias }: FieldNode): boolean =>
  (name.value.startsWith('__') && name.value !== '__typename') || (alias ?? name).value in Object.prototype

/**
 * Variables of `@skip` and `@include`, on which the shape of a response depends.
 * @throws NotCompiled for an operation with introspection, unusual names or very many conditions.
 */
export const shapingVariables = ({
  operation,
  fragments,
}: PlannedOperation['operationContext']): string[] => {
  const found = new Set<string>()
  const nodes: ASTNode[] = [operation, ...Object.values(fragments)]
  for (const node of nodes)
    visit(node, {
      Field(field) {
        if (isUnusual(field)) throw new NotCompiled(`a field called ${field.name.value}`)
      },
      Directive({ name, arguments: given }) {
        const isCondition = name.value === 'skip' || name.value === 'include'
        const value = isCondition ? given?.[0]?.value : undefined
        if (value?.kind === Kind.VARIABLE) found.add(value.name.value)
      },
    })
  if (found.size > MAX_CONDITIONS) throw new NotCompiled(`more than ${MAX_CONDITIONS} conditions`)
  return [...found]
}

/** Shapes data in Apollo's own way, and reports what it finds wrong with them. */
const shapeByApollo = (operation: Operation, { errors, variables, data: input }: PlanRun): PlanResult => {
  try {
    const { data, errors: found } = computeResponse({
      operation,
      variables: variables as Record<string, unknown> | undefined,
      input,
      introspectionHandling: () => undefined,
    })
    if (errors.length === 0 && found.length > 0) return { extensions: { valueCompletion: found }, data }
    return errors.length === 0 ? { data } : { errors, data }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] }
  }
}

/** Makes the function that finds the shape of a response, one for each combination of conditions. */
const createShapes = (operation: Operation, conditions: readonly string[]) => {
  const shapes = new Map<string, ReturnType<typeof compileShape>>()
  const defaults = operation.collectDefaultedVariableValues()
  return (variables: PlanRun['variables']) => {
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
 * @throws NotCompiled for one that only Apollo Gateway executes.
 */
export function compilePlanned(
  { node, operation, operationContext, sendOf }: PlannedOperation,
  supergraphSchema: GatewayInternals['supergraphSchema'],
): ExecutePlan {
  const shapeFor = createShapes(operation, shapingVariables(operationContext))
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
    try {
      const data = shapeFor(run.variables)(run.data) as PlanResult['data']
      return run.errors.length === 0 ? { data } : { errors: run.errors, data }
    } catch {
      return shapeByApollo(operation, run)
    }
  }
}
