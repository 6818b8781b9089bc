/** Content for browsers: with headers that limit a page's rights, and an ETag so that it is sent once. */
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  addVary,
  type ContentEncoding,
  encode,
  encodingOf,
  MIN_BYTES,
  releaseSlot,
} from '#core/http/responses.ts'
import { etagOf, hashOfBody, isNamed } from '#core/http/validators.ts'

/** A text or file, ready to be sent. */
export interface Content {
  readonly type: string
  readonly body: string | Buffer
  /** Hash of the body, from which its ETags are made. */
  readonly hash: string
  /** Compressed forms that were made in advance. Others are made when they are first sent. */
  readonly encoded?: Partial<Record<ContentEncoding, Buffer>>
}

interface PolicyOptions {
  /** Origins to which the page may connect and which its frames may show, beside this server. */
  readonly origins?: readonly string[]
  /** Whether a page of this server may show it in a frame. */
  readonly framed?: boolean
}

/**
 * Makes the policy of a page (Content Security Policy Level 3). A page loads from and connects to this server alone, and to
 * `origins`. Styles may stand in the page, scripts may not.
 */
export const policyOf = ({ origins = [], framed = false }: PolicyOptions = {}): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...origins].join(' '),
    ...(origins.length > 0 ? [["frame-src 'self'", ...origins].join(' ')] : []),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ].join('; ')

const HEADERS = {
  'content-security-policy': policyOf(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Browsers ask each time, and get 304 while the content is the same.
  'cache-control': 'no-cache',
}

/** Headers of content whose address changes with it (RFC 8246). */
export const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' }

/** Makes content, with the hash of its body. */
export const createContent = (type: string, body: string | Buffer): Content => ({
  type,
  body,
  hash: hashOfBody(body),
})

/** Compressed bodies, each made once. */
const variants = new WeakMap<Content, Map<ContentEncoding, Promise<Buffer>>>()

const encodeOnce = promisify(encode)

const bodyIn = async (content: Content, encoding: ContentEncoding): Promise<Buffer> => {
  const made = content.encoded?.[encoding]
  if (made) return made
  const known = variants.get(content) ?? new Map<ContentEncoding, Promise<Buffer>>()
  const body = known.get(encoding) ?? encodeOnce(encoding, content.body)
  variants.set(content, known.set(encoding, body))
  return body
}

/** Chooses the encoding. Small bodies and fonts, which are compressed already, go as they are. */
const encodingFor = ({ headers }: FastifyRequest, { body, type }: Content): ContentEncoding | undefined =>
  Buffer.byteLength(body) < MIN_BYTES || type.startsWith('font/')
    ? undefined
    : encodingOf(headers['accept-encoding'])

/**
 * Sends the content, or 304 to a browser that has it. The request's slot is freed first, so that a slow reader takes no turn from
 * others. It keeps its connection, and the number of those is limited for anonymous clients.
 * @param headers take the place of the usual ones of the same name.
 */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
  headers: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> {
  const encoding = encodingFor(request, content)
  const etag = etagOf(content.hash, encoding)
  releaseSlot(request)
  addVary(reply.headers({ ...HEADERS, ...headers, etag }), 'Accept-Encoding')
  if (isNamed(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(content.type)
  if (!encoding) return reply.send(content.body)
  return reply.header('content-encoding', encoding).send(await bodyIn(content, encoding))
}
