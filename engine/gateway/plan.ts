/** Plan as closures: parallel, in sequence, under a condition, at a place of the fetched data. */
import { assert } from '@apollo/federation-internals'
import type { PlanNode, ResponsePath } from '@apollo/query-planner'
import type { SendOf } from '#gateway/supergraph/engine.ts'
import type { GatewayInternals } from '#gateway/third-party/apollo-internals.ts'
import { NotCompiled } from '../subgraph/compile.ts'
import { compileFetch, type PlanRun, type PlanStep } from './fetch.ts'

export interface PlanOptions {
  readonly supergraphSchema: GatewayInternals['supergraphSchema']
  readonly sendOf: SendOf
  /** Gives the value of a condition's variable, of type `Boolean!`. */
  conditionOf(variable: string, run: PlanRun): boolean
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

/** Compiles the access to a path; `@` stands for each item of a list. */
const compilePath = ([head, ...rest]: ResponsePath): ((value: unknown) => unknown) => {
  if (head === undefined) return value => value
  const next = compilePath(rest)
  if (head === '@')
    return value =>
      isNothing(value) ? value : (value as unknown[]).flatMap(next as (one: unknown) => unknown)
  return value => {
    if (isNothing(value)) return value
    assert(!Array.isArray(value), () => `Unexpected array in result for path element ${head}`)
    return next(Object.hasOwn(value as object, head) ? (value as Record<string, unknown>)[head] : undefined)
  }
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined

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
      const { supergraphSchema } = options
      return compileFetch({ node, path, send: options.sendOf(node), supergraphSchema })
    }
    case 'Condition': {
      const [whenTrue, whenFalse] = [node.ifClause, node.elseClause].map(one => one && inner(one))
      return (run, data) => (options.conditionOf(node.condition, run) ? whenTrue : whenFalse)?.(run, data)
    }
    default:
      throw new NotCompiled(`a plan node of kind ${node.kind}`)
  }
}
