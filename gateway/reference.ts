/** `npm run docs:graph`: writes `docs/graph.md`, the graph's reference, from the supergraph; `--check` compares instead. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  parse,
  print,
  type StringValueNode,
} from 'graphql'
import { REASONS } from '../subgraphs/shared/errors/reasons.ts'
import { readSupergraph } from './supergraph/document.ts'

const FILE = join(import.meta.dirname, '../docs/graph.md')

const HEAD = `# The graph

<!-- Generated from schema/supergraph.graphql and subgraphs/shared/errors/reasons.ts by \`npm run docs:graph\`; do not edit. -->

Every type and field of the unified graph. \`!\` marks what is never null, \`[…]\` a list.

## Errors

Every fault of an input is an error of its own in \`errors\`, with

- \`extensions.code\` and \`extensions.http.status\`: the contract's code, and the HTTP status it has on REST;
- \`extensions.reason\`: what is wrong, by a name that stays, one of those below;
- \`extensions.field\`: where in the input, as on REST (\`paymentTransaction.paymentInfo.amountDetails[0].amount\`); within a
  variable that is an input, from that input on. Absent where no single field is at fault;
- \`extensions.existingId\`: the id of the transaction that was posted first, where this one repeats it;
- \`extensions.cursor\`: where to resume, where a subscription had to end.

At most 20 faults are told at once.

| reason | what is wrong |
|---|---|
${Object.entries(REASONS)
  .map(([reason, text]) => `| \`${reason}\` | ${text} |`)
  .join('\n')}
`

/** A definition of a type, of whichever sort. */
interface TypeNode {
  readonly kind: string
  readonly name: { readonly value: string }
  readonly description?: StringValueNode
  readonly fields?: readonly (FieldDefinitionNode | InputValueDefinitionNode)[]
  readonly values?: readonly { readonly name: { value: string }; readonly description?: StringValueNode }[]
  readonly interfaces?: readonly { readonly name: { value: string } }[]
}

const ROOTS = ['Query', 'Mutation', 'Subscription']

/** The sections, and which definitions stand in them. */
const SECTIONS: readonly [title: string, holds: (type: TypeNode) => boolean][] = [
  ['Roots', ({ name }) => ROOTS.includes(name.value)],
  ['Interfaces', ({ kind }) => kind === 'InterfaceTypeDefinition'],
  ['Types', ({ kind, name }) => kind === 'ObjectTypeDefinition' && !ROOTS.includes(name.value)],
  ['Inputs', ({ kind }) => kind === 'InputObjectTypeDefinition'],
  ['Enums', ({ kind }) => kind === 'EnumTypeDefinition'],
  ['Scalars', ({ kind }) => kind === 'ScalarTypeDefinition'],
]

/** What clients see: the supergraph without the marks by which the gateway plans. */
const typesOf = (sdl: string): readonly TypeNode[] =>
  parse(sdl)
    .definitions.filter(isTypeDefinitionNode)
    .filter(({ name }) => !/^(join|link)__/.test(name.value))

const textOf = ({ description }: { description?: StringValueNode }) =>
  (description?.value ?? '').replace(/\s+/g, ' ').trim()

const parametersOf = (field: FieldDefinitionNode | InputValueDefinitionNode) =>
  'arguments' in field ? (field.arguments ?? []) : []

const describeParameter = (parameter: InputValueDefinitionNode) => {
  const fallback = parameter.defaultValue ? ` = ${print(parameter.defaultValue)}` : ''
  return `  - \`${parameter.name.value}: ${print(parameter.type)}${fallback}\`: ${textOf(parameter)}`
}

const describeField = (field: FieldDefinitionNode | InputValueDefinitionNode) =>
  [
    `- \`${field.name.value}: ${print(field.type)}\`: ${textOf(field)}`,
    ...parametersOf(field).map(describeParameter),
  ].join('\n')

const describeType = (type: TypeNode): string => {
  const { name, fields = [], values = [], interfaces = [] } = type
  const also = interfaces.length > 0 ? `Implements ${interfaces.map(one => one.name.value).join(', ')}.` : ''
  const members = [
    ...fields.map(describeField),
    ...values.map(value => `- \`${value.name.value}\`: ${textOf(value)}`),
  ]
  const parts = [`### ${name.value}`, textOf(type), also, members.join('\n')]
  return parts.filter(part => part !== '').join('\n\n')
}

/** The reference as Markdown. */
export function renderReference(sdl: string): string {
  const types = typesOf(sdl)
  const sections = SECTIONS.map(([title, holds]) => [title, types.filter(holds)] as const)
  const texts = sections
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => `## ${title}\n\n${some.map(describeType).join('\n\n')}\n`)
  return [HEAD, ...texts].join('\n')
}

/** What has no description, as `Type`, `Type.field` or `Type.field.argument`. Roots describe themselves. */
export function undescribed(sdl: string): string[] {
  const missing: string[] = []
  const look = (path: string, node: { description?: StringValueNode }) => {
    if (textOf(node) === '' && !ROOTS.includes(path)) missing.push(path)
  }
  for (const type of typesOf(sdl)) {
    const name = type.name.value
    look(name, type)
    for (const value of type.values ?? []) look(`${name}.${value.name.value}`, value)
    for (const field of type.fields ?? []) {
      look(`${name}.${field.name.value}`, field)
      for (const one of parametersOf(field)) look(`${name}.${field.name.value}.${one.name.value}`, one)
    }
  }
  return missing
}

/** Whether `docs/graph.md` is what the supergraph gives. */
export const isReferenceCurrent = (): boolean =>
  readFileSync(FILE, 'utf8') === renderReference(readSupergraph())

if (import.meta.main) {
  if (!process.argv.includes('--check')) writeFileSync(FILE, renderReference(readSupergraph()))
  else if (!isReferenceCurrent()) {
    console.error('Run npm run docs:graph: docs/graph.md is out of date')
    process.exitCode = 1
  }
}
