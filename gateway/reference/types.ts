/** The types of the graph as Markdown, and the examples of its root fields: an operation named like each field. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ConstDirectiveNode,
  DEFAULT_DEPRECATION_REASON,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type StringValueNode,
} from 'graphql'
import { REQUIRES_ROLE } from '#core/graph/required-roles.ts'

type MemberNode = FieldDefinitionNode | InputValueDefinitionNode

/** A definition of a type of any kind. */
export interface TypeNode {
  readonly kind: string
  readonly name: { readonly value: string }
  readonly description?: StringValueNode
  readonly fields?: readonly MemberNode[]
  readonly values?: readonly (Directed & {
    readonly name: { value: string }
    readonly description?: StringValueNode
  })[]
  readonly interfaces?: readonly { readonly name: { value: string } }[]
}

/** The types that clients see: those of the supergraph without the ones by which the gateway plans. */
export const typesOf = (sdl: string): readonly TypeNode[] =>
  parse(sdl)
    .definitions.filter(isTypeDefinitionNode)
    .filter(({ name }) => !/^(join|link)__/.test(name.value))

/** A description in one line; empty when there is none. */
export const textOf = ({ description }: { description?: StringValueNode }): string =>
  (description?.value ?? '').replace(/\s+/g, ' ').trim()

/** The arguments of a field; an input's fields have none. */
export const argumentsOf = (field: MemberNode): readonly InputValueDefinitionNode[] =>
  'arguments' in field ? (field.arguments ?? []) : []

interface Directed {
  readonly directives?: readonly ConstDirectiveNode[]
}

/** Notice of what goes some day, with the reason of `@deprecated`; empty for anything else. */
const deprecationOf = ({ directives = [] }: Directed): string => {
  const found = directives.find(({ name }) => name.value === 'deprecated')
  const reason = found?.arguments?.find(({ name }) => name.value === 'reason')?.value
  if (!found) return ''
  return ` **Deprecated:** ${reason?.kind === Kind.STRING ? reason.value : DEFAULT_DEPRECATION_REASON}.`
}

/** Roles that may ask for a field, by `@requiresRole`; empty where the schema says nothing. */
const rolesOf = ({ directives = [] }: Directed): string => {
  const found = directives.find(({ name }) => name.value === REQUIRES_ROLE)
  const roles = found?.arguments?.find(({ name }) => name.value === 'anyOf')?.value
  if (roles?.kind !== Kind.LIST) return ''
  return ` _Roles: ${roles.values.map(print).join(', ')}._`
}

const describeArgument = (argument: InputValueDefinitionNode) => {
  const fallback = argument.defaultValue ? ` = ${print(argument.defaultValue)}` : ''
  return `- \`${argument.name.value}: ${print(argument.type)}${fallback}\`: ${textOf(argument)}${deprecationOf(argument)}`
}

const describeField = (field: MemberNode) =>
  [
    `- \`${field.name.value}: ${print(field.type)}\`: ${textOf(field)}${rolesOf(field)}${deprecationOf(field)}`,
    ...argumentsOf(field).map(argument => `  ${describeArgument(argument)}`),
  ].join('\n')

const inParagraphs = (parts: readonly string[]) => parts.filter(part => part !== '').join('\n\n')

/** A type with its fields or values, under a heading of its own. */
export const describeType = (type: TypeNode): string => {
  const { name, fields = [], values = [], interfaces = [] } = type
  const also = interfaces.length > 0 ? `Implements ${interfaces.map(one => one.name.value).join(', ')}.` : ''
  const members = [
    ...fields.map(describeField),
    ...values.map(value => `- \`${value.name.value}\`: ${textOf(value)}${deprecationOf(value)}`),
  ]
  return inParagraphs([`### ${name.value}`, textOf(type), also, members.join('\n')])
}

/** A field of a root type under a heading of its own, with its example. */
export const describeRootField = (root: string, field: MemberNode, example: string): string =>
  inParagraphs([
    `### ${root}.${field.name.value}`,
    `\`${field.name.value}: ${print(field.type)}\``,
    `${textOf(field)}${rolesOf(field)}${deprecationOf(field)}`,
    argumentsOf(field).map(describeArgument).join('\n'),
    `\`\`\`graphql\n${example}\n\`\`\``,
  ])

const FOLDER = join(import.meta.dirname, '../../schema/examples')
const FILES = ['queries', 'mutations', 'subscriptions']

/** The root types in the order of the reference, with the operations that begin at them. */
export const ROOTS: Readonly<Record<string, OperationTypeNode>> = {
  Query: OperationTypeNode.QUERY,
  Mutation: OperationTypeNode.MUTATION,
  Subscription: OperationTypeNode.SUBSCRIPTION,
}

export interface FieldExample {
  readonly operation: OperationTypeNode
  /** Field of the root type, which is the operation's name. */
  readonly field: string
  /** Text of its file. */
  readonly text: string
}

const toExample = (source: string, { operation, name, loc }: OperationDefinitionNode): FieldExample => ({
  operation,
  field: name!.value,
  text: source.slice(loc!.start, loc!.end),
})

const readFile = (name: string): FieldExample[] => {
  const source = readFileSync(join(FOLDER, `${name}.graphql`), 'utf8')
  return parse(source)
    .definitions.filter(node => node.kind === Kind.OPERATION_DEFINITION)
    .map(node => toExample(source, node))
}

/** Every example of `schema/examples`. */
export const readFieldExamples = (): FieldExample[] => FILES.flatMap(readFile)
