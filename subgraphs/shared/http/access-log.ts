/** One line a request: what was asked, what came of it, how long it took. Query strings and bodies are not logged. */
import type { FastifyInstance } from 'fastify'

/** Health and metrics are asked for all the time and say nothing. */
const isProbe = (path: string) => path.startsWith('/health/') || path === '/metrics'

export function registerAccessLog(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    if (isProbe(path)) return
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, 'request')
  })
}
