/** The variables that say which fields an operation has: by `@skip` and `@include`. */
import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Variables } from './arguments.ts'

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

const CONDITIONS = ['skip', 'include']

const variablesOf = ({ name, arguments: given = [] }: DirectiveNode): string[] =>
  CONDITIONS.includes(name.value)
    ? given.flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []))
    : []

/** The names of those variables, in an operation and the fragments that it spreads. */
export function conditionsOf({ selectionSet }: OperationDefinitionNode, fragments: Fragments): string[] {
  const names = new Set<string>()
  const seen = new Set<string>()
  const below = (node: SelectionNode): SelectionSetNode | undefined => {
    if (node.kind !== Kind.FRAGMENT_SPREAD) return node.selectionSet
    const { value } = node.name
    if (seen.has(value)) return undefined
    seen.add(value)
    return fragments[value]?.selectionSet
  }
  const enter = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      for (const name of node.directives?.flatMap(variablesOf) ?? []) names.add(name)
      const next = below(node)
      if (next) enter(next)
    }
  }
  enter(selectionSet)
  return [...names]
}

/** Which of the conditions hold, as a number; undefined where one is neither true nor false. */
export const caseOf = (conditions: readonly string[], variables: Variables): number | undefined => {
  let number = 0
  for (const [index, name] of conditions.entries()) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (typeof value !== 'boolean') return undefined
    if (value) number |= 1 << index
  }
  return number
}

/** Variables with which `caseOf` gives each number from 0 on. */
export const casesOf = (conditions: readonly string[]): Variables[] =>
  Array.from({ length: 1 << conditions.length }, (_, number) =>
    Object.fromEntries(conditions.map((name, index) => [name, Boolean(number & (1 << index))])),
  )
