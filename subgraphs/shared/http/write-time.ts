/** A response is read in time or cut off: until then it stands in memory. */
import type { FastifyInstance } from 'fastify'

/** As long as event streams wait for their readers, and enough for the largest response at 1 Mbit/s. */
const WRITE_MS = 60_000
/** What connections take at once, whether their clients read or not. */
const SMALL = 16_384

const isSmall = (payload: unknown): boolean =>
  payload == null || ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < SMALL)

/** Limits the time from when a response is ready until it is written, in milliseconds. */
export function registerWriteTime(server: FastifyInstance, ms: number = WRITE_MS): void {
  server.addHook('onSend', async (_, reply, payload) => {
    if (isSmall(payload)) return payload
    const timer = setTimeout(() => reply.raw.destroy(), ms).unref()
    reply.raw.once('close', () => clearTimeout(timer))
    return payload
  })
}
