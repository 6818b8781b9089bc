/**
 * Corrections of operations that Apollo's planner would plan wrongly.
 *
 * Mutations that select one root field at several places, under different conditions: GraphQL executes the field once, at the
 * first place that is included. Apollo's planner takes the places for separate fields, and would execute the field twice where
 * one of another subgraph stands between them. Such a mutation is planned for the conditions that it came with.
 *
 * Objects whose selections all have conditions: the planner skips a fetch as a whole when nothing of it is selected. In
 * `reward @include(if: $a) { points @include(if: $b) }` it takes both conditions for those of the fetch. Where `$b` is false
 * the object would be null although it exists, and a mutation would not be executed. Planned with a `__typename` without a
 * condition, the object is fetched whenever its own field is selected.
 *
 * Conditions that are written out, as in `points @include(if: false)`: where a fetch as a whole has a condition, the planner takes
 * them for ones that hold, and fetches the field. It is never shown, but its failure makes the object around it null. Such
 * selections are planned without what they leave out.
 */

import {
  Field,
  FieldSelection,
  Operation,
  type Selection,
  type SelectionSet,
  SelectionSetUpdates,
} from '@apollo/federation-internals'
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
} from 'graphql'
import type { GatewayInternals } from '../third-party/apollo-internals.ts'

type Variables = Readonly<Record<string, unknown>>

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** Root field that is executed under the given variables. */
interface Root {
  readonly field: FieldNode
  readonly isConditional: boolean
}

const fragmentsOf = ({ definitions }: DocumentNode) => {
  const fragments = definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
  return new Map<string, FragmentDefinitionNode>(fragments.map(one => [one.name.value, one]))
}

const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Variables =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.BOOLEAN ? [[variable.name.value, defaultValue.value]] : [],
    ),
  )

/** Whether a condition holds; a variable of another type holds in neither, and the executor refuses it. */
const holds = ({ name, arguments: args }: DirectiveNode, variables: Variables): boolean => {
  const value = args?.[0]?.value
  const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined
  return (value?.kind === Kind.BOOLEAN ? value.value : given) === (name.value === 'include')
}

const rootsOf = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): Root[] => {
  const fragments = fragmentsOf(document)
  const inside = (selections: readonly SelectionNode[], isWithin: boolean): Root[] =>
    selections.flatMap((selection): Root[] => {
      const conditions = (selection.directives ?? []).filter(isCondition)
      if (!conditions.every(one => holds(one, variables))) return []
      const isConditional = isWithin || conditions.length > 0
      if (selection.kind === Kind.FIELD) return [{ field: selection, isConditional }]
      const isInline = selection.kind === Kind.INLINE_FRAGMENT
      const { selectionSet } = isInline ? selection : fragments.get(selection.name.value)!
      return inside(selectionSet.selections, isConditional)
    })
  return inside(operation.selectionSet.selections, false)
}

/** Response names of root fields; each occurs at most twice, since fragments can be spread without limit. */
const keysOf = (document: DocumentNode, operation: OperationDefinitionNode): readonly string[] => {
  const fragments = fragmentsOf(document)
  const known = new Map<string, readonly string[]>()
  const ofFragment = (name: string): readonly string[] => {
    const keys = known.get(name) ?? inside(fragments.get(name)!.selectionSet.selections)
    known.set(name, keys)
    return keys
  }
  const inside = (selections: readonly SelectionNode[]): readonly string[] => {
    const all = selections.flatMap(selection => {
      if (selection.kind === Kind.FIELD) return [keyOf(selection)]
      const isInline = selection.kind === Kind.INLINE_FRAGMENT
      return isInline ? inside(selection.selectionSet.selections) : ofFragment(selection.name.value)
    })
    return [...Map.groupBy(all, key => key).values()].flatMap(same => same.slice(0, 2))
  }
  return inside(operation.selectionSet.selections)
}

/** Whether a valid mutation selects a root field at several places, so that its plan may depend on its variables. */
export function repeatsRoots(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  if (operation.operation !== OperationTypeNode.MUTATION) return false
  const keys = keysOf(document, operation)
  return new Set(keys).size < keys.length
}

const isPlanned = (places: readonly Root[]): boolean =>
  places.length === 1 || !places.some(({ isConditional }) => isConditional)

const withoutConditions = ({ field }: Root): FieldNode => ({
  ...field,
  directives: field.directives?.filter(one => !isCondition(one)),
})

/**
 * Reduces a document to the root fields that are executed, the places of each field beside one another; undefined where it
 * can be planned as it is. The document is valid, and its cost was counted, which bounds how often its fragments are spread.
 */
export function withPlannedRoots(
  document: DocumentNode,
  operationName: string | undefined,
  given: Variables | undefined,
): DocumentNode | undefined {
  const operation = getOperationAST(document, operationName)
  if (operation?.operation !== OperationTypeNode.MUTATION) return undefined
  const roots = rootsOf(document, operation, { ...defaultsOf(operation), ...given })
  const places = [...Map.groupBy(roots, ({ field }) => keyOf(field)).values()]
  if (places.every(isPlanned)) return undefined
  const selectionSet = { ...operation.selectionSet, selections: places.flat().map(withoutConditions) }
  const definitions = document.definitions.map(one =>
    one === operation ? { ...operation, selectionSet } : one,
  )
  return { ...document, definitions }
}

type Planner = GatewayInternals['planner']

const hasCondition = ({ element }: Selection): boolean =>
  element.hasAppliedDirective('skip') || element.hasAppliedDirective('include')

/** Whether a field of the set itself, or of a fragment in it, is selected for all variables. */
const selectsAlways = (set: SelectionSet): boolean =>
  set
    .selections()
    .some(one => !hasCondition(one) && (one.kind === 'FieldSelection' || selectsAlways(one.selectionSet)))

const withTypename = (set: SelectionSet): SelectionSet => {
  const typename = set.parentType.typenameField()
  if (!typename) return set
  const own = new FieldSelection(new Field(typename))
  return new SelectionSetUpdates().add([own, ...set.selections()]).toSelectionSet(set.parentType)
}

/** Whether a condition that is written out leaves a selection out, for all variables. */
const isNeverSelected = ({ element }: Selection): boolean =>
  element.appliedDirectives.some(one => {
    const value = (one.arguments() as { readonly if?: unknown }).if
    return (one.name === 'skip' && value === true) || (one.name === 'include' && value === false)
  })

const mended = (set: SelectionSet): SelectionSet =>
  set.lazyMap(selection => {
    if (isNeverSelected(selection)) return undefined
    if (!selection.selectionSet) return selection
    const below = mended(selection.selectionSet)
    const isObject = selection.kind === 'FieldSelection'
    const whole = isObject && !selectsAlways(below) ? withTypename(below) : below
    if (whole === selection.selectionSet) return selection
    return whole.isEmpty() ? undefined : selection.withUpdatedSelectionSet(whole)
  })

/**
 * Corrects an operation before it is planned. A mutation loses its named fragments: the planner sends those that it can reuse
 * before the fields beside them, which would change the sequence of execution.
 */
const toPlan = (operation: Operation): Operation => {
  const { selectionSet } = operation.expandAllFragments()
  const planned = mended(selectionSet)
  const { rootKind, variableDefinitions, name, appliedDirectives } = operation
  const fragments = rootKind === 'mutation' ? undefined : operation.fragments
  if (planned === selectionSet && fragments === operation.fragments) return operation
  return new Operation(
    operation.schema(),
    rootKind,
    planned,
    variableDefinitions,
    fragments,
    name,
    appliedDirectives,
  )
}

/** Makes a planner fetch such objects. Responses are shaped by the client's own operation, which is not changed. */
export const planConditionalChildren = (planner: Planner): void => {
  const build = planner.buildQueryPlan.bind(planner)
  planner.buildQueryPlan = (operation, options) => build(toPlan(operation), options)
}
