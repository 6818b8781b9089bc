/** Access records as auditors read them, and the deletion of those older than `ACCESS_LOG_DAYS`. */
import type { Watchdog } from '../async/watchdog.ts'
import { createWorker, type Worker } from '../async/worker.ts'
import type { Config } from '../config/config.ts'
import { Prisma, type Statements } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'
import { type CountedConnection, createNumberCursors, parsePageArgs } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { checkReference } from '../values/text.ts'
import { type WithMoments, withInstants } from '../values/time.ts'

/** Record that one operation reached one customer or subscriber. */
export interface AccessRow {
  readonly id: bigint
  readonly at: Date
  readonly clientId: string
  readonly user: string | null
  /** Account number, subscriber (`+968…`), or `*` for everybody. */
  readonly subject: string
  readonly operation: string | null
  readonly correlator: string
}

/** Filter of records, the graph's `AccessRecordFilter`. All fields that are given must hold. */
export interface AccessFilter {
  readonly subject?: string | null
  readonly client?: string | null
  readonly user?: string | null
  readonly from?: Date | null
  readonly to?: Date | null
}

export interface AccessArgs {
  readonly filter?: WithMoments<AccessFilter> | null
  readonly first?: number | null
  readonly after?: string | null
}

/** A page of records with its total. */
export type AccessPage = CountedConnection<AccessRow>

const CURSORS = createNumberCursors('r1:')

const COLUMNS = Prisma.raw(
  'r.id, r.at, r.client_id AS "clientId", r.acting_user AS "user", r.subject, r.operation, r.correlator',
)

const REFERENCES = ['subject', 'client', 'user'] as const

const conditionsOf = (filter: AccessFilter): Prisma.Sql => {
  for (const name of REFERENCES) if (filter[name] != null) checkReference(`filter.${name}`, filter[name])
  const { subject, client, user, from, to } = filter
  const conditions = [Prisma.sql`TRUE`]
  if (subject != null) conditions.push(Prisma.sql`r.subject = ${subject}`)
  if (client != null) conditions.push(Prisma.sql`r.client_id = ${client}`)
  if (user != null) conditions.push(Prisma.sql`r.acting_user = ${user}`)
  if (from != null) conditions.push(Prisma.sql`r.at >= ${from}::timestamptz`)
  if (to != null) conditions.push(Prisma.sql`r.at <= ${to}::timestamptz`)
  return Prisma.join(conditions, ' AND ')
}

/** Reads a page of records, the newest first. @throws ServiceError INVALID_ARGUMENT. */
export const listAccess = async (db: Statements, { filter, first, after }: AccessArgs): Promise<AccessPage> =>
  readKeysetPage<AccessRow>(db, {
    columns: COLUMNS,
    from: Prisma.sql`audit.access_record r`,
    where: conditionsOf(withInstants(filter ?? {})),
    number: Prisma.raw('r.id'),
    keyset: parsePageArgs({ first, after }, CURSORS.from),
    cursorOf: ({ id }) => CURSORS.to(id),
  })

const HOUR_MS = 3_600_000
const BATCH = 5_000
/** Time without progress after which the watchdog reports it, in milliseconds: longer than any batch may take. */
const STANDSTILL_MS = 90_000

/**
 * Deletes the oldest expired records.
 * @param after the record up to which all are deleted already. A search from the very beginning would step over every
 * deleted row that is not vacuumed yet.
 */
const deleteOldest = async (db: Pick<Statements, '$queryRaw'>, days: number, after: bigint) => {
  const [deleted] = await db.$queryRaw<{ count: bigint; after: bigint | null }[]>`
    WITH oldest AS MATERIALIZED (
      SELECT id, at < now() - make_interval(days => ${days}::int) AS expired
      FROM audit.access_record WHERE id > ${after}::bigint ORDER BY id LIMIT ${BATCH}),
    gone AS (
      DELETE FROM audit.access_record r USING oldest WHERE r.id = oldest.id AND oldest.expired)
    SELECT count(*) FILTER (WHERE expired) AS count,
      coalesce(min(id) FILTER (WHERE NOT expired) - 1, max(id)) AS after
    FROM oldest`
  return deleted!
}

export interface AccessRetentionDependencies {
  readonly config: Pick<Config, 'accessLogDays'>
  readonly log: Logger
  readonly db: Pick<Statements, '$queryRaw'>
  readonly watchdog: Watchdog
}

/**
 * Deletes records that are older than `days`; returns their number.
 * @param progress called after each batch.
 */
export async function deleteExpiredAccess(
  db: Pick<Statements, '$queryRaw'>,
  days: number,
  beginning = { after: 0n },
  progress: () => void = () => undefined,
): Promise<number> {
  let total = 0
  for (;;) {
    const { count, after } = await deleteOldest(db, days, beginning.after)
    progress()
    total += Number(count)
    if (after !== null) beginning.after = after
    if (count < BATCH) return total
  }
}

/** Deletes expired records every hour until stopped. */
export const startAccessRetention = ({ config, log, db, watchdog }: AccessRetentionDependencies): Worker => {
  const beginning = { after: 0n }
  return createWorker({
    rounds: watchdog.over('access record retention', STANDSTILL_MS),
    async run(_, progress) {
      const deleted = await deleteExpiredAccess(db, config.accessLogDays, beginning, progress)
      if (deleted > 0) log.info({ deleted }, 'expired access records are deleted')
    },
    sweepMs: HOUR_MS,
    onError: error => log.warn({ err: error }, 'access records could not be deleted; tried again in an hour'),
  })
}
