/** Responses that are written while they are made, never faster than their client reads. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { allowedHeaders, createEncoder, cut, encodingOf, hasLeft, joinVary } from './responses.ts'

/** Time without any reading after which a client counts as gone, in milliseconds. */
const STALL_MS = 60_000

/** Resolves when a response may be written on, or has ended; ends it when its client reads nothing for a minute. */
export const drained = (raw: ServerResponse): Promise<void> =>
  new Promise(done => {
    if (hasLeft(raw)) return done()
    const stalled = setTimeout(() => cut(raw), STALL_MS).unref()
    const finish = () => {
      clearTimeout(stalled)
      raw.off('drain', finish).off('close', finish)
      done()
    }
    raw.once('drain', finish).once('close', finish)
  })

interface ResponseHead {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
}

type Chunks = AsyncIterable<string | Uint8Array>

/**
 * Writes chunks, and requests the next one only after the client has read the last; none after it has left. Headers
 * that were set before, such as `x-correlator`, are kept.
 * @throws any error of the chunks. The connection is then cut within the response, so that no client takes its
 * beginning for the whole.
 */
export async function streamResponse(
  reply: FastifyReply,
  { status, headers }: ResponseHead,
  chunks: Chunks,
): Promise<void> {
  const { raw, request } = reply
  const { facts } = request
  reply.hijack()
  const before = reply.getHeaders() as OutgoingHttpHeaders
  const vary = joinVary(before['vary'], headers['vary'])
  raw.writeHead(status, allowedHeaders(raw, { ...before, ...headers, ...(vary && { vary }) }))
  try {
    for await (const chunk of chunks) {
      if (hasLeft(raw)) return
      if (facts) facts.bytes = (facts.bytes ?? 0) + Buffer.byteLength(chunk)
      if (!raw.write(chunk)) await drained(raw)
    }
    raw.end()
  } catch (error) {
    cut(raw)
    throw error
  }
}

/** Writes chunks like `streamResponse`, compressed for a client that accepts it, in the pieces that the encoder makes. */
export async function streamCompressed(
  reply: FastifyReply,
  head: ResponseHead,
  chunks: Chunks,
): Promise<void> {
  const vary = joinVary(head.headers['vary'], 'Accept-Encoding')
  const encoding = encodingOf(reply.request.headers['accept-encoding'])
  if (!encoding) return streamResponse(reply, { ...head, headers: { ...head.headers, vary } }, chunks)
  const headers = { ...head.headers, vary, 'content-encoding': encoding }
  // A failure of either stream ends the other, and is thrown where the encoded one is read.
  const encoded = pipeline(Readable.from(chunks), createEncoder(encoding), () => undefined)
  return streamResponse(reply, { ...head, headers }, encoded)
}
