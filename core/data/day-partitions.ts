/**
 * Tables that are partitioned by day, so that a day is dropped at once and costs no vacuum. Their key is a UUID version 7,
 * which begins with a millisecond (RFC 9562 §5.7): a range of ids is a range of time.
 */
import type { Db } from './client.ts'
import type { Statements } from './statements.ts'

/** A table with its schema; names come from the code alone. */
type TableName = `${string}.${string}`

export const DAY_MS = 86_400_000

/** Days since 1970, in UTC. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)

/** First id of a millisecond; the ids of earlier ones are less. */
export const firstIdOf = (ms: number): string => {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Wait for a lock in milliseconds; readers and writers of the table wait behind it. */
const LOCK_MS = 1_000
const TIMEOUT_MS = 30_000

/** Changes the partitions of a table; processes take turns. */
const changing = <T>(db: Db, work: (tx: Statements) => Promise<T>): Promise<T> =>
  db.$transaction(
    async tx => {
      await tx.$queryRaw`SELECT set_config('lock_timeout', ${String(LOCK_MS)}, TRUE)`
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtext('partner-graph partitions'))::text`
      return work(tx)
    },
    { timeout: TIMEOUT_MS },
  )

/** Runs a statement whose text never comes again: by itself it would become a prepared one, and stay that. */
const execute = async (tx: Statements, statement: string): Promise<void> => {
  await tx.$queryRaw`SELECT set_config('partner_graph.statement', ${statement}, TRUE)`
  await tx.$executeRaw`DO $$ BEGIN EXECUTE current_setting('partner_graph.statement'); END $$`
}

const nameOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')

const readDays = async (tx: Statements, table: TableName): Promise<Map<string, number>> => {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ${table}::regclass`
  return new Map(
    rows.flatMap(({ name }) => {
      const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
      return day ? [[name, dayOf(Date.parse(`${year}-${month}-${day}`))] as const] : []
    }),
  )
}

/**
 * Makes the partitions of these days that are missing. A table is made first and attached then, which keeps no one from
 * reading or writing the others.
 */
export const makePartitions = (db: Db, table: TableName, days: readonly number[]): Promise<void> =>
  changing(db, async tx => {
    const existing = new Set((await readDays(tx, table)).values())
    for (const day of new Set(days).difference(existing)) {
      const partition = `${table}_${nameOf(day)}`
      const [from, to] = [day, day + 1].map(one => firstIdOf(one * DAY_MS))
      await execute(tx, `CREATE TABLE ${partition} (LIKE ${table} INCLUDING DEFAULTS)`)
      await execute(
        tx,
        `ALTER TABLE ${table} ATTACH PARTITION ${partition} FOR VALUES FROM ('${from}') TO ('${to}')`,
      )
    }
  })

/** Drops the partitions of days before one. @returns how many they were. */
export const dropPartitions = (db: Db, table: TableName, before: number): Promise<number> =>
  changing(db, async tx => {
    const [schema] = table.split('.')
    const expired = [...(await readDays(tx, table))].filter(([, day]) => day < before)
    for (const [name] of expired) await execute(tx, `DROP TABLE ${schema}.${name}`)
    return expired.length
  })
