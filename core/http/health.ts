/**
 * Health of the process: `/health/live`, and `/health/ready` with each part that is degraded, the reason, and since when.
 */
import type { FastifyInstance } from 'fastify'
import type { App } from '../context/app.ts'
import { createDatabaseProbe, createLinkProbe } from '../data/probe.ts'

/** A part of the process that does not do all of its work. */
export interface Degradation {
  /** Its name for the operator, e.g. `database`, or the name of a worker. */
  readonly part: string
  /** One clause for the operator. */
  readonly reason: string
  /** Whether the process serves nevertheless: a warning, else a reason not to send requests here. */
  readonly isWarning?: boolean
  /** Since when, where the part knows it itself. */
  readonly since?: Date
}

/** Check of a part that serving depends on; it ends within two seconds. */
export type HealthCheck = () => Promise<readonly Degradation[]> | readonly Degradation[]

/** A degradation with its beginning, as far as this process knows it. */
type Dated = Degradation & { readonly since: Date }

/**
 * Remembers since when parts are degraded. The earlier of two times counts: of what the part says itself, and of the look
 * that first found it so. A part that is well at one look is forgotten.
 */
function createMemory(): (found: readonly Degradation[]) => Dated[] {
  let known = new Map<string, Date>()
  const keyOf = ({ part, isWarning = false }: Degradation) => `${isWarning} ${part}`
  return found => {
    const now = new Date()
    const before = known
    const dated = found.map(one => {
      const times = [now, before.get(keyOf(one)), one.since].flatMap(time => time?.getTime() ?? [])
      return { ...one, since: new Date(Math.min(...times)) }
    })
    known = new Map(dated.map(one => [keyOf(one), one.since]))
    return dated
  }
}

/** Background work without progress: transactions are accepted, and not settled. */
const standstills = ({ watchdog }: App): Degradation[] =>
  watchdog
    .states()
    .filter(({ isLate }) => isLate)
    .map(({ name, ageMs }) => ({
      part: name,
      reason: `${name} has made no progress for ${Math.round(ageMs / 1_000)} s`,
      since: new Date(Date.now() - ageMs),
    }))

/** Traffic to systems outside that waits: it is kept, and goes out later. */
const outsideFaults = ({ outbound, charging }: App): Degradation[] => {
  const off = outbound.off()
  const held = off === undefined ? [] : [{ part: 'outbound traffic', reason: off, isWarning: true }]
  const faults = charging.faults().map(({ system, reason, since }) => ({
    part: system,
    reason: `${system}: ${reason}`,
    isWarning: true,
    since,
  }))
  return [...held, ...faults]
}

/** A read replica that is left out: the primary does its reads. */
const replicaFault = ({ database }: App): Degradation[] => {
  const fault = database.replica?.().fault
  return fault ? [{ part: 'read replica', ...fault, isWarning: true }] : []
}

/** Makes the check of a standby: one that is cut off serves what was replayed until then. */
const createStandbyCheck = ({ config, database, db }: App): HealthCheck => {
  if (!config.readOnly || database.embedded) return () => []
  const linkFault = createLinkProbe(db)
  return async () => {
    const fault = await linkFault()
    return fault ? [{ part: 'standby', reason: fault.reason, isWarning: true }] : []
  }
}

const textsOf = (found: readonly Degradation[]) => found.map(({ reason }) => reason)

/** The body of a response: `degraded` names all parts, `reasons` and `warnings` are their clauses alone. */
const bodyOf = (degraded: readonly Dated[]) => {
  const reasons = textsOf(degraded.filter(({ isWarning }) => !isWarning))
  const warnings = textsOf(degraded.filter(({ isWarning }) => isWarning))
  return {
    status: reasons.length > 0 ? 'not ready' : 'ready',
    reasons,
    ...(warnings.length > 0 && { warnings }),
    ...(degraded.length > 0 && {
      degraded: degraded.map(({ part, reason, isWarning = false, since }) => ({
        part,
        reason,
        serving: isWarning,
        since: since.toISOString(),
      })),
    }),
  }
}

/**
 * Registers the routes of health. An absent external charging system is a warning and no reason, since transactions are
 * kept and settled later. So is outbound traffic that is off, a read replica that is left out, and a standby that is cut off.
 * @param stopping says since when the process accepts no more work; undefined while it does.
 * @param checks are those of parts that are added to the server later.
 */
export function registerHealth(
  server: FastifyInstance,
  app: App,
  stopping: () => Date | undefined,
  checks: readonly HealthCheck[],
): void {
  const databaseFault = createDatabaseProbe(app)
  const dated = createMemory()
  const own: HealthCheck[] = [
    () => {
      const since = stopping()
      return since ? [{ part: 'process', reason: 'the process is stopping', since }] : []
    },
    async () => {
      const fault = await databaseFault()
      return fault ? [{ part: 'database', reason: fault.reason, since: app.outageSince() }] : []
    },
    () => standstills(app),
    () => outsideFaults(app),
    () => replicaFault(app),
    createStandbyCheck(app),
  ]
  // Outbound traffic that is off has been so since the start, whenever somebody looks first.
  dated(outsideFaults(app))
  server.get('/health/live', async () => ({ status: 'live' }))
  server.get('/health/ready', async (_, reply) => {
    const found = await Promise.all([...own, ...checks].map(check => check()))
    const body = bodyOf(dated(found.flat()))
    return reply.code(body.reasons.length > 0 ? 503 : 200).send(body)
  })
}
