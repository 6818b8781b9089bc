/** Trusted documents: a request that names one by an id gets its text before anything else reads it. */

import { type OperationDefinitionNode, parse } from 'graphql'
import { hashOf, type TrustedText } from '#core/config/trusted-documents.ts'
import { invalid, type ServiceError } from '#core/errors/catalogue.ts'
import type { HttpRequest } from '#core/http/exchange.ts'
import { currentFacts } from '#core/observability/request-facts.ts'

/** Trusted document with the name of its operation. */
export interface TrustedDocument extends TrustedText {
  /** Name of its only operation; undefined without a name, or with several operations. */
  readonly operationName: string | undefined
}

export interface TrustedDocuments extends Iterable<TrustedDocument> {
  /** Whether only trusted documents are executed. */
  readonly only: boolean
  /** Finds a text by its id or its SHA-256. */
  textOf(id: string): string | undefined
  /** @throws ServiceError INVALID_ARGUMENT for another text where only trusted ones are executed. */
  checkText(text: string): void
}

const isOperation = (node: { kind: string }): node is OperationDefinitionNode =>
  node.kind === 'OperationDefinition'

/** Name of the only operation; a text that cannot be parsed has none, and is reported at the start. */
const operationNameOf = (text: string): string | undefined => {
  try {
    const operations = parse(text, { noLocation: true }).definitions.filter(isOperation)
    return operations.length === 1 ? operations[0]!.name?.value : undefined
  } catch {
    return undefined
  }
}

const HOW =
  'this server executes trusted documents alone: name one by its id (documentId, or extensions.persistedQuery.sha256Hash), or send its text unchanged'

/** Makes the error of an operation that is not trusted. */
const notTrusted = (what: string): ServiceError =>
  invalid(`${what} is not among the trusted documents, and ${HOW}`, { reason: 'NOT_TRUSTED' })

/** Texts by their ids, by `sha256:` and their hash (GraphQL over HTTP, "Persisted Documents"), and by the hash alone. */
const index = (documents: readonly TrustedText[]): ReadonlyMap<string, string> =>
  new Map([
    ...documents.flatMap(({ text }) =>
      [hashOf(text), `sha256:${hashOf(text)}`].map(id => [id, text] as const),
    ),
    ...documents.map(({ id, text }) => [id, text] as const),
  ])

/** Makes the trusted documents of the settings. */
export function createTrustedDocuments(setting: {
  readonly documents: readonly TrustedText[]
  readonly only: boolean
}): TrustedDocuments {
  const byId = index(setting.documents)
  const texts = new Set(setting.documents.map(({ text }) => text))
  const named = setting.documents.map(one => ({ ...one, operationName: operationNameOf(one.text) }))
  return {
    only: setting.only,
    textOf: id => byId.get(id),
    checkText(text) {
      if (setting.only && !texts.has(text)) throw notTrusted('The operation')
    },
    [Symbol.iterator]: () => named[Symbol.iterator](),
  }
}

/** Request with fields of unknown types. */
export type AnyRequest = Readonly<Record<string, unknown>>

/** Names of an id: of the specification (GraphQL over HTTP, "Persisted Documents"), and of Relay's network layers. */
const ID_NAMES = ['documentId', 'doc_id', 'id'] as const

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isRecord = (value: unknown): value is AnyRequest => typeof value === 'object' && value !== null

/** Hash as Apollo's clients send it; the server refuses other versions of the protocol. */
const hashIn = (extensions: unknown): string | undefined => {
  const persisted = isRecord(extensions) ? extensions['persistedQuery'] : undefined
  if (!isRecord(persisted) || persisted['version'] !== 1) return undefined
  return isText(persisted['sha256Hash']) ? persisted['sha256Hash'] : undefined
}

/** Removes the hash by which the text was found: the server must not look it up again, or compare it with the text. */
const withoutHash = (extensions: unknown) => {
  if (!isRecord(extensions)) return {}
  const { persistedQuery: _, ...rest } = extensions
  return { extensions: rest }
}

const unknownDocument = (id: string) =>
  invalid(`No trusted document has the id ${JSON.stringify(id.slice(0, 100))}`, {
    reason: 'UNKNOWN_DOCUMENT',
  })

/** Finds the id in a request, under any of the names. */
export const documentIdOf = (request: AnyRequest): string | undefined =>
  ID_NAMES.map(name => request[name]).find(isText)

/** Finds the text that a request names; undefined where the server may know an unknown hash. */
function textFor(documents: TrustedDocuments, request: AnyRequest): string | undefined {
  const id = documentIdOf(request)
  const hash = hashIn(request['extensions'])
  for (const one of [id, hash]) {
    const text = documents.textOf(one ?? '')
    if (text === undefined) continue
    const facts = currentFacts()
    if (facts) facts.operationId = one
    return text
  }
  if (documents.only) throw notTrusted('What the request names')
  if (id !== undefined && hash === undefined) throw unknownDocument(id)
  return undefined
}

/**
 * Puts the text into a request that names a document; any other request is returned unchanged.
 * @throws ServiceError INVALID_ARGUMENT for an unknown id, and for an operation that is not trusted where only those are executed.
 */
export function resolveDocument<Request extends object>(
  documents: TrustedDocuments,
  request: Request,
): Request {
  const { query, extensions } = request as AnyRequest
  if (isText(query)) {
    documents.checkText(query)
    return request
  }
  const text = textFor(documents, request as AnyRequest)
  return text === undefined ? request : { ...request, query: text, ...withoutHash(extensions) }
}

const EXTENSIONS = 'extensions'

/** Parses JSON; undefined for another text, which the server reports. */
const parsed = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return text
  }
}

/** Reads the parameters of a GET; `extensions` is JSON. */
const fromAddress = (parameters: URLSearchParams): AnyRequest => ({
  ...Object.fromEntries(parameters),
  extensions: parsed(parameters.get(EXTENSIONS)),
})

/** Writes the text into the address in place of the id, since Apollo Server reads a GET there. */
const writeAddress = (request: HttpRequest, { query, extensions }: AnyRequest): void => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  for (const name of [...ID_NAMES, EXTENSIONS]) searchParams.delete(name)
  searchParams.set('query', String(query))
  if (extensions) searchParams.set(EXTENSIONS, JSON.stringify(extensions))
  request.raw.url = `${pathname}?${searchParams}`
  request.query = Object.fromEntries(searchParams)
}

const resolveGet = (documents: TrustedDocuments, request: HttpRequest): void => {
  const named = fromAddress(new URL(request.url, 'http://localhost').searchParams)
  const resolved = resolveDocument(documents, named)
  if (resolved !== named) writeAddress(request, resolved)
}

/**
 * Puts the text into an HTTP request that names a document.
 * @throws ServiceError INVALID_ARGUMENT as `resolveDocument` does.
 */
export function resolveRequest(documents: TrustedDocuments, request: HttpRequest): void {
  const { method, body } = request
  if (method === 'GET') resolveGet(documents, request)
  // Apollo Server refuses a batch, and a body that is no object.
  else if (typeof body === 'object' && body !== null && !Array.isArray(body))
    request.body = resolveDocument(documents, body)
}
