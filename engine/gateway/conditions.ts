/** Which operations are compiled, by what stands in their text, and the variables on which the shape of an answer depends. */
import type { buildOperationContext } from '@apollo/gateway'
import { type ASTNode, type DirectiveNode, type FieldNode, Kind, visit } from 'graphql'
import { NotCompiled } from './plan.ts'

type OperationContext = ReturnType<typeof buildOperationContext>

/** Each combination of them has a shape of its own. */
const MAX_CONDITIONS = 6

const nodesOf = ({ operation, fragments }: OperationContext): ASTNode[] => [
  operation,
  ...Object.values(fragments),
]

/** Introspection is answered from the schema, and a name that every object has would be found where it was not fetched. */
const isUnusual = ({ name, alias }: FieldNode): boolean =>
  (name.value.startsWith('__') && name.value !== '__typename') || (alias ?? name).value in Object.prototype

const refuseUnusual = (node: ASTNode): void => {
  visit(node, {
    Field(field) {
      if (isUnusual(field)) throw new NotCompiled(`a field called ${field.name.value}`)
    },
    Directive({ name }) {
      if (name.value === 'defer' || name.value === 'stream') throw new NotCompiled(`@${name.value}`)
      return undefined
    },
  })
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

/**
 * The variables of `@skip` and `@include`.
 * @throws NotCompiled for an operation with introspection, unusual names, or very many conditions.
 */
export function conditionsOf(context: OperationContext): string[] {
  const found = new Set<string>()
  for (const node of nodesOf(context)) {
    refuseUnusual(node)
    visit(node, {
      Directive(directive) {
        const value = isCondition(directive) ? directive.arguments?.[0]?.value : undefined
        if (value?.kind === Kind.VARIABLE) found.add(value.name.value)
      },
    })
  }
  if (found.size > MAX_CONDITIONS) throw new NotCompiled(`more than ${MAX_CONDITIONS} conditions`)
  return [...found]
}
