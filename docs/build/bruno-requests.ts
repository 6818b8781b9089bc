/** Requests of the collection for Bruno: each operation of an OpenAPI document, filled with the document's own examples. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'yaml'
import { projectPath } from '#core/config/project-files.ts'

type Json = Record<string, unknown>

/** Writers of Bruno's files, as far as they are used; the package has no types. */
interface BrunoLanguage {
  jsonToBruV2(request: Json): string
  jsonToCollectionBru(collection: Json): string
  envJsonToBruV2(environment: Json): string
}
/** Writers of Bruno's files. */
export const bruno = createRequire(import.meta.url)('@usebruno/lang') as BrunoLanguage

/** Folder of the collection. */
export const FOLDER = 'examples/bruno'
const METHODS = ['post', 'get', 'patch', 'delete']

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly example?: unknown
  readonly schema?: { readonly default?: unknown; readonly example?: unknown }
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly unknown[]
  readonly requestBody?: {
    readonly content?: Record<
      string,
      { readonly examples?: Record<string, { summary?: string; value: unknown }> }
    >
  }
  readonly responses: Record<string, unknown>
}

interface Document {
  readonly info: { readonly title: string; readonly description?: string }
  readonly paths: Record<string, Json>
}

/** Follows a `$ref` within a document. */
const resolve = <Node>(document: Document, node: unknown): Node => {
  const ref = (node as Json | undefined)?.['$ref']
  if (typeof ref !== 'string') return node as Node
  const names = ref.slice(2).split('/')
  return resolve(
    document,
    names.reduce<unknown>((at, name) => (at as Json)[name], document),
  )
}

/**
 * Replaces values of an example that cannot be used twice, or are the reader's own: correlators and references are new ones
 * with each request, and webhooks go to the address of the environment.
 */
const fill = (value: unknown, name = ''): unknown => {
  if (name === 'clientCorrelatorId') return '{{$timestamp}}-{{$randomInt}}'
  if (name === 'referenceCode') return 'R-{{$timestamp}}'
  if (name === 'notificationUrl') return '{{notificationUrl}}'
  if (Array.isArray(value)) return value.map(one => fill(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, key)]))
}

const exampleOf = ({ example, schema }: Parameter): string =>
  String(example ?? schema?.example ?? schema?.default ?? '')

/** Queries that need one of several parameters, which a document cannot say. */
const NEEDED: Readonly<Record<string, string>> = { inquireCustomer: 'phoneNumber' }

/** Name of the variable of an id; one that is called `id` alone is named by what it is of. */
const variableOf = (segment: string, name: string): string =>
  name === 'id' ? `${segment.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id` : name

/** Parameters: those of the path are variables, which the request that creates it fills; optional ones are switched off. */
const parametersOf = (all: readonly Parameter[], path: string, needed?: string) => {
  const query = all
    .filter(one => one.in === 'query')
    .map(one => ({
      name: one.name,
      value: exampleOf(one),
      type: 'query',
      enabled: one.required === true || one.name === needed,
    }))
  const inPath = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, segment, name]) => ({
    name: name!,
    value: `{{${variableOf(segment!, name!)}}}`,
    type: 'path',
    enabled: true,
  }))
  const headers = all
    .filter(one => one.in === 'header')
    .map(one => ({ name: one.name, value: exampleOf(one), enabled: one.required === true }))
  return { params: [...query, ...inPath], headers }
}

const urlOf = (path: string, params: ReturnType<typeof parametersOf>['params']): string => {
  const required = params.filter(({ type, enabled }) => type === 'query' && enabled)
  const search = required.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&')
  return `{{address}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${search && `?${search}`}`
}

/** The variables that a response fills: ids which other paths of the document take. */
const resultsOf = (document: Document, path: string) => {
  const ids = Object.keys(document.paths).flatMap(other => {
    const [, name] = new RegExp(`^${RegExp.escape(path)}/\\{(\\w+)\\}$`).exec(other) ?? []
    return name ? [name] : []
  })
  const segment = path.split('/').at(-1)!
  return ids.map(name => ({ name: variableOf(segment, name), value: `res.body.${name}`, enabled: true }))
}

export interface GeneratedFile {
  readonly filename: string
  readonly content: string
}

interface Place {
  readonly service: string
  readonly document: Document
  readonly path: string
  readonly method: string
}

/** Writes the requests of an operation: one for each example of its body, or one without a body. */
function requestsOf(
  { service, document, path, method }: Place,
  operation: Operation,
  seq: number,
): GeneratedFile[] {
  const { operationId, summary = operationId, description = '', requestBody, responses } = operation
  const parameters = (operation.parameters ?? []).map(one => resolve<Parameter>(document, one))
  const { params, headers } = parametersOf(parameters, path, NEEDED[operationId])
  const content = resolve<Operation['requestBody']>(document, requestBody)?.content?.['application/json']
  const examples = Object.entries(content?.examples ?? {})
  const success = Object.keys(responses).find(status => status.startsWith('2'))
  const bodies: [name: string, title: string, body: unknown][] =
    examples.length > 0
      ? examples.map(([name, { summary: title = name, value }]) => [
          `${operationId}-${name}`,
          `${summary}: ${title}`,
          fill(value),
        ])
      : [[operationId, summary, undefined]]
  return bodies.map(([file, name, body], index) => {
    const results = method === 'post' ? resultsOf(document, path) : []
    const request = {
      meta: { name, type: 'http', seq: seq + index },
      http: { method, url: urlOf(path, params), body: body === undefined ? 'none' : 'json', auth: 'inherit' },
      params,
      headers,
      ...(body !== undefined && { body: { json: JSON.stringify(body, null, 2) } }),
      ...(results.length > 0 && { vars: { res: results } }),
      assertions: [{ name: 'res.status', value: `eq ${success}`, enabled: true }],
      docs: description.trim(),
    }
    return { filename: `${FOLDER}/${service}/${file}.bru`, content: `${bruno.jsonToBruV2(request)}\n` }
  })
}

/** The requests of a document: what creates comes before what reads it. */
export function folderOf(service: string, position: number): GeneratedFile[] {
  const document = parse(readFileSync(projectPath(`schema/${service}.openapi.yaml`), 'utf8')) as Document
  const folder = {
    filename: `${FOLDER}/${service}/folder.bru`,
    content: `${bruno.jsonToCollectionBru({
      meta: { name: document.info.title, seq: position },
      docs: (document.info.description ?? '').trim(),
    })}\n`,
  }
  const requests: GeneratedFile[] = []
  for (const method of METHODS)
    for (const [path, item] of Object.entries(document.paths)) {
      const operation = item[method] as Operation | undefined
      if (operation)
        requests.push(...requestsOf({ service, document, path, method }, operation, requests.length + 1))
    }
  return [folder, ...requests]
}
