/** The GraphQL request of an event stream, and the test whether a request wants such a stream. */
import type { FastifyRequest } from 'fastify'
import { invalid, invalidField } from '#core/errors/catalogue.ts'
import type { Reason } from '#core/errors/reasons.ts'
import type { GraphRequest } from '#core/streams/result-stream.ts'
import { isObject } from '#core/values/json.ts'
import { type Query, requireUtf8 } from '#core/values/text.ts'
import { type AnyRequest, documentIdOf } from '../operation/trusted-documents.ts'

const NO_HEAD = { status: 405, reason: 'METHOD_NOT_ALLOWED', headers: { allow: 'GET, POST' } } as const

const parseParameter = (name: string, text: unknown): Record<string, unknown> | undefined => {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text as string)
  } catch {
    throw invalidField(name, 'BAD_FORMAT', 'must be JSON')
  }
}

const fromQuery = ({ query }: FastifyRequest): GraphRequest => {
  requireUtf8(query as Query)
  const text = query as Record<string, string | undefined>
  return {
    query: text['query'],
    documentId: documentIdOf(text),
    operationName: text['operationName'],
    variables: parseParameter('variables', text['variables']),
    extensions: parseParameter('extensions', text['extensions']),
  }
}

const fromBody = ({ body }: FastifyRequest): GraphRequest => {
  if (!isObject(body)) throw invalid('the request body must be a JSON object with a query')
  const { query, operationName, variables, extensions } = body as GraphRequest
  return { query, documentId: documentIdOf(body as AnyRequest), operationName, variables, extensions }
}

const mustBeText = (name: string, reason: Reason = 'WRONG_TYPE') =>
  invalidField(name, reason, 'must be a text')

/** Checks the types as graphql-http does, which knows no persisted queries: those have no text. */
const checkTypes = ({ query, documentId, operationName, variables, extensions }: GraphRequest): void => {
  for (const [name, value] of Object.entries({ query, operationName })) {
    if (value != null && typeof value !== 'string') throw mustBeText(name)
  }
  for (const [name, value] of Object.entries({ variables, extensions })) {
    if (value != null && !isObject(value)) throw invalidField(name, 'WRONG_TYPE', 'must be an object')
  }
  if ((query ?? documentId) == null && extensions?.['persistedQuery'] == null)
    throw mustBeText('query', 'REQUIRED')
}

/**
 * Reads the GraphQL request of an HTTP request.
 * @throws ServiceError INVALID_ARGUMENT when there is none; with status 405 for HEAD.
 */
export function graphRequestOf(request: FastifyRequest): GraphRequest {
  if (request.method === 'HEAD') throw invalid('Event streams are possible by GET and POST alone', NO_HEAD)
  const read = request.method === 'GET' ? fromQuery(request) : fromBody(request)
  checkTypes(read)
  const { query, documentId, operationName, variables, extensions } = read
  return {
    query: query ?? undefined,
    documentId,
    operationName: operationName ?? undefined,
    variables: variables ?? undefined,
    extensions: extensions ?? undefined,
  }
}
