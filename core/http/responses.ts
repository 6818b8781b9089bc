/** Reading and cutting of a response that is written piece by piece, over HTTP/1.1 and HTTP/2 alike. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'

/** NGHTTP2_INTERNAL_ERROR (RFC 9113 §7). */
const INTERNAL_ERROR = 0x2
/** Time in milliseconds in which a client must take note that its stream was cut; then its session is cut too. */
const NOTICE_MS = 5_000

const streamOf = (raw: ServerResponse): ServerHttp2Stream | undefined =>
  (raw as { stream?: ServerHttp2Stream }).stream

/** Whether a response goes over HTTP/2. */
export const isHttp2 = (raw: ServerResponse): boolean => streamOf(raw) !== undefined

/** Whether nothing can be written any more: the client has left, or the response was cut. */
export const hasLeft = (raw: ServerResponse): boolean => {
  const stream = streamOf(raw)
  return stream ? stream.destroyed || stream.closed : raw.destroyed || raw.closed
}

/** Whether the client has not read what was written, so that more would only wait in memory. */
export const needsDrain = (raw: ServerResponse): boolean => (streamOf(raw) ?? raw).writableNeedDrain

/**
 * Cuts a response off in the middle, so that no client takes its beginning for the whole. In HTTP/1.1 that ends the
 * connection, in HTTP/2 the stream alone; a connection that takes no bytes at all does not hear of it, and ends too.
 */
export function cut(raw: ServerResponse): void {
  const stream = streamOf(raw)
  if (!stream) return void raw.destroy()
  if (stream.destroyed) return
  const { session } = stream
  stream.close(INTERNAL_ERROR)
  const late = setTimeout(() => session?.destroy(), NOTICE_MS).unref()
  stream.once('close', () => clearTimeout(late))
}

/** Headers as the protocol of a response allows them: HTTP/2 has none about the connection (RFC 9113 §8.2.2). */
export const allowedHeaders = (raw: ServerResponse, headers: OutgoingHttpHeaders): OutgoingHttpHeaders => {
  if (!isHttp2(raw)) return headers
  const { connection: _, 'keep-alive': _alive, 'transfer-encoding': _encoding, ...others } = headers
  return others
}
