/**
 * The installation that a database belongs to: the database keeps an id with the place where it is, so that a copy that is
 * restored elsewhere is known for one, and its waiting webhooks do not go out twice.
 *
 * A place on PostgreSQL is the cluster's system identifier with the database's number. A standby has both of its primary,
 * so a fail-over is no new place, and neither is another address or name. A dump that is restored, and a copy by
 * `CREATE DATABASE … TEMPLATE`, are new places. A copy of the cluster's files (a base backup, a snapshot of the disk)
 * cannot be told from a promoted standby: it is started with `OUTBOUND=0`. The embedded database's place is the number of
 * its folder in the file system, which it keeps when it is moved; a folder that was copied is a new place.
 */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { SetupError } from '../errors/setup-error.ts'
import { type Database, MEMORY } from './db.ts'

export interface Installation {
  readonly id: string
  /** The place where outbound traffic was agreed to. */
  readonly place: string
  /** The place where the database is now. */
  readonly here: string
}

type Parts = Pick<Database, 'prisma' | 'embedded'>
type Place = Pick<Config, 'dataDir'>

const placeOf = async ({ prisma, embedded }: Parts, { dataDir }: Place): Promise<string> => {
  if (embedded) return `folder ${statSync(join(dataDir, 'pglite'), { bigint: true }).ino}`
  const [own] = await prisma.$queryRaw<{ database: string; isTold: boolean }[]>`
    SELECT oid::text AS database, has_function_privilege('pg_control_system()', 'EXECUTE') AS "isTold"
    FROM pg_database WHERE datname = current_database()`
  // A server that does not tell its users is known by the database's number alone.
  const [cluster] = own!.isTold
    ? await prisma.$queryRaw<{ id: string }[]>`SELECT system_identifier::text AS id FROM pg_control_system()`
    : []
  return `cluster ${cluster?.id ?? 'unknown'}, database ${own!.database}`
}

const isKept = ({ embedded }: Parts, { dataDir }: Place) => !embedded || dataDir !== MEMORY

/** Reads the installation; undefined where there is none yet, or the database is kept nowhere. */
export async function readInstallation(database: Parts, config: Place): Promise<Installation | undefined> {
  if (!isKept(database, config)) return undefined
  const here = await placeOf(database, config)
  const [row] = await database.prisma.$queryRaw<{ id: string; place: string }[]>`
    SELECT id::text, place FROM access.installation`
  return row && { ...row, here }
}

/** The same; where there is none, this place becomes the installation's. */
export async function claimInstallation(database: Parts, config: Place): Promise<Installation | undefined> {
  if (!isKept(database, config)) return undefined
  const here = await placeOf(database, config)
  await database.prisma.$executeRaw`
    INSERT INTO access.installation (id, place) VALUES (${randomUUID()}::uuid, ${here}) ON CONFLICT DO NOTHING`
  return readInstallation(database, config)
}

/**
 * Makes this place the installation's, and what is here an installation of its own.
 * @throws SetupError where the database is kept nowhere.
 */
export async function confirmInstallation(database: Parts, config: Place): Promise<Installation> {
  const before = await claimInstallation(database, config)
  if (!before) throw new SetupError('DATA_DIR=memory: keeps nothing, so there is nothing to confirm')
  if (before.place === before.here) return before
  const id = randomUUID()
  await database.prisma.$executeRaw`
    UPDATE access.installation SET id = ${id}::uuid, place = ${before.here}, confirmed_at = now()`
  return { id, place: before.here, here: before.here }
}
