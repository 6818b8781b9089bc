/** Whether the process lives, and whether it can serve. */
import type { FastifyInstance } from 'fastify'
import type { App } from '../context/app.ts'
import { createDatabaseProbe } from '../data/probe.ts'

/** Reasons why the process cannot serve, and warnings for the operator although it can. */
export interface Findings {
  readonly reasons: readonly string[]
  readonly warnings?: readonly string[]
}

/** A part that serving depends on; it answers within two seconds. */
export type HealthCheck = () => Promise<Findings> | Findings

/** Background work that stands still: what is posted is answered, and not settled. */
const standstills = ({ watchdog }: App): Findings => ({
  reasons: watchdog
    .states()
    .filter(({ isLate }) => isLate)
    .map(({ name, ageMs }) => `${name} has made no progress for ${Math.round(ageMs / 1_000)} s`),
})

/**
 * `/health/live`, and `/health/ready` with the reasons when it is not. An outside charging system that is away is a warning
 * and no reason: what is posted is kept, and settled later. So is outbound traffic that is off.
 * @param stopping says that no more work is taken.
 * @param checks of parts that are put in later.
 */
export function registerHealth(
  server: FastifyInstance,
  app: App,
  stopping: () => boolean,
  checks: readonly HealthCheck[],
): void {
  const databaseFault = createDatabaseProbe(app)
  const own: HealthCheck[] = [
    () => ({ reasons: stopping() ? ['the process is stopping'] : [] }),
    async () => ({ reasons: [(await databaseFault())?.reason ?? []].flat() }),
    () => standstills(app),
    () => ({ reasons: [], warnings: [...[app.outbound.off() ?? []].flat(), ...app.charging.faults()] }),
  ]
  server.get('/health/live', async () => ({ status: 'live' }))
  server.get('/health/ready', async (_, reply) => {
    const found = await Promise.all([...own, ...checks].map(check => check()))
    const reasons = found.flatMap(one => one.reasons)
    const warnings = found.flatMap(one => one.warnings ?? [])
    return reply.code(reasons.length > 0 ? 503 : 200).send({
      status: reasons.length > 0 ? 'not ready' : 'ready',
      reasons,
      ...(warnings.length > 0 && { warnings }),
    })
  })
}
