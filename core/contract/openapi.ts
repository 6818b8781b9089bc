/** A service's OpenAPI document as the adapter uses it: its operations, and schemas fit for validating and writing. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Role } from '../access/principal.ts'
import { projectPath } from '../config/project-folder.ts'
import { parseDocument } from './parsed-documents.ts'

const SCHEMA_FOLDER = projectPath('schema')

export interface OperationContract {
  readonly operationId: string
  readonly method: string
  /** As in the document, e.g. `/prepaid/v1/recharges/{rechargeId}`. */
  readonly path: string
  /** Who may call it (`x-roles`). */
  readonly roles: readonly Role[]
  /** The reference to the schema of the body that it takes, if any. */
  readonly body?: string
  /** As in the document, by status. */
  readonly responses: RawOperation['responses']
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

const documents = new Map<string, OpenApiDocument>()

/** Reads `schema/<service>.openapi.yaml`, which is shared by all who read it. */
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
})

/** `/payments/{paymentId}` as the router writes it. */
export const routeOf = (path: string): string => path.replaceAll('{', ':').replaceAll('}', '')

/** The operations of a document, in its order. */
export const operationsOf = ({ paths }: OpenApiDocument): OperationContract[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap(method => (methods[method] ? [toOperation(path, method, methods[method])] : [])),
  )
