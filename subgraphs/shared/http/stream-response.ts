/** Responses that are written as they are made, never faster than their client reads. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

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
  raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers })
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
