/** Looks at plans and operations before they are compiled. */
import type { FetchNode } from '@apollo/query-planner'
import { type ASTNode, type FieldNode, Kind, parse, type SelectionSetNode, visit } from 'graphql'
import type { PlannedOperation } from '#gateway/supergraph/engine.ts'
import { NotCompiled } from '../subgraph/compile.ts'

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
