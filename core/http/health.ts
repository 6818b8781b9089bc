/** Health of the process: `/health/live`, and `/health/ready` with the reasons when it cannot serve. */
import type { FastifyInstance } from 'fastify'
import type { App } from '../context/app.ts'
import { createDatabaseProbe } from '../data/probe.ts'

/** Reasons why the process cannot serve, and warnings for the operator that do not prevent serving. */
export interface Findings {
  readonly reasons: readonly string[]
  readonly warnings?: readonly string[]
}

/** Check of a part that serving depends on; it ends within two seconds. */
export type HealthCheck = () => Promise<Findings> | Findings

/** Background work without progress: transactions are accepted, and not settled. */
const standstills = ({ watchdog }: App): Findings => ({
  reasons: watchdog
    .states()
    .filter(({ isLate }) => isLate)
    .map(({ name, ageMs }) => `${name} has made no progress for ${Math.round(ageMs / 1_000)} s`),
})

/**
 * Registers the routes of health. An absent external charging system is a warning and no reason, since transactions are
 * kept and settled later. So is outbound traffic that is off.
 * @param stopping says that the process accepts no more work.
 * @param checks are those of parts that are added to the server later.
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
