/** Responses that are written as they are made, never faster than their client reads. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { codingOf, createEncoder } from './coding.ts'
import { joinVary } from './vary.ts'

/** A client that has not read anything for so long is gone. */
const STALL_MS = 60_000

/** Resolves when a response may be written on, or has ended; ends it when its client reads nothing for a minute. */
export const drained = (raw: ServerResponse): Promise<void> =>
  new Promise(done => {
    const stalled = setTimeout(() => raw.destroy(), STALL_MS).unref()
    const finish = () => {
      clearTimeout(stalled)
      raw.off('drain', finish).off('close', finish)
      done()
    }
    raw.once('drain', finish).once('close', finish)
  })

/** What the response begins with. */
export interface ResponseHead {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
}

/**
 * Writes the chunks, asking for the next one only when the client has taken what was written; when the client has left,
 * for none. Headers that were set before, such as `x-correlator`, go along.
 * @throws what making the chunks throws. The connection is then broken off within the response, so that nobody takes
 * its beginning for the whole.
 */
export async function streamResponse(
  reply: FastifyReply,
  { status, headers }: ResponseHead,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const { raw } = reply
  reply.hijack()
  const before = reply.getHeaders() as OutgoingHttpHeaders
  const vary = joinVary(before['vary'], headers['vary'])
  raw.writeHead(status, { ...before, ...headers, ...(vary && { vary }) })
  try {
    for await (const chunk of chunks) {
      if (raw.destroyed) return
      if (!raw.write(chunk)) await drained(raw)
    }
    raw.end()
  } catch (error) {
    raw.destroy()
    throw error
  }
}

type Chunks = AsyncIterable<string | Uint8Array>

/** Compressed for a client that takes it, of whatever size it will be: as many bytes at a time as they come to. */
export async function streamCompressed(
  reply: FastifyReply,
  head: ResponseHead,
  chunks: Chunks,
): Promise<void> {
  const vary = joinVary(head.headers['vary'], 'Accept-Encoding')
  const coding = codingOf(reply.request.headers['accept-encoding'])
  if (!coding) return streamResponse(reply, { ...head, headers: { ...head.headers, vary } }, chunks)
  const headers = { ...head.headers, vary, 'content-encoding': coding }
  // What fails in the one ends the other, and is thrown by the reading of the last.
  const encoded = pipeline(Readable.from(chunks), createEncoder(coding), () => undefined)
  return streamResponse(reply, { ...head, headers }, encoded)
}
