/** Lag of settling: how long the oldest transaction of a kind waits to be taken, and how many are in quarantine. */
import type { Platform } from '../../context/app.ts'
import { type TransactionKind, tableOf } from '../kind.ts'

/** Quarantined transactions are counted to here. */
const MAX_COUNTED = 10_000

interface SettlingLag {
  /** Seconds that the oldest transaction waits to be taken; null while none does. */
  readonly lag: number | null
  /** How many are tried again alone, counted to ten thousand. */
  readonly quarantined: number
}

/**
 * Reads the lag of a kind; undefined where no server has settled it yet. The first number beyond the high-water mark is found
 * by the index of numbers, however many there are.
 */
export const readSettlingLag = async (
  { db }: Pick<Platform, 'db'>,
  kind: TransactionKind,
): Promise<SettlingLag | undefined> => {
  const [row] = await db.$queryRaw<SettlingLag[]>`
    WITH progress AS MATERIALIZED (SELECT position FROM charging.progress WHERE kind = ${kind.name}),
    waiting AS MATERIALIZED (
      SELECT (SELECT t.created_at FROM ${tableOf(kind)} t WHERE t.position > p.position ORDER BY t.position LIMIT 1) AS since
      FROM progress p),
    aside AS MATERIALIZED (SELECT count(*)::int AS quarantined FROM (
      SELECT 1 FROM charging.set_aside s WHERE s.kind = ${kind.name} LIMIT ${MAX_COUNTED}) s)
    SELECT extract(epoch FROM statement_timestamp() - waiting.since)::float8 AS lag, aside.quarantined
    FROM waiting, aside`
  return row
}

/** Shows the lag of a kind in the metrics. */
export const watchSettlingLag = (app: Pick<Platform, 'db' | 'metrics'>, kind: TransactionKind): void =>
  app.metrics.lags.settling.watch(kind.name, async () => {
    const { lag, quarantined = 0 } = (await readSettlingLag(app, kind)) ?? {}
    const labels = { kind: kind.name }
    return [
      { gauge: 'lag', labels, value: Math.max(0, lag ?? 0) },
      { gauge: 'quarantined', labels, value: quarantined },
    ]
  })
