/** Large answers are compressed for clients that take it (`Accept-Encoding`). */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { codingOf, encode, MIN_BYTES } from './coding.ts'
import { addVary } from './vary.ts'

const TEXTS = /^(text\/|application\/([^;+]+[+])?(json|yaml|javascript|xml)\b)/

/** An event stream is sent event by event. */
const isText = (type: string): boolean => TEXTS.test(type) && !type.startsWith('text/event-stream')

/** A coding of its own has an ETag of its own, and so whoever gave one has encoded already. */
const isDecided = (reply: FastifyReply): boolean =>
  reply.hasHeader('content-encoding') || reply.hasHeader('content-range') || reply.hasHeader('etag')

/** RFC 9111 §5.2.2.6. */
const isFixed = (reply: FastifyReply): boolean =>
  String(reply.getHeader('cache-control')).includes('no-transform')

/** A text has as many bytes as it has code units, or more: of one that is long they need not be counted. */
const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  (payload.length >= MIN_BYTES || Buffer.byteLength(payload) >= MIN_BYTES)

const isCompressible = (reply: FastifyReply, payload: unknown): payload is string | Buffer =>
  isLarge(payload) && !isDecided(reply) && !isFixed(reply) && isText(String(reply.getHeader('content-type')))

/** Compresses answers of 1 KiB and more. What a request brings is never decompressed. */
export function registerCompression(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload)
    addVary(reply, 'Accept-Encoding')
    const coding = codingOf(request.headers['accept-encoding'])
    if (coding === undefined) return done(null, payload)
    encode(coding, payload, (error, encoded) => {
      if (error) return done(error)
      reply.headers({ 'content-encoding': coding, 'content-length': encoded.length })
      done(null, encoded)
    })
  })
}
