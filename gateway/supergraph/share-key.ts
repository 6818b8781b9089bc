/** Keys by which two subscriptions are the same, apart from where in the event log they began. */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql'
import type { Principal } from '#core/access/principal.ts'
import { audienceOf } from '#core/access/visibility.ts'
import { type SharedKey, sharedKey } from '#core/async/single-flight.ts'
import type { Variables } from '../operation/primary-fetch.ts'

/** The key of a subscription with these variables for this client. */
export type ShareKey = (variables: Variables, principal: Principal) => SharedKey

const ownAfter = (field: FieldNode) => field.arguments?.find(({ name }) => name.value === 'after')

const rootFields = ({ selectionSet }: OperationDefinitionNode) =>
  selectionSet.selections.filter(selection => selection.kind === Kind.FIELD)

const withoutAfter = (operation: OperationDefinitionNode): OperationDefinitionNode => {
  const selections = operation.selectionSet.selections.map(selection =>
    selection.kind === Kind.FIELD
      ? { ...selection, arguments: selection.arguments?.filter(({ name }) => name.value !== 'after') }
      : selection,
  )
  return { ...operation, selectionSet: { ...operation.selectionSet, selections } }
}

const usedIn = (nodes: readonly ASTNode[]): Set<string> => {
  const used = new Set<string>()
  for (const node of nodes) visit(node, { Variable: ({ name }) => void used.add(name.value) })
  return used
}

/** The variables that say nothing but where to begin. */
const startVariables = (operation: OperationDefinitionNode, rest: readonly ASTNode[]): Set<string> => {
  const after = rootFields(operation).flatMap(field => ownAfter(field)?.value ?? [])
  const names = after.flatMap(value => (value.kind === Kind.VARIABLE ? [value.name.value] : []))
  const used = usedIn(rest)
  return new Set(names.filter(name => !used.has(name)))
}

/** Prepares the key of an operation. */
export function shareKeyOf(document: DocumentNode, operation: OperationDefinitionNode): ShareKey {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  const { selectionSet } = withoutAfter(operation)
  const start = startVariables(operation, [selectionSet, ...fragments])
  const text = [selectionSet, ...fragments].map(print).join('\n')
  return (variables, principal) => {
    const shared = Object.entries(variables)
      .filter(([name]) => !start.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return sharedKey(audienceOf(principal), JSON.stringify([text, shared]))
  }
}
