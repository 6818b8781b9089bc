/**
 * Analysis of a plan: which of its fetches ask the same of entities at different paths, and at which paths equal objects may be
 * one object.
 */
import type { FetchNode, PlanNode, ResponsePath } from '@apollo/query-planner'
import { type DocumentNode, type FragmentDefinitionNode, Kind, parse, type SelectionSetNode } from 'graphql'

interface PlacedFetch {
  readonly node: FetchNode
  readonly path: ResponsePath
}

const childrenOf = (node: PlanNode): readonly PlanNode[] => {
  if (node.kind === 'Sequence' || node.kind === 'Parallel') return node.nodes
  if (node.kind === 'Condition') return [node.ifClause, node.elseClause].filter(one => one !== undefined)
  return []
}

const fetchesIn = (node: PlanNode, path: ResponsePath = []): PlacedFetch[] => {
  if (node.kind === 'Fetch') return [{ node, path }]
  if (node.kind === 'Flatten') return fetchesIn(node.node, [...path, ...node.path])
  return childrenOf(node).flatMap(one => fetchesIn(one, path))
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(definitions.flatMap(one => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])))

interface SelectedField {
  readonly key: string
  readonly inner: SelectionSetNode | undefined
}

/** Lists the fields of selections, those of fragments for any type with them. */
const fieldsOf = (sets: readonly SelectionSetNode[], fragments: Fragments): SelectedField[] =>
  sets.flatMap(({ selections }) =>
    selections.flatMap((one): SelectedField[] => {
      if (one.kind === Kind.FIELD) return [{ key: (one.alias ?? one.name).value, inner: one.selectionSet }]
      const fragment = one.kind === Kind.INLINE_FRAGMENT ? one : fragments.get(one.name.value)
      return fragment ? fieldsOf([fragment.selectionSet], fragments) : []
    }),
  )

/** Selections of a fetch at its place: of the root or of its entities. */
const selectedBy = ({ requires, operation }: FetchNode) => {
  const document = parse(operation, { noLocation: true })
  const fragments = fragmentsOf(document)
  const root = document.definitions.flatMap(one =>
    one.kind === Kind.OPERATION_DEFINITION ? [one.selectionSet] : [],
  )
  const inner = fieldsOf(root, fragments).flatMap(one => one.inner ?? [])
  return { sets: requires ? inner : root, fragments }
}

/** Whether the entities of a fetch have leaves alone. */
export const hasLeavesAlone = (node: FetchNode): boolean => {
  const { sets, fragments } = selectedBy(node)
  return fieldsOf(sets, fragments).every(({ inner }) => inner === undefined)
}

/** Whether a fetch at `from` selects the way to a path below it. */
const leadsTo = ({ node, path: from }: PlacedFetch, to: ResponsePath): boolean => {
  if (from.length >= to.length || from.some((one, index) => one !== to[index])) return false
  const { sets, fragments } = selectedBy(node)
  const names = to.slice(from.length).filter(one => one !== '@')
  let reached: readonly SelectionSetNode[] = sets
  for (const name of names)
    reached = fieldsOf(reached, fragments).flatMap(({ key, inner }) => (key === name && inner ? [inner] : []))
  return reached.length > 0
}

/** Text of an entity fetch without the name that the planner numbers. */
const unnamed = ({ operation, operationName = '' }: FetchNode): string =>
  operationName ? operation.replace(operationName, '') : operation

const familyOf = ({ serviceName, requires, variableUsages, ...node }: FetchNode): string =>
  JSON.stringify([serviceName, requires, variableUsages, unnamed(node as FetchNode)])

const isRewritten = ({ inputRewrites, outputRewrites, contextRewrites }: FetchNode): boolean =>
  [inputRewrites, outputRewrites, contextRewrites].some(one => one && one.length > 0)

/** Findings of a plan. */
export interface Twins {
  /** Gives a text that is the same for all fetches that ask the same; undefined for one that has none like it. */
  familyOf(node: FetchNode): string | undefined
  /**
   * Whether equal objects at a path may be one object. They may where a single fetch has brought them: all that comes after
   * is asked of each of them alike, and no fetch above could fill one alone.
   */
  mayShare(path: ResponsePath): boolean
}

export const NO_TWINS: Twins = { familyOf: () => undefined, mayShare: () => false }

/** Analyses a plan that is executed as a whole. A plan with names to be rewritten, or with parts, has no findings. */
export function analyse(plan: PlanNode): Twins {
  const fetches = fetchesIn(plan)
  if (fetches.some(({ node }) => isRewritten(node))) return NO_TWINS
  const sizes = new Map<string, number>()
  for (const { node } of fetches) {
    if (!node.requires || !hasLeavesAlone(node)) continue
    const family = familyOf(node)
    sizes.set(family, (sizes.get(family) ?? 0) + 1)
  }
  return {
    familyOf(node) {
      const family = familyOf(node)
      return (sizes.get(family) ?? 0) > 1 ? family : undefined
    },
    mayShare: path => fetches.filter(one => leadsTo(one, path)).length === 1,
  }
}
