/** The schemas that an operation's responses are written by. */
import type { OpenApiDocument, OperationContract } from './openapi.ts'

/** Schemas by status and media type, as Fastify takes them. */
export type ResponseSchemas = Readonly<Record<string, { content: Contents }>>

/** What a reference within the document points at. @throws Error when there is nothing. */
const targetOf = (document: OpenApiDocument, reference: string): unknown => {
  const names = reference.split('/').slice(1)
  const target = names.reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document)
  if (target === undefined) throw new Error(`${document.info.title}: ${reference} leads nowhere`)
  return target
}

/**
 * The contract's responses echo what was sent, so that no default is filled in. Members stand in the order of the
 * document, where the writer would put those first that are required.
 */
const isWritten = ([name, value]: Entry) =>
  !(name === 'default' && typeof value !== 'object') && !(name === 'required' && Array.isArray(value))

type Entry = [name: string, value: unknown]

/**
 * The node with what it refers to in place of the references.
 * @param keeps says which of its entries stay.
 * @throws Error where a reference leads nowhere.
 */
export const resolveReferences = (
  document: OpenApiDocument,
  node: unknown,
  keeps: (entry: Entry) => boolean = () => true,
): unknown => {
  if (Array.isArray(node)) return node.map(item => resolveReferences(document, item, keeps))
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node && typeof node.$ref === 'string')
    return resolveReferences(document, targetOf(document, node.$ref), keeps)
  const entries = Object.entries(node).filter(keeps)
  return Object.fromEntries(entries.map(([name, value]) => [name, resolveReferences(document, value, keeps)]))
}

type Contents = Record<string, { schema: object }>

/** The schema of each media type, without the examples that stand beside it. */
const schemasOf = (contents: Contents): Contents =>
  Object.fromEntries(Object.entries(contents).map(([type, { schema }]) => [type, { schema }]))

/**
 * The schemas of an operation's responses; a response without a body has none.
 * @throws Error when the document refers to what it does not have.
 */
export function responseSchemas(
  document: OpenApiDocument,
  { responses }: Pick<OperationContract, 'responses'>,
): ResponseSchemas {
  const schemas = Object.entries(responses).flatMap(([status, response]) => {
    const { content } = resolveReferences(document, response, isWritten) as { content?: Contents }
    return content ? [[status, { content: schemasOf(content) }] as const] : []
  })
  return Object.fromEntries(schemas)
}
