/** The OpenAPI documents as a judge of answers: status, headers and body must be what the document of the path says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parse } from 'yaml'
import { DOCUMENTS, SERVICES } from '#subgraphs/names.ts'

export type Json = Record<string, unknown>

export interface DocumentedResponse {
  readonly description: string
  readonly headers?: Record<string, { required?: boolean; schema: Json }>
  readonly content?: Record<string, { schema: Json }>
}

export interface DocumentedOperation {
  readonly service: string
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly roles: readonly string[]
  readonly body?: Json
  readonly responses: Record<string, DocumentedResponse>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export const readOpenApi = (service: string): Json =>
  parse(readFileSync(join(import.meta.dirname, '../../schema', `${service}.openapi.yaml`), 'utf8'))

/** Follows `$ref` within a document. */
export const resolveRef = (document: Json, node: unknown): Json => {
  const ref = (node as Json | undefined)?.['$ref']
  if (typeof ref !== 'string') return node as Json
  const target = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Json)[name], document)
  return resolveRef(document, target)
}

const contentSchema = (document: Json, node: unknown) =>
  (resolveRef(document, node)?.['content'] as Record<string, { schema: Json }> | undefined)?.[
    'application/json'
  ]?.schema

const responsesOf = (document: Json, responses: Json) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, node]) => {
      const response = resolveRef(document, node)
      const headers = Object.entries((response['headers'] ?? {}) as Json).map(([name, header]) => [
        name.toLowerCase(),
        resolveRef(document, header),
      ])
      return [status, { ...response, headers: Object.fromEntries(headers) }]
    }),
  ) as unknown as Record<string, DocumentedResponse>

/** The operations of a service's document. */
export function documentedOperations(service: string): DocumentedOperation[] {
  const document = readOpenApi(service)
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, methods]) =>
    METHODS.filter(method => methods[method]).map(method => {
      const operation = methods[method] as Json
      return {
        service,
        method: method.toUpperCase(),
        path,
        operationId: operation['operationId'] as string,
        roles: operation['x-roles'] as string[],
        body: contentSchema(document, operation['requestBody']),
        responses: responsesOf(document, operation['responses'] as Json),
      }
    }),
  )
}

/** Stricter than the document says aloud: nothing undeclared in a response, and nothing that is write-only. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]))
  const properties = copy['properties'] as Record<string, Json> | undefined
  if (!properties) return copy
  const readable = Object.entries(properties).filter(([, property]) => !property?.['writeOnly'])
  return { ...copy, properties: Object.fromEntries(readable), additionalProperties: false }
}

const createAjv = () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  for (const { document } of DOCUMENTS)
    ajv.addSchema({
      ...(closed({ components: readOpenApi(document)['components'] }) as object),
      $id: document,
    })
  return ajv
}

const ajv = createAjv()
const operations = DOCUMENTS.flatMap(({ document }) => documentedOperations(document))

const compiled = new Map<object, ValidateFunction>()

/** Compiled once for each place of a document: a schema that is not kept is compiled, and kept by Ajv, at every use. */
const validatorOf = (service: string, node: object): ValidateFunction => {
  const known = compiled.get(node)
  if (known) return known
  const validate = ajv.compile(JSON.parse(JSON.stringify(node).replaceAll('"#/', `"${service}#/`)))
  compiled.set(node, validate)
  return validate
}

const faultsOf = (validate: ValidateFunction, value: unknown, what: string): string[] =>
  validate(value)
    ? []
    : validate.errors!.map(
        error => `${what}${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
      )

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Headers with a meaning of the contract: they may stand in a response only where they are declared. */
const CONTRACT_HEADERS = [
  'x-correlator',
  'content-last-key',
  'x-total-count',
  'location',
  'retry-after',
  'ratelimit-policy',
  'ratelimit',
]

const headerFaults = (service: string, declared: DocumentedResponse['headers'] = {}, headers: Headers) => [
  ...CONTRACT_HEADERS.filter(name => headers.has(name) && !declared[name]).map(
    name => `${name} is not declared`,
  ),
  ...Object.entries(declared).flatMap(([name, { required, schema }]) => {
    const text = headers.get(name)
    if (text === null) return required ? [`${name} is missing`] : []
    const value = schema['type'] === 'integer' ? Number(text) : text
    return faultsOf(validatorOf(service, schema), value, name)
  }),
]

/** Each code of a status is explained where the status is declared. */
const codeFaults = ({ description }: DocumentedResponse, { status, body }: Answer) => {
  const { code, status: inBody } = body as { code: string; status: string }
  return [
    ...(description.includes(code) ? [] : [`${code} is not among what is said of ${status}`]),
    ...(inBody === String(status) ? [] : [`status ${inBody} in the body of a ${status}`]),
  ]
}

const ENVELOPE = { $ref: '#/components/schemas/ErrorInfo' }

/** Where no operation stands (404, 405), the envelope is the same. */
const unknownFaults = ({ body, headers }: Answer) => [
  ...faultsOf(validatorOf(SERVICES[0]!.name, ENVELOPE), body, 'body'),
  ...(headers.has('x-correlator') ? [] : ['x-correlator is missing']),
]

/** Deviations of a response from the documents. */
export function faultsOfAnswer(method: string, path: string, answer: Answer): string[] {
  const operation = operations.find(one => one.method === method && matches(one.path, path))
  if (!operation) return unknownFaults(answer)
  const response = operation.responses[String(answer.status)]
  if (!response) return [`${operation.operationId} does not declare ${answer.status}`]
  const schema = response.content?.['application/json']?.schema
  return [
    ...(schema ? faultsOf(validatorOf(operation.service, schema), answer.body, 'body') : []),
    ...headerFaults(operation.service, response.headers, answer.headers),
    ...(answer.status >= 400 ? codeFaults(response, answer) : []),
  ]
}

interface DocumentedCallback {
  parameters: { name: string; required?: boolean; schema: Json }[]
  requestBody: { content: Record<string, { examples: Record<string, { value: Json }> }> }
}

interface WithCallback {
  callbacks?: { eventNotifications: Record<string, { post: DocumentedCallback }> }
}

const callbackOf = (service: string): DocumentedCallback => {
  const paths = Object.values(readOpenApi(service)['paths'] as Record<string, { post?: WithCallback }>)
  const { callbacks } = paths.find(({ post }) => post?.callbacks)!.post!
  return Object.values(callbacks!.eventNotifications)[0]!.post
}

/** The callback's example of this name. */
export const callbackExample = (service: string, name: string): Json =>
  callbackOf(service).requestBody.content['application/json']!.examples[name]!.value

/** Deviations of the headers of a call to a receiver from the document. */
export function faultsOfCallback(service: string, headers: NodeJS.Dict<string | string[]>): string[] {
  const { parameters } = callbackOf(service)
  const declared = Object.fromEntries(parameters.map(({ name, ...one }) => [name, one]))
  const sent = Object.entries(headers).filter(([name]) => /^(x|webhook)-/.test(name)) as [string, string][]
  return [
    ...sent.filter(([name]) => !declared[name]).map(([name]) => `${name} is not declared`),
    ...headerFaults(service, declared, new Headers(sent)),
  ]
}
