/** The schema that clients see, as SDL: without the directives by which the gateway plans, with those that say what holds. */
import { Supergraph } from '@apollo/federation-internals'
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
} from 'graphql'
import { REQUIRES_ROLE } from '#core/graph/required-roles.ts'

/** Directives that clients are shown: who may ask for a field, what it costs, and whether null means an error. */
const SHOWN: ReadonlySet<string> = new Set([REQUIRES_ROLE, 'cost', 'listSize', 'semanticNonNull'])

const isShown = ({ name }: ConstDirectiveNode | DirectiveDefinitionNode): boolean => SHOWN.has(name.value)

type FieldsNode = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode

const hasFields = (node: DefinitionNode): node is FieldsNode =>
  node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION

/** Fields of a document by `Type.field`, with the directives that are shown, and the definitions of these. */
const directivesIn = (sdl: string) => {
  const fields = new Map<string, string>()
  const definitions: string[] = []
  for (const node of parse(sdl, { noLocation: true }).definitions) {
    if (node.kind === Kind.DIRECTIVE_DEFINITION && isShown(node)) definitions.push(print(node))
    if (!hasFields(node)) continue
    for (const { name, directives = [] } of node.fields ?? []) {
      const shown = directives.filter(isShown).map(print)
      if (shown.length > 0) fields.set(`${node.name.value}.${name.value}`, shown.join(' '))
    }
  }
  return { fields, definitions }
}

/** Writes directives behind the fields of a printed schema, the last first, so that no place before them moves. */
const withDirectives = (sdl: string, fields: ReadonlyMap<string, string>): string => {
  const places: { readonly at: number; readonly text: string }[] = []
  const note = (type: string, nodes: readonly FieldDefinitionNode[] = []) => {
    for (const { name, loc } of nodes) {
      const text = fields.get(`${type}.${name.value}`)
      if (text && loc) places.push({ at: loc.end, text })
    }
  }
  for (const node of parse(sdl).definitions) if (hasFields(node)) note(node.name.value, node.fields)
  let written = sdl
  for (const { at, text } of places.toReversed())
    written = `${written.slice(0, at)} ${text}${written.slice(at)}`
  return written
}

/** Prints the schema that clients see of a supergraph. */
export function apiSchemaOf(supergraphSdl: string): string {
  const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false })
  const printed = printSchema(supergraph.apiSchema().toGraphQLJSSchema({ includeDefer: true }))
  const { fields, definitions } = directivesIn(supergraphSdl)
  return `${[...definitions, withDirectives(printed, fields)].join('\n\n')}\n`
}
