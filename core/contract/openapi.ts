/** A service's OpenAPI document as the REST adapter uses it: its operations, and the schemas of their responses. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Role } from '../access/principal.ts'
import { keptFile, keptJson, projectPath } from '../config/project-files.ts'

/** The file in which the document of a YAML text is kept: parsing it anew takes most of a start. */
export const keptDocument = (text: string): string =>
  keptFile(`document-${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`)

/** Parses a YAML text of this installation, unless an earlier start has parsed the same. */
export const parseDocument = (text: string): unknown =>
  // The parser is loaded where there is something to parse, which most starts have not.
  keptJson(keptDocument(text), () =>
    (createRequire(import.meta.url)('yaml') as typeof import('yaml')).parse(text),
  )

const SCHEMA_FOLDER = projectPath('schema')

export interface OperationContract {
  readonly operationId: string
  readonly method: string
  /** Path as in the document, e.g. `/prepaid/v1/recharges/{rechargeId}`. */
  readonly path: string
  /** The roles of clients that may call it (`x-roles`). */
  readonly roles: readonly Role[]
  /** The reference to the schema of the body that it takes, if any. */
  readonly body?: string
  /** Responses as in the document, by status. */
  readonly responses: RawOperation['responses']
  /** Whether it is a list, whose every 400 is OUT_OF_RANGE. */
  readonly isList: boolean
  /** Whether it may wait longer than other requests may take (`x-waits`): its service serves it by itself. */
  readonly waits: boolean
}

/** An operation as the document writes it, as far as it is read; bodies are JSON, by a named schema. */
interface RawOperation {
  operationId: string
  'x-roles': Role[]
  'x-waits'?: boolean
  parameters?: unknown[]
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } }
  responses: Record<string, { headers?: Record<string, unknown> }>
}

export interface OpenApiDocument {
  info: { title: string; version: string; description?: string }
  paths: Record<string, Record<string, RawOperation>>
  components: Record<string, Record<string, unknown>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** The text of `schema/<service>.openapi.yaml`. */
export const readDocumentText = (service: string, folder = SCHEMA_FOLDER): string =>
  readFileSync(join(folder, `${service}.openapi.yaml`), 'utf8')

const documents = new Map<string, OpenApiDocument>()

/** Reads `schema/<service>.openapi.yaml`; all callers share one document. */
export function readDocument(service: string, folder = SCHEMA_FOLDER): OpenApiDocument {
  const key = join(folder, service)
  const document = documents.get(key) ?? (parseDocument(readDocumentText(service, folder)) as OpenApiDocument)
  documents.set(key, document)
  return document
}

const toOperation = (path: string, method: string, raw: RawOperation): OperationContract => ({
  operationId: raw.operationId,
  method: method.toUpperCase(),
  path,
  roles: raw['x-roles'],
  body: raw.requestBody?.content['application/json'].schema.$ref,
  responses: raw.responses,
  isList: 'X-Total-Count' in (raw.responses['200']?.headers ?? {}),
  waits: raw['x-waits'] === true,
})

/** Path as the router writes it, from `/payments/{paymentId}`. */
export const routeOf = (path: string): string => path.replaceAll('{', ':').replaceAll('}', '')

/** The operations of a document, in its order. */
export const operationsOf = ({ paths }: OpenApiDocument): OperationContract[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap(method => (methods[method] ? [toOperation(path, method, methods[method])] : [])),
  )

/** Schemas by status and media type, as Fastify takes them. */
type ResponseSchemas = Readonly<Record<string, { content: Contents }>>

/**
 * Finds the target of a reference within the document.
 * @throws Error when there is none.
 */
const targetOf = (document: OpenApiDocument, reference: string): unknown => {
  const names = reference.split('/').slice(1)
  const target = names.reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document)
  if (target === undefined) throw new Error(`${document.info.title}: ${reference} leads nowhere`)
  return target
}

/**
 * Schema entries that a response is written by. The contract's responses echo what was sent, so that no default is
 * filled in. Members stand in the order of the document, where the writer would put required ones first.
 */
const isWritten = ([name, value]: Entry) =>
  !(name === 'default' && typeof value !== 'object') && !(name === 'required' && Array.isArray(value))

type Entry = [name: string, value: unknown]

/**
 * Replaces references in a node by what they refer to.
 * @param keeps selects the entries that stay.
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
