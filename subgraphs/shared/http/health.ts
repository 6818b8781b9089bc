/** Whether the process lives, and whether it can serve. */
import type { FastifyInstance } from 'fastify'
import type { App } from '../context/app.ts'
import { createDatabaseProbe } from '../data/probe.ts'

/**
 * `/health/live`, and `/health/ready` with the reasons when it is not; `stopping` says that no more work is taken. An
 * outside charging system that is away is a warning and no reason: what is posted is kept, and settled later.
 */
export function registerHealth(server: FastifyInstance, app: App, stopping: () => boolean): void {
  const databaseFault = createDatabaseProbe(app)
  server.get('/health/live', async () => ({ status: 'live' }))
  server.get('/health/ready', async (_, reply) => {
    const faults = [stopping() ? 'the process is stopping' : undefined, await databaseFault()]
    const reasons = faults.filter(fault => fault !== undefined)
    const warnings = app.charging.faults()
    return reply.code(reasons.length > 0 ? 503 : 200).send({
      status: reasons.length > 0 ? 'not ready' : 'ready',
      reasons,
      ...(warnings.length > 0 && { warnings }),
    })
  })
}
