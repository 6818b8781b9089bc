/**
 * Mutations that select one root field at several places, under different conditions. GraphQL executes the field once, at
 * the first place that is left in. Apollo's planner takes the places for fields of their own, and would have the field carried
 * out twice where one of another subgraph stands between them. Such a mutation is planned for the conditions that it came with.
 */
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

type Variables = Readonly<Record<string, unknown>>

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** A root field that is left in, and whether that depends on anything. */
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

/** A variable that does not fit holds nothing here, and is refused by whoever executes the operation. */
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

/** The keys of root fields, those of several places twice: fragments can be spread more often than can be counted. */
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

/** Whether a valid mutation selects a root field at several places: its plan may depend on its variables. */
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
 * The document with the root fields that are left in alone, the places of each beside one another; undefined where it can
 * be planned as it is. The document is valid, and its cost was counted, which bounds how often its fragments are spread.
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
