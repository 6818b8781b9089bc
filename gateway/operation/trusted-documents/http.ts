/** Trusted documents over HTTP: whoever reads the request after this finds a text in it. */
import type { FastifyRequest } from 'fastify'
import type { TrustedDocuments } from './documents.ts'
import { type AnyRequest, ID_NAMES, resolveDocument } from './resolve.ts'

const EXTENSIONS = 'extensions'

/** What cannot be read is left to the server, which says so. */
const parsed = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return text
  }
}

/** The parameters of a GET, of which `extensions` is JSON. */
const fromAddress = (parameters: URLSearchParams): AnyRequest => ({
  ...Object.fromEntries(parameters),
  extensions: parsed(parameters.get(EXTENSIONS)),
})

/** The address has the text in place of the id, since that is where whoever serves a GET reads it. */
const writeAddress = (request: FastifyRequest, { query, extensions }: AnyRequest): void => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  for (const name of [...ID_NAMES, EXTENSIONS]) searchParams.delete(name)
  searchParams.set('query', String(query))
  if (extensions) searchParams.set(EXTENSIONS, JSON.stringify(extensions))
  request.raw.url = `${pathname}?${searchParams}`
  request.query = Object.fromEntries(searchParams)
}

const resolveGet = (documents: TrustedDocuments, request: FastifyRequest): void => {
  const asked = fromAddress(new URL(request.url, 'http://localhost').searchParams)
  const resolved = resolveDocument(documents, asked)
  if (resolved !== asked) writeAddress(request, resolved)
}

/**
 * Puts the text into a request that names a document.
 * @throws ServiceError INVALID_ARGUMENT as `resolveDocument` does.
 */
export function resolveRequest(documents: TrustedDocuments, request: FastifyRequest): void {
  const { method, body } = request
  if (method === 'GET') resolveGet(documents, request)
  // A batch, and what is no object at all, is refused by who reads it.
  else if (typeof body === 'object' && body !== null && !Array.isArray(body))
    request.body = resolveDocument(documents, body)
}
