/**
 * Objects of which a client selects nothing but what has a condition. Apollo's planner skips a fetch as a whole when
 * nothing of it is selected: of `reward @include(if: $a) { points @include(if: $b) }` it takes both conditions for those of
 * the fetch. Where `$b` is false the object would be null although it exists, and a mutation would not be carried out.
 * Planned with a `__typename` that has no condition, the object is fetched whenever its own field is selected.
 */
import {
  Field,
  FieldSelection,
  Operation,
  type Selection,
  type SelectionSet,
  SelectionSetUpdates,
} from '@apollo/federation-internals'
import type { GatewayParts } from '#gateway/third-party/apollo-internals.ts'

type Planner = GatewayParts['planner']

const hasCondition = ({ element }: Selection): boolean =>
  element.hasAppliedDirective('skip') || element.hasAppliedDirective('include')

/** Whether a field of the set itself, or of a fragment in it, is selected whatever the variables are. */
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

const withTypenames = (set: SelectionSet): SelectionSet =>
  set.lazyMap(selection =>
    selection.mapToSelectionSet(inner => {
      const mended = withTypenames(inner)
      return selection.kind === 'FieldSelection' && !selectsAlways(mended) ? withTypename(mended) : mended
    }),
  )

/**
 * The operation with what it has to be planned with. A mutation has no named fragments any more: the planner sends those
 * that it can use again before the fields beside them, which would be carried out in another sequence.
 */
const toPlan = (operation: Operation): Operation => {
  const { selectionSet } = operation.expandAllFragments()
  const mended = withTypenames(selectionSet)
  const { rootKind, variableDefinitions, name, appliedDirectives } = operation
  const fragments = rootKind === 'mutation' ? undefined : operation.fragments
  if (mended === selectionSet && fragments === operation.fragments) return operation
  return new Operation(
    operation.schema(),
    rootKind,
    mended,
    variableDefinitions,
    fragments,
    name,
    appliedDirectives,
  )
}

/** Has a planner fetch what every such object needs. Answers are shaped by the client's own operation, which stays as it is. */
export const planConditionalChildren = (planner: Planner): void => {
  const build = planner.buildQueryPlan.bind(planner)
  planner.buildQueryPlan = (operation, options) => build(toPlan(operation), options)
}
