/** A request's body arrives in time or is not waited for, however steadily it trickles. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The `code` of the error that a body ends with that took too long. */
export const SLOW_BODY = 'SLOW_BODY'

const slowBody = (ms: number) =>
  Object.assign(new Error(`The request body took longer than ${ms} ms`), { code: SLOW_BODY, statusCode: 400 })

/** Ends the reading of a body; nobody listens any more when the request was answered meanwhile. */
const giveUp = (payload: NodeJS.ReadableStream, ms: number) => {
  if (payload.listenerCount('error') > 0) payload.emit('error', slowBody(ms))
}

/** A body that its client waits to be asked for (RFC 9110 §10.1.1) is asked for when it is to be read. */
const invite = (raw: IncomingMessage, continues: () => void) => {
  if (raw.headers.expect?.toLowerCase() === '100-continue') continues()
}

/** Limits the time that a body takes, in milliseconds; a route's `bodyTimeoutMs` in its `config` goes before it. */
export function registerBodyTime(server: FastifyInstance, ms: number): void {
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response))
  server.addHook('preParsing', async (request, reply, payload) => {
    if (request.raw.complete) return payload
    invite(request.raw, () => reply.raw.writeContinue())
    const { bodyTimeoutMs = ms } = request.routeOptions.config as { bodyTimeoutMs?: number }
    const timer = setTimeout(() => giveUp(payload, bodyTimeoutMs), bodyTimeoutMs)
    const stop = () => clearTimeout(timer)
    payload.once('end', stop)
    reply.raw.once('close', stop)
    return payload
  })
}
