/** A plan as closures: parallel, in sequence, under a condition, at a place of what was fetched. */
import { assert } from '@apollo/federation-internals'
import type { PlanNode, ResponsePath } from '@apollo/query-planner'
import type { SendOf } from '#gateway/supergraph/engine.ts'
import type { GatewayParts } from '#gateway/third-party/apollo-internals.ts'
import { compileFetch, type PlanRun, type Step } from './fetch.ts'

export interface PlanParts {
  readonly supergraphSchema: GatewayParts['supergraphSchema']
  readonly sendOf: SendOf
  /** The value of a condition's variable; conditions are variables of type `Boolean!`. */
  conditionOf(variable: string, run: PlanRun): boolean
}

/** A kind of node that is not compiled: such an operation takes Apollo's way. */
export class NotCompiled extends Error {}

const compileSequence =
  (steps: readonly Step[]): Step =>
  async (run, data) => {
    for (const step of steps) await step(run, data)
  }

/** What it throws at once is rejected as well: the other steps are begun all the same. */
const begin = (step: Step, run: PlanRun, data: unknown) => {
  try {
    return step(run, data)
  } catch (error) {
    return Promise.reject(error)
  }
}

const compileParallel =
  (steps: readonly Step[]): Step =>
  async (run, data) => {
    await Promise.all(steps.map(step => begin(step, run, data)))
  }

/** What stands at a path; `@` stands for each item of a list. */
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
 * @param path where in the answer it is for.
 * @throws NotCompiled for what Apollo Gateway alone can do, or refuses itself.
 */
export function compilePlan(node: PlanNode, parts: PlanParts, path: ResponsePath = []): Step {
  const inner = (one: PlanNode) => compilePlan(one, parts, path)
  switch (node.kind) {
    case 'Sequence':
      return compileSequence(node.nodes.map(inner))
    case 'Parallel':
      return compileParallel(node.nodes.map(inner))
    case 'Flatten': {
      const at = compilePath(node.path)
      const step = compilePlan(node.node, parts, [...path, ...node.path])
      return (run, data) => {
        const found = at(data)
        return found ? step(run, found) : undefined
      }
    }
    case 'Fetch': {
      if (node.contextRewrites) throw new NotCompiled('a fetch that sets a context')
      const { supergraphSchema } = parts
      return compileFetch({ node, path, send: parts.sendOf(node), supergraphSchema })
    }
    case 'Condition': {
      const [whenTrue, whenFalse] = [node.ifClause, node.elseClause].map(one => one && inner(one))
      return (run, data) => (parts.conditionOf(node.condition, run) ? whenTrue : whenFalse)?.(run, data)
    }
    default:
      throw new NotCompiled(`a plan node of kind ${node.kind}`)
  }
}
