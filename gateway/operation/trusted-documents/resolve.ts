/** A request that names a document by an id becomes one that has its text, before anything else looks at it. */
import { invalid } from '#core/errors/catalogue.ts'
import { notTrusted, type TrustedDocuments } from './documents.ts'

/** A request, as far as it is looked at here: of whatever came, nothing is known. */
export type AnyRequest = Readonly<Record<string, unknown>>

/** The specification's name of an id (GraphQL over HTTP, "Persisted Documents"), and those of Relay's network layers. */
export const ID_NAMES = ['documentId', 'doc_id', 'id'] as const

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isRecord = (value: unknown): value is AnyRequest => typeof value === 'object' && value !== null

/** As Apollo's clients name it; another version than the first is left to the server, which refuses it. */
const hashIn = (extensions: unknown): string | undefined => {
  const persisted = isRecord(extensions) ? extensions['persistedQuery'] : undefined
  if (!isRecord(persisted) || persisted['version'] !== 1) return undefined
  return isText(persisted['sha256Hash']) ? persisted['sha256Hash'] : undefined
}

/** The text was found by it: the server need not look for it again, nor hold the text against the id, which may be any. */
const withoutHash = (extensions: unknown) => {
  if (!isRecord(extensions)) return {}
  const { persistedQuery: _, ...rest } = extensions
  return { extensions: rest }
}

const unknownDocument = (id: string) =>
  invalid(`No trusted document has the id ${JSON.stringify(id.slice(0, 100))}`, {
    reason: 'UNKNOWN_DOCUMENT',
  })

/** The id of a document that a request names, by whichever of the names. */
export const documentIdOf = (request: AnyRequest): string | undefined =>
  ID_NAMES.map(name => request[name]).find(isText)

/** The text that a request names; undefined where the server may know by the hash what is not known here. */
function textFor(documents: TrustedDocuments, request: AnyRequest): string | undefined {
  const id = documentIdOf(request)
  const hash = hashIn(request['extensions'])
  const [text] = [id, hash].flatMap(one => documents.textOf(one ?? '') ?? [])
  if (text !== undefined) return text
  if (documents.only) throw notTrusted('What the request names')
  if (id !== undefined && hash === undefined) throw unknownDocument(id)
  return undefined
}

/**
 * The request with the text that it names; the same request where there is nothing to be done.
 * @throws ServiceError INVALID_ARGUMENT for an id that is not known, and for what is not trusted where only that is executed.
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
