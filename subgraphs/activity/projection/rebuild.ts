/** The timeline begun anew: it holds nothing that the services' tables do not say. */
import type { App } from '#core/context/app.ts'
import type { Transaction } from '#core/data/db.ts'
import { EVENT_SEQUENCE } from '#core/events/append.ts'
import type { Kinds } from '../kinds.ts'
import { type ProjectionParts, projectAll } from './project.ts'

type Parts = Pick<App, 'db' | 'config'>
type RebuildParts = ProjectionParts & Parts

/** Puts a checkpoint at the start of each log that has none yet: one is there for each kind, and one for events. */
const addMissing = (db: Transaction, kinds: Kinds, timezone: string) =>
  db.progress.createMany({
    data: [...kinds.map(({ table }) => table), EVENT_SEQUENCE].map(name => ({ name, timezone })),
    skipDuplicates: true,
  })

/**
 * Opens the checkpoints of kinds that are new, and says in which time zone the days of the sums are, the first time;
 * later a rebuild alone can change it.
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
 * Empties the timeline and puts its checkpoints at the start. Events so far need no projection: an entry is made with
 * the status its row has by then. Servers may run meanwhile; they show what is there already.
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
