/** Every operation that the repository writes down: examples, documentation, and the texts of its tests and benchmarks. */
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  typeFromAST,
  validate,
} from 'graphql'
import { nodesIn, type SyntaxNode } from '#test/source/syntax.ts'
import { blocksOf, PAGES } from '#test/support/docs.ts'
import { findFiles, readText, SOURCES } from '#test/support/sources.ts'
import { jsonOf } from './input-values.ts'
import { createRandom } from './random.ts'

/** An operation, and the request that a client makes of it. */
export interface OperationRequest {
  readonly document: DocumentNode
  /** Its text; each text is planned once. */
  readonly text: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

/** A text that is not put together from parts. */
interface Literal extends SyntaxNode {
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[]
}

const textOf = ({ type, value, quasis }: Literal): string[] => {
  if (type === 'StringLiteral') return [String(value)]
  return type === 'TemplateLiteral' && quasis?.length === 1 ? [quasis[0]!.value.cooked] : []
}

const inSources = (): string[] =>
  SOURCES.filter(({ file, generated }) => /^(test|bench|cli)\//.test(file) && !generated)
    .flatMap(({ text }) => nodesIn(text))
    .flatMap(node => textOf(node as Literal))
    .filter(text => /^\s*(#.*\n\s*)*(\{|query|mutation)/.test(text))

const inPages = (): string[] =>
  PAGES.flatMap(page => blocksOf(readText(page)))
    .filter(({ language }) => language === 'graphql')
    .map(({ text }) => text)

const inDocuments = (): string[] => findFiles('schema/{examples,operations}/*.graphql').map(readText)

const parsed = (text: string, schema: GraphQLSchema) => {
  try {
    const document = parse(text)
    return validate(schema, document).length === 0 ? [{ text, document }] : []
  } catch {
    return []
  }
}

/** A value for each variable that must have one. */
const variablesFor = (schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) => {
  const wanted = variableDefinitions.filter(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue,
  )
  return Object.fromEntries(
    wanted.map(({ variable, type }) => {
      const { value } = variable.name
      return [value, jsonOf(typeFromAST(schema, type) as GraphQLInputType, createRandom(value))]
    }),
  )
}

const isWhole = (node: { kind: string }): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION &&
  (node as OperationDefinitionNode).operation !== OperationTypeNode.SUBSCRIPTION

/** Fields that each request changes: what was asked, who was looked at, and what is left of quotas. */
const CHANGING = new Set(['requests', 'requestSummary', 'accessRecords', 'auditLog', 'clientLimits'])

/** Whether an operation is answered otherwise each time that it is sent. */
export const changesByAsking = ({ selectionSet }: OperationDefinitionNode): boolean =>
  selectionSet.selections.some(one => one.kind === Kind.FIELD && CHANGING.has(one.name.value))

/** Valid operations, each once, with variables that fit. */
export function repositoryOperations(schema: GraphQLSchema): OperationRequest[] {
  const texts = new Set([...inDocuments(), ...inPages(), ...inSources()])
  return [...texts]
    .flatMap(text => parsed(text, schema))
    .flatMap(({ text, document }) =>
      document.definitions.filter(isWhole).map(operation => ({
        document,
        text,
        operationName: operation.name?.value,
        variables: variablesFor(schema, operation),
      })),
    )
}
