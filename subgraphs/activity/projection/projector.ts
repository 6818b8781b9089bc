/** Projector: keeps the timeline up to date while the process runs, and rebuilds it where its form has changed. */

import { createWorker, type Worker } from '#core/async/worker.ts'
import type { App } from '#core/context/app.ts'
import { isOutage } from '#core/data/database-errors.ts'
import type { Transaction } from '#core/data/db.ts'
import { EVENT_SEQUENCE } from '#core/events/append.ts'
import type { Kinds } from '../kinds.ts'
import { type ProjectionParts, projectAll } from './project.ts'

type Parts = Pick<App, 'db' | 'config'>
type RebuildParts = ProjectionParts & Parts

/** Puts a checkpoint at the start of each log that has none yet: one for each kind, and one for events. */
const addMissing = (db: Transaction, kinds: Kinds, timezone: string) =>
  db.progress.createMany({
    data: [...kinds.map(({ table }) => table), EVENT_SEQUENCE].map(name => ({ name, timezone })),
    skipDuplicates: true,
  })

/**
 * Opens the checkpoints of new kinds, and records the time zone of the sums' days the first time; only a rebuild changes it
 * later.
 */
export async function openCheckpoints({
  db,
  config,
  log,
  kinds,
}: Parts & Partial<Pick<App, 'log'>> & { readonly kinds: Kinds }): Promise<void> {
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
const empty = ({ db, config, kinds }: RebuildParts) =>
  db.$transaction(async tx => {
    await addMissing(tx, kinds, config.timezone)
    await tx.$executeRaw`SELECT 1 FROM activity.progress WHERE name = ${EVENT_SEQUENCE} FOR UPDATE`
    await tx.$executeRaw`TRUNCATE activity.entry, activity.holder_day, activity.client_day, activity.total_day`
    await tx.$executeRaw`
      UPDATE activity.progress p SET timezone = ${config.timezone}, position = CASE WHEN name = ${EVENT_SEQUENCE}
        THEN coalesce((SELECT position FROM books.book b WHERE b.name = p.name AND b.client_id = ''), 0) ELSE 0 END`
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
  const settledSoon = kinds.filter(kind => app.charging.for(kind).embedded)
  let awaited = settledSoon
  const worker = createWorker({
    run: (isStopping, progress) => projectAll({ ...app, kinds, awaited, isStopping, progress }),
    rounds: app.watchdog.over('timeline', STANDSTILL_MS),
    isReportedElsewhere: isOutage,
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
