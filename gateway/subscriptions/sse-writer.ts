/** Writes an event stream, never faster than its client reads. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { FormattedExecutionResult } from 'graphql'
import { drained } from '#core/http/stream-response.ts'
import { resultText } from '#core/streams/result-text.ts'

const KEEP_ALIVE_MS = 12_000

export interface SseWriter {
  /** Resolves when the client may be sent more; at once when it is gone. */
  next(result: FormattedExecutionResult): Promise<void>
  /** Says that nothing more will come. */
  complete(): Promise<void>
  /** Ends without saying so. */
  abandon(): void
  /** Called when the connection has ended; at once when it has already. */
  onClose(callback: () => void): void
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'keep-alive',
}

const write = async (raw: ServerResponse, text: string): Promise<void> => {
  if (raw.destroyed || raw.writableEnded) return
  if (!raw.write(text)) await drained(raw)
}

/** Begins the response; headers that were set before, such as `x-correlator`, go along. */
export function openEventStream(reply: FastifyReply): SseWriter {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
  // Some browsers take notice of a response only once there is something in it.
  raw.write(':\n\n')
  const keepAlive = setInterval(() => raw.writableNeedDrain || raw.write(':\n\n'), KEEP_ALIVE_MS).unref()
  raw.once('close', () => clearInterval(keepAlive))
  return {
    next: result => write(raw, `event: next\ndata: ${resultText(result)}\n\n`),
    async complete() {
      await write(raw, 'event: complete\ndata:\n\n')
      raw.end()
    },
    abandon: () => void raw.destroy(),
    onClose: callback => (raw.destroyed ? callback() : void raw.once('close', callback)),
  }
}
