/** Lag of the timeline: how long the oldest row or event has waited that it does not show yet. */
import type { App } from '#core/context/app.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { EVENT_SEQUENCE } from '#core/events/append.ts'
import { tableOf } from '#core/transactions/kind.ts'
import type { Kinds } from '../kinds.ts'

/** The first row of a log beyond its checkpoint, found by the index of positions. */
const firstBeyond = (name: string, table: Prisma.Sql, time: Prisma.Sql) => Prisma.sql`
  SELECT (SELECT ${time} FROM ${table} t WHERE t.position > p.position ORDER BY t.position LIMIT 1) AS at
  FROM checkpoint p WHERE p.name = ${name}`

/** Reads how many seconds the oldest row or event waits; 0 while the timeline shows all. */
export const readTimelineLag = async (db: Statements, kinds: Kinds): Promise<number> => {
  const logs = [
    firstBeyond(EVENT_SEQUENCE.table, Prisma.sql`events.event`, Prisma.sql`t.event_time`),
    ...kinds.map(kind => firstBeyond(kind.table, tableOf(kind), Prisma.sql`t.created_at`)),
  ]
  const [row] = await db.$queryRaw<{ lag: number | null }[]>`
    WITH checkpoint AS MATERIALIZED (SELECT name, position FROM activity.progress),
    log AS MATERIALIZED (${Prisma.join(logs, ' UNION ALL ')})
    SELECT extract(epoch FROM statement_timestamp() - min(log.at))::float8 AS lag FROM log`
  return Math.max(0, row?.lag ?? 0)
}

/** Shows the lag in the metrics. */
export const watchTimelineLag = ({ metrics, db }: App, kinds: Kinds): void =>
  metrics.lags.timeline.watch('timeline', async () => [
    { gauge: 'lag', value: await readTimelineLag(db, kinds) },
  ])
