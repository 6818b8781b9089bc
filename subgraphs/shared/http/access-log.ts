/** One line a request: what was asked, what came of it, how long it took. Query strings and bodies are not logged. */
import type { FastifyInstance } from 'fastify'
import { isProbe, pathOf } from './probes.ts'

export function registerAccessLog(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const path = pathOf(request.url)
    if (isProbe(path)) return
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, 'request')
  })
}
