/** A service's OpenAPI document as the adapter uses it: its operations, and schemas fit for validating and writing. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Role } from '../access/principal.ts'

const SCHEMA_FOLDER = join(import.meta.dirname, '../../../schema')

export interface OperationContract {
  readonly operationId: string
  readonly method: string
  /** As in the document, e.g. `/prepaid/v1/recharges/{rechargeId}`. */
  readonly path: string
  /** Who may call it (`x-roles`). */
  readonly roles: readonly Role[]
  /** Whether it takes a body. */
  readonly hasBody: boolean
  /** Whether it is a list, whose every 400 is OUT_OF_RANGE. */
  readonly isList: boolean
}

/** An operation as the document writes it, as far as it is read; bodies are JSON, by a named schema. */
interface RawOperation {
  operationId: string
  'x-roles': Role[]
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

/** Reads `schema/<service>.openapi.yaml`. */
export const readDocument = (service: string, folder?: string): OpenApiDocument =>
  parse(readDocumentText(service, folder))

const toOperation = (path: string, method: string, raw: RawOperation): OperationContract => ({
  operationId: raw.operationId,
  method: method.toUpperCase(),
  path,
  roles: raw['x-roles'],
  hasBody: raw.requestBody !== undefined,
  isList: 'X-Total-Count' in (raw.responses['200']?.headers ?? {}),
})

/** The operations of a document, in its order. */
export const operationsOf = ({ paths }: OpenApiDocument): OperationContract[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap(method => (methods[method] ? [toOperation(path, method, methods[method])] : [])),
  )

/** Left out of what the server runs on, because the contract's answers echo what was sent, defaults not filled in. */
const withoutDefaults = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutDefaults)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).filter(
    ([name, value]) => name !== 'default' || typeof value === 'object',
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutDefaults(value)]))
}

/**
 * The document as the routes are built from it. Parameters are left out: list queries have an error code of their
 * own and are read by the services, and a header schema would strip the headers it does not name.
 */
export function routable(document: OpenApiDocument): OpenApiDocument {
  const copy = withoutDefaults(document) as OpenApiDocument
  for (const methods of Object.values(copy.paths)) {
    for (const operation of Object.values(methods)) delete operation.parameters
  }
  return copy
}
