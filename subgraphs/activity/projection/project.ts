/**
 * Projection: brings the rows and events since the last checkpoint into the timeline; entries, sums and checkpoints change
 * in one transaction. All logs are numbered without gaps in commit order, so a range of positions never misses a row.
 * The projector does it in the background, woken by commits.
 */

import { createWorker, type Worker } from '#core/async/worker.ts'
import { type Actor, recordAct, SERVER } from '#core/audit/acts.ts'
import type { App, Platform } from '#core/context/app.ts'
import { isOutage, isRefusedInput } from '#core/data/database-errors.ts'
import { Prisma, type Statements, type Transaction } from '#core/data/db.ts'
import { lastNumberOf } from '#core/data/gapless-sequence.ts'
import { ACCOUNT_KIND_NAMES } from '#core/events/account.ts'
import { EVENT_SEQUENCE } from '#core/events/append.ts'
import { type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { type Kinds, kindNamed } from '../kinds.ts'
import { changeEntries, createEntries, type ProjectedRange } from './entries.ts'
import { watchTimelineLag } from './lag.ts'

/** Most positions of each log in one batch, which a statement projects in well under a second. */
const BATCH = 2_000
type Log = ProjectedRange & { readonly name: string }

/** Position before the first event of an unknown kind within the next batch. */
const firstUnknown = (kinds: Kinds, size: number) => Prisma.sql`
  SELECT p.name, (SELECT min(e.position) - 1 FROM events.event e
    WHERE e.position > p.position AND e.position <= p.position + ${size}::int
      AND e.kind <> ALL (${[...kinds.map(({ name }) => name), ...ACCOUNT_KIND_NAMES]}::text[])) AS until
  FROM checkpoint p WHERE p.name = ${EVENT_SEQUENCE.table}`

/** Longest wait for a new row to be settled. */
const SETTLE_WAIT_MS = 500

/** Position before the first new row of a kind's next batch that is awaited, since it is not settled yet. */
const firstAwaited = (kind: TransactionKind, size: number) => Prisma.sql`
  SELECT p.name, (SELECT min(t.position) - 1 FROM ${tableOf(kind)} t
    WHERE t.position > greatest(p.position, s.position) AND t.position <= p.position + ${size}::int
      AND t.created_at > statement_timestamp() - ${SETTLE_WAIT_MS}::int * interval '1 ms') AS until
  FROM checkpoint p LEFT JOIN settled s ON s.kind = ${kind.name} WHERE p.name = ${kind.table}`

/**
 * Logs with new positions, each with its next batch; where a batch is one row, the first log alone. While a service is being
 * added, servers that know its kind run beside others that do not: the latter leave its rows, and the event log from its
 * first event on, to the former. Each part reads one schema, which may be on another node: the event log's number first, so that
 * what its events concern is among the rows.
 */
const logsAhead = (
  db: Statements,
  { kinds, awaited = [] }: Pick<ProjectionParts, 'kinds' | 'awaited'>,
  size: number,
): Promise<Log[]> => db.$queryRaw<Log[]>`
  WITH book AS MATERIALIZED (${Prisma.join([EVENT_SEQUENCE, ...kinds].map(lastNumberOf), ' UNION ALL ')}),
  checkpoint AS MATERIALIZED (SELECT name, position, timezone FROM activity.progress),
  settled AS MATERIALIZED (SELECT kind, position FROM charging.progress),
  bound AS MATERIALIZED (${Prisma.join([firstUnknown(kinds, size), ...awaited.map(kind => firstAwaited(kind, size))], ' UNION ALL ')})
  SELECT * FROM (
    SELECT p.name, p.position AS from, p.timezone, least(b.position, p.position + ${size}::int, bound.until) AS to
    FROM checkpoint p JOIN book b USING (name) LEFT JOIN bound USING (name) WHERE b.position > p.position) log
  WHERE log.to > log.from ORDER BY log.name LIMIT ${size}`

/** Lock by which one projector works at a time, in all processes. */
const takeTurn = (tx: Statements) =>
  tx.$queryRaw`SELECT 1 FROM activity.progress WHERE name = ${EVENT_SEQUENCE.table} FOR UPDATE`

const kindsOf = async (tx: Statements, kinds: Kinds, { from, to }: ProjectedRange) => {
  const rows = await tx.$queryRaw<{ kind: string }[]>`
    SELECT DISTINCT kind FROM events.event WHERE position > ${from}::bigint AND position <= ${to}::bigint
      AND kind <> ALL (${[...ACCOUNT_KIND_NAMES]}::text[])`
  return rows.map(({ kind }) => kindNamed(kinds, kind))
}

const projectCreations = async (tx: Statements, kinds: Kinds, logs: Log[], bare: boolean) => {
  for (const kind of kinds) {
    const log = logs.find(({ name }) => name === kind.table)
    if (log) await createEntries(tx, kind, log, bare)
  }
}

const projectEvents = async (tx: Statements, kinds: Kinds, logs: Log[]) => {
  const log = logs.find(({ name }) => name === EVENT_SEQUENCE.table)
  if (!log) return
  for (const kind of await kindsOf(tx, kinds, log)) await changeEntries(tx, kind, log)
}

const saveCheckpoints = (tx: Statements, logs: Log[]) => tx.$executeRaw`
  UPDATE activity.progress p SET position = done.position
  FROM unnest(${logs.map(({ name }) => name)}::text[], ${logs.map(({ to }) => to)}::bigint[]) AS done (name, position)
  WHERE p.name = done.name`

/** Size of the next batch, and its depth: everything, all but the texts, or the progress alone. */
interface Step {
  readonly size: number
  readonly keep: 'all' | 'bare' | 'nothing'
}
const WHOLE: Step = { size: BATCH, keep: 'all' }

const projectOnce = async (tx: Statements, parts: ProjectionParts, { size, keep }: Step): Promise<Log[]> => {
  const { kinds } = parts
  const [, logs] = await Promise.all([takeTurn(tx), logsAhead(tx, parts, size)])
  if (keep !== 'nothing') await projectCreations(tx, kinds, logs, keep === 'bare')
  await Promise.all([saveCheckpoints(tx, logs), keep === 'nothing' || projectEvents(tx, kinds, logs)])
  return logs
}

/** Next step after a refusal: half the size, down to one row; then that row without its texts; then past it. */
const smaller = ({ size, keep }: Step): Step => {
  if (size > 1) return { size: Math.ceil(size / 2), keep }
  return { size, keep: keep === 'all' ? 'bare' : 'nothing' }
}

const larger = ({ size }: Step): Step => ({ size: Math.min(size * 2, BATCH), keep: 'all' })

const nameSkipped = (log: ProjectionParts['log'], [skipped]: Log[]) => {
  const at = { log: skipped?.name, position: `${skipped?.to}` }
  log?.error(at, 'the timeline goes on without what the database refuses')
}

/** Dependencies of the projection; without a log it does not report rows that it leaves out. */
export type ProjectionParts = Pick<Platform, 'db' | 'config'> &
  Partial<Pick<Platform, 'log'>> & {
    readonly kinds: Kinds
    /** Kinds whose new rows are awaited until they are settled, half a second at most, so that they are written once. */
    readonly awaited?: Kinds
    /** Tells whether to stop after this batch and leave the rest to the next round. */
    isStopping?(): boolean
    /** Called after each batch. */
    progress?(): void
  }

/** Takes one step, and returns the next. An error other than a refused value ends the round. */
const follow = async (parts: ProjectionParts, step: Step): Promise<Step> => {
  const { db, config, log } = parts
  try {
    const timeout = config.requestTimeoutMs
    const logs = await db.$transaction(tx => projectOnce(tx, parts, step), { timeout })
    if (step.keep === 'nothing') nameSkipped(log, logs)
    return larger(step)
  } catch (error) {
    if (!isRefusedInput(error) || step.keep === 'nothing') throw error
    return smaller(step)
  }
}

/** Projects batch by batch, until the timeline shows all rows that were committed before the call and are not awaited. */
export async function projectAll(parts: ProjectionParts): Promise<void> {
  let step = WHOLE
  while (!parts.isStopping?.() && (await logsAhead(parts.db, parts, BATCH)).length > 0) {
    step = await follow(parts, step)
    parts.progress?.()
  }
}

type RebuildParts = ProjectionParts & { readonly by?: Actor }

/** Puts a checkpoint at the start of each log that has none yet: one for each kind, and one for events. */
const addMissing = (db: Pick<Transaction, 'progress'>, kinds: Kinds, timezone: string) =>
  db.progress.createMany({
    data: [...kinds.map(({ table }) => table), EVENT_SEQUENCE.table].map(name => ({ name, timezone })),
    skipDuplicates: true,
  })

/**
 * Opens the checkpoints of new kinds, and records the time zone of the sums' days the first time; only a rebuild changes it
 * later.
 */
export async function openCheckpoints({ db, config, log, kinds }: ProjectionParts): Promise<void> {
  await db.progress.updateMany({ where: { timezone: '' }, data: { timezone: config.timezone } })
  await addMissing(db, kinds, config.timezone)
  const [other] = await db.progress.findMany({ where: { timezone: { not: config.timezone } }, take: 1 })
  if (!other) return
  log?.warn(
    { timezone: other.timezone },
    'the sums by day are in another time zone than OPERATOR_TIMEZONE: run npm run cli -- activity rebuild',
  )
}

/**
 * Empties the timeline and puts its checkpoints at the start. Past events need no projection: an entry is made with the
 * present status of its row. Servers may run meanwhile, and show the entries so far.
 */
const empty = ({ db, config, kinds, by: actor = SERVER }: RebuildParts) =>
  db.$transaction(async tx => {
    await addMissing(tx, kinds, config.timezone)
    await takeTurn(tx)
    await tx.$executeRaw`TRUNCATE activity.entry, activity.holder_day, activity.client_day, activity.total_day`
    await tx.$executeRaw`
      WITH book AS MATERIALIZED (${lastNumberOf(EVENT_SEQUENCE)})
      UPDATE activity.progress p SET timezone = ${config.timezone},
        position = coalesce((SELECT b.position FROM book b WHERE b.name = p.name), 0)`
    await recordAct(tx, { actor, action: 'TIMELINE_REBUILT' })
  })

/** Rebuilds the timeline; resolves with the number of its entries. */
export async function rebuild(parts: RebuildParts): Promise<number> {
  await empty(parts)
  await projectAll(parts)
  return parts.db.timelineEntry.count()
}

const SWEEP_MS = 1_000
/** Longest time of a batch before the watchdog reports it, in milliseconds; it may take as long as a request. */
const STANDSTILL_MS = 15_000
/** Time in which commits are gathered into one round, in milliseconds: clients do not notice it, and it saves most work. */
const BATCH_MS = 10

/** Pause as long as the last round: under load rounds are larger, and leave the database to posting clients. */
const restMs = (previousRoundMs: number): number => Math.min(Math.max(BATCH_MS, previousRoundMs), SWEEP_MS)

/**
 * Projects until stopped. Rows that the ledger settles are awaited, which takes moments; those of an outside system are not.
 * A failure of the database ends a round, never the projector.
 */
export async function startProjector(app: App, kinds: Kinds): Promise<Worker> {
  await openCheckpoints({ ...app, kinds })
  watchTimelineLag(app, kinds)
  const settledSoon = kinds.filter(kind => app.charging.for(kind).embedded)
  let awaited = settledSoon
  const worker = createWorker({
    run: (isStopping, progress) => projectAll({ ...app, kinds, awaited, isStopping, progress }),
    rounds: app.watchdog.over('timeline', STANDSTILL_MS),
    isReportedByReadiness: isOutage,
    sweepMs: SWEEP_MS,
    restMs,
    onError: error => app.log.warn({ err: error }, 'timeline projection failed; retrying within a second'),
  })
  const unlisten = [app.posted, app.eventsWritten].map(committed => committed.listen(worker.wake))
  worker.wake()
  const stop = async () => {
    for (const one of unlisten) one()
    await worker.stop()
  }
  const idle = async () => {
    awaited = []
    await worker.idle()
    awaited = settledSoon
  }
  return { ...worker, idle, stop }
}
