/** Plan of an operation in parts: its primary fetches, and those of each deferred fragment. */
import type { Operation } from '@apollo/federation-internals'
import { type DeferNode, evaluateCondition, type PlanNode } from '@apollo/query-planner'
import type { PlannedOperation } from '#gateway/supergraph/engine.ts'
import type { GatewayInternals } from '#gateway/third-party/apollo-internals.ts'
import { idInPlan } from './defer-pruning.ts'
import type { Deferral } from './defer-variant.ts'
import { compilePlan } from './operation.ts'
import { bringsNothing } from './plan-checks.ts'
import type { PlanRun, PlanStep } from './plan-run.ts'

/** Fetches of a deferred fragment, or of a part of it. */
export interface Block {
  readonly id: string
  readonly label: string | undefined
  /** Ids of the fetches that bring what its own fetches need; undefined where it needs all that is fetched around it. */
  readonly depends: readonly string[] | undefined
  readonly step: PlanStep | undefined
  readonly nested: readonly Block[]
}

const fetches = (node: PlanNode | undefined): boolean => {
  if (!node) return false
  switch (node.kind) {
    case 'Fetch':
      return !bringsNothing(node)
    case 'Sequence':
    case 'Parallel':
      return node.nodes.some(fetches)
    case 'Flatten':
      return fetches(node.node)
    case 'Condition':
      return fetches(node.ifClause) || fetches(node.elseClause)
    case 'Defer':
      return fetches(node.primary.node)
  }
}

const withFetch = ({ deferred }: DeferNode): string[] =>
  deferred.flatMap(({ label = '', node }) => [
    ...(fetches(node) ? [idInPlan(label)] : []),
    ...(node?.kind === 'Defer' ? withFetch(node) : []),
  ])

/** Ids of the deferred fragments without a fetch of their own: their fields come with others, so a part would only be late. */
export const withoutFetch = (node: DeferNode, deferrals: Iterable<string>): string[] => {
  const fetching = new Set(withFetch(node))
  return [...deferrals].filter(id => !fetching.has(id))
}

/** Operation that was planned with `@defer`. */
export interface PlannedInParts {
  readonly operation: Operation
  readonly operationContext: PlannedOperation['operationContext']
  readonly sendOf: PlannedOperation['sendOf']
  readonly node: DeferNode
  readonly deferrals: ReadonlyMap<string, Deferral>
  readonly supergraphSchema: GatewayInternals['supergraphSchema']
}

type Compile = (node: PlanNode | undefined) => PlanStep | undefined

const conditionOf =
  (operation: Operation) =>
  (condition: string, { variables }: PlanRun) =>
    evaluateCondition(
      { kind: 'Condition', condition },
      operation.variableDefinitions,
      variables as Record<string, unknown> | undefined,
    )

interface CompileBlocks {
  readonly compile: Compile
  readonly deferrals: PlannedInParts['deferrals']
  /** Whether root fields are fetched one after the other: the planner numbers the fetches of each by themselves. */
  readonly isSerial: boolean
}

const compileBlocks = ({ deferred }: DeferNode, options: CompileBlocks): Block[] =>
  deferred.map(({ label: planned = '', depends, node }) => {
    const isDeferring = node?.kind === 'Defer'
    const id = idInPlan(planned)
    return {
      id,
      label: options.deferrals.get(id)?.label,
      depends: options.isSerial ? undefined : depends.map(one => one.id),
      step: options.compile(isDeferring ? node.primary.node : node),
      nested: isDeferring ? compileBlocks(node, options) : [],
    }
  })

/**
 * Compiles the fetches of such an operation.
 * @throws NotCompiled for a plan that only Apollo Gateway executes.
 */
export function compileDeferNode({ operation, node, deferrals, sendOf, supergraphSchema }: PlannedInParts) {
  const options = { supergraphSchema, sendOf, conditionOf: conditionOf(operation) }
  const compile: Compile = one => one && compilePlan(one, options)
  const isSerial = operation.rootKind === 'mutation'
  return {
    primary: compile(node.primary.node),
    blocks: compileBlocks(node, { compile, deferrals, isSerial }),
  }
}
