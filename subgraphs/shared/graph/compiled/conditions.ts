/** The variables that say which fields an operation has: by `@skip` and `@include`. */
import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import type { Variables } from './arguments.ts'

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

const CONDITIONS = ['skip', 'include']

const variablesOf = ({ name, arguments: given = [] }: DirectiveNode): string[] =>
  CONDITIONS.includes(name.value)
    ? given.flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []))
    : []

/** The names of those variables, in an operation and the fragments that it spreads. */
export function conditionsOf(operation: OperationDefinitionNode, fragments: Fragments): string[] {
  const names = new Set<string>()
  const seen = new Set<string>()
  const enter = (root: OperationDefinitionNode | FragmentDefinitionNode) =>
    void visit(root, {
      Directive: node => {
        for (const name of variablesOf(node)) names.add(name)
      },
      FragmentSpread: ({ name }) => {
        const fragment = fragments[name.value]
        if (!fragment || seen.has(name.value)) return
        seen.add(name.value)
        enter(fragment)
      },
    })
  enter(operation)
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
