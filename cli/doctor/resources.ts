/** Checks of resources: connections of the database, disk space, and whatever lets the database grow without bound. */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Config } from '#core/config/config.ts'
import type { Database } from '#core/data/db.ts'
import { type Finding, found } from './finding.ts'

const GIB = 1_024 ** 3
const MIB = 1_024 ** 2

/** Formats a number of bytes in MiB or GiB. */
const sizeText = (bytes: number): string =>
  bytes < GIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round((bytes / GIB) * 10) / 10} GiB`

const CONNECTIONS = 'connections'

interface ConnectionRow {
  readonly most: number
  readonly used: number
  readonly roleMost: number
  readonly roleUsed: number
  readonly databaseMost: number
  readonly databaseUsed: number
}

/** Finds how many connections are left by the tightest of three limits: the server's, the user's and the database's. */
const leftOf = (row: ConnectionRow): number => {
  const limits = [
    [row.most, row.used],
    [row.roleMost, row.roleUsed],
    [row.databaseMost, row.databaseUsed],
  ] as const
  return Math.min(...limits.map(([most, used]) => (most < 0 ? Number.POSITIVE_INFINITY : most - used)))
}

/** Checks that another process of the same size finds its connections. */
export async function checkConnections(
  { db, embedded }: Database,
  { databasePoolSize, databaseUrl, databaseDirectUrl }: Config,
): Promise<readonly Finding[]> {
  if (embedded) return []
  const [row] = await db.$queryRaw<ConnectionRow[]>`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS most,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
      (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS "roleMost",
      (SELECT count(*)::int FROM pg_stat_activity WHERE usename = current_user) AS "roleUsed",
      (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS "databaseMost",
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS "databaseUsed"`
  const left = leftOf(row!)
  // Behind a pooler its own pool counts, and another process adds one direct connection.
  const wanted = databaseUrl === databaseDirectUrl ? databasePoolSize + 1 : 1
  if (left >= wanted) return [found.well(CONNECTIONS, `${left} connections of the database are left.`)]
  return [
    found.degraded(
      CONNECTIONS,
      `${Math.max(0, left)} connections of the database are left, and another process wants ${wanted}: raise max_connections, lower DATABASE_POOL_SIZE, or end what holds them (pg_stat_activity).`,
    ),
  ]
}

const DISK = 'disk'
const FREE_DEGRADED = 2 * GIB
const FREE_BROKEN = 200 * MIB

/** Checks the free space in the embedded database's folder, even while another process holds it. */
export async function checkFolder({ databaseUrl, dataDir }: Config): Promise<readonly Finding[]> {
  if (databaseUrl !== undefined || !existsSync(dataDir)) return []
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  if (free >= FREE_DEGRADED) return [found.well(DISK, `${sizeText(free)} are free in ${dataDir}.`)]
  const text = `${sizeText(free)} are free in ${dataDir}: free more, since nothing can be posted once the disk is full.`
  return [free < FREE_BROKEN ? found.broken(DISK, text) : found.degraded(DISK, text)]
}

/** Reads the size of the database. PostgreSQL does not say how much space is left. */
const sizeOf = async ({ db }: Database): Promise<Finding> => {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT pg_database_size(current_database())::float8 AS bytes`
  return found.well(
    DISK,
    `The database has ${sizeText(row!.bytes)}. PostgreSQL does not say how much space is left: watch the disk of its machine.`,
  )
}

/** Bytes of write-ahead log from which on a slot that holds them back is reported. */
const HELD_BACK = 10 * GIB
/** Age in transactions that is reported: autovacuum begins at 200 million, and PostgreSQL stops writing at 2,000 million. */
const OLD_TRANSACTIONS = 1_000_000_000

interface StorageRow {
  readonly age: number
  readonly slot: string | null
  readonly held: number | null
}

/** Checks the size of the database, and what fills a disk or stops a database unseen: unread replication slots, and vacuum that does not run. */
export async function checkStorage(database: Database): Promise<readonly Finding[]> {
  const { db, embedded } = database
  if (embedded) return []
  const rows = await db.$queryRaw<StorageRow[]>`
    SELECT age(d.datfrozenxid)::int AS age, s.slot_name::text AS slot,
      pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END,
        s.restart_lsn)::float8 AS held
    FROM pg_database d LEFT JOIN pg_replication_slots s ON TRUE WHERE d.datname = current_database()`
  const slots = rows.filter(({ held }) => (held ?? 0) > HELD_BACK)
  const { age } = rows[0]!
  return [
    await sizeOf(database),
    ...slots.map(({ slot, held }) =>
      found.degraded(
        DISK,
        `The replication slot ${slot} keeps ${sizeText(held!)} of write-ahead log, which fills the disk: let its standby follow, or drop it with pg_drop_replication_slot.`,
      ),
    ),
    ...(age > OLD_TRANSACTIONS
      ? [
          found.degraded(
            DISK,
            `The oldest transaction is ${Math.round(age / 1e6)} million behind, and PostgreSQL stops writing at 2,000 million: see what holds autovacuum back (long transactions, slots), and run VACUUM.`,
          ),
        ]
      : []),
  ]
}
