/**
 * Validators of answers: a strong ETag made of the bytes of a GET, and 304 for a client that has them already (RFC 9110 §8.8.3,
 * §13.1.2). An encoding has an ETag of its own, since its bytes are other ones.
 */
import { hash } from 'node:crypto'
import type { HttpReply, HttpRequest } from './exchange.ts'

/** Answer that several requests get, with the hash of what it is written as, once that is known. */
export interface SharedAnswer {
  hash?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Stored answer that the request is answered with. */
    stored?: SharedAnswer
  }

  interface FastifyContextConfig {
    /** Whether answers to GET have an ETag. */
    readonly hasValidator?: boolean
  }
}

/** Members of an `If-None-Match` list; an opaque tag may hold commas (RFC 9110 §8.8.3). */
const TAGS = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Characters of the hash, of 6 bits each: 132 bits. */
const HASH_LENGTH = 22

/**
 * Makes the strong ETag of a body from its hash.
 * @param encoding content-encoding, which changes the bytes; undefined for the body as it is.
 */
export const etagOf = (bodyHash: string, encoding: string | undefined): string =>
  encoding === undefined ? `"${bodyHash}"` : `"${bodyHash}-${encoding}"`

/** Makes the hash of a body, for `etagOf`. */
export const hashOfBody = (body: string | Buffer): string =>
  hash('sha256', body, 'base64url').slice(0, HASH_LENGTH)

/** Whether an `If-None-Match` header names a tag, by weak comparison, or all of them (RFC 9110 §13.1.2). */
export const isNamed = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  // As nearly every client asks that knows one answer.
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(TAGS)].some(([, tag]) => tag === etag)
}

/** Headers that tell of a list what its body does not. */
const OF_LISTS = ['content-type', 'x-total-count', 'content-last-key'] as const

const isGet = ({ method }: HttpRequest): boolean => method === 'GET' || method === 'HEAD'

const hashFor = ({ stored }: HttpRequest, reply: HttpReply, body: string | Buffer): string => {
  if (stored?.hash) return stored.hash
  const head = `${OF_LISTS.map(name => reply.getHeader(name) ?? '').join('\n')}\n`
  const found = hashOfBody(typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body]))
  if (stored) stored.hash = found
  return found
}

/**
 * Headers of a body that a 304 does not have (RFC 9110 §15.4.5). Those of a list stay: by them a client brings the headers of
 * what it has up to date (RFC 9111 §4.3.4).
 */
const OF_BODIES = ['content-type', 'content-length', 'content-encoding']

/**
 * Gives a whole answer to GET its ETag, where its route has them and it has none.
 * @param encoding the content-encoding in which the body would be sent.
 * @returns whether the client has it: then the reply is a 304, to be sent without a body.
 */
export function validate(
  request: HttpRequest,
  reply: HttpReply,
  body: unknown,
  encoding: string | undefined,
): boolean {
  if (!isGet(request) || reply.statusCode !== 200 || !request.routeOptions.config?.hasValidator) return false
  if (reply.hasHeader('etag') || !(typeof body === 'string' || Buffer.isBuffer(body))) return false
  const etag = etagOf(hashFor(request, reply, body), encoding)
  reply.header('etag', etag)
  // A client may keep it for itself, and asks each time whether it still holds.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  if (!isNamed(request.headers['if-none-match'], etag)) return false
  reply.code(304)
  for (const name of OF_BODIES) reply.removeHeader(name)
  return true
}
