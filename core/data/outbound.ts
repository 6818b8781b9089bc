/**
 * Whether anything may leave this server: webhooks, test events, charging calls, SMS. Nothing leaves from a copy of an
 * installation's database until an operator confirms it; deliveries and orders wait meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { SetupError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import { type Database, MEMORY, type Transaction } from './db.ts'

/**
 * The installation that a database belongs to: the database keeps an id with the place where it is, so that a copy that is
 * restored elsewhere is recognized as one, and its waiting webhooks do not go out twice.
 *
 * A place on PostgreSQL is the cluster's system identifier with the database's number. A standby has both of its primary,
 * so a fail-over is no new place, and neither is another address or name. A dump that is restored, and a copy by
 * `CREATE DATABASE … TEMPLATE`, are new places. A copy of the cluster's files (a base backup, a snapshot of the disk)
 * cannot be told from a promoted standby: it is started with `OUTBOUND=0`. The embedded database's place is the number of
 * its folder in the file system, which it keeps when it is moved; a folder that was copied is a new place.
 */
export interface Installation {
  readonly id: string
  /** The place where outbound traffic was agreed to. */
  readonly place: string
  /** The place where the database is now. */
  readonly here: string
}

type Kept = Pick<Database, 'db' | 'embedded'>
type Place = Pick<Config, 'dataDir'>

const placeOf = async ({ db, embedded }: Kept, { dataDir }: Place): Promise<string> => {
  if (embedded) return `folder ${statSync(join(dataDir, 'pglite'), { bigint: true }).ino}`
  const [own] = await db.$queryRaw<{ database: string; isShown: boolean }[]>`
    SELECT oid::text AS database, has_function_privilege('pg_control_system()', 'EXECUTE') AS "isShown"
    FROM pg_database WHERE datname = current_database()`
  // A server that does not tell its users is known by the database's number alone.
  const [cluster] = own!.isShown
    ? await db.$queryRaw<{ id: string }[]>`SELECT system_identifier::text AS id FROM pg_control_system()`
    : []
  return `cluster ${cluster?.id ?? 'unknown'}, database ${own!.database}`
}

const isKept = ({ embedded }: Kept, { dataDir }: Place) => !embedded || dataDir !== MEMORY

/** Reads the installation; undefined where there is none yet, or the database is kept nowhere. */
export async function readInstallation(database: Kept, config: Place): Promise<Installation | undefined> {
  if (!isKept(database, config)) return undefined
  const here = await placeOf(database, config)
  const [row] = await database.db.$queryRaw<{ id: string; place: string }[]>`
    SELECT id::text, place FROM access.installation`
  return row && { ...row, here }
}

/** Reads the installation; where there is none, this place becomes the installation's. */
async function claimInstallation(database: Kept, config: Place): Promise<Installation | undefined> {
  if (!isKept(database, config)) return undefined
  const here = await placeOf(database, config)
  await database.db.$executeRaw`
    INSERT INTO access.installation (id, place) VALUES (${randomUUID()}::uuid, ${here}) ON CONFLICT DO NOTHING`
  return readInstallation(database, config)
}

/**
 * Makes this place the installation's, under a new id: from here on it is an installation of its own.
 * @param record writes that it was done, in the same transaction.
 * @throws SetupError where the database is kept nowhere.
 */
export async function confirmInstallation(
  database: Kept,
  config: Place,
  record: (tx: Transaction, details: object) => Promise<void> = async () => undefined,
): Promise<Installation> {
  const before = await claimInstallation(database, config)
  if (!before) throw new SetupError('DATA_DIR=memory: keeps nothing, so there is nothing to confirm')
  if (before.place === before.here) return before
  const id = randomUUID()
  const details = { id, place: before.here, before: before.place }
  await database.db.$transaction(async tx => {
    await tx.$executeRaw`
      UPDATE access.installation SET id = ${id}::uuid, place = ${before.here}, confirmed_at = now()`
    await record(tx, details)
  })
  return { id, place: before.here, here: before.here }
}

export interface Outbound {
  /** The reason why nothing leaves, in a sentence; undefined while everything may. */
  off(): string | undefined
}

const BY_SETTING = 'Nothing leaves this server: OUTBOUND=0'

/** The command that agrees to outbound traffic from a new place. */
export const CONFIRM = 'npm run cli -- installation confirm'

const isMoved = (found: Installation | undefined): found is Installation =>
  found !== undefined && found.place !== found.here

const movedText = ({ place, here }: Installation) =>
  `Nothing leaves this server: its database is a copy, made of ${place} and now at ${here}. ` +
  `Where it takes the other's place, agree with: ${CONFIRM}`

/** How often a confirmation is looked for. */
const LOOK_AGAIN_MS = 2_000

/** Off until an operator confirms the place, by any process on the database. */
const untilConfirmed = (database: Database, config: Config, log: Logger, moved: Installation): Outbound => {
  let reason: string | undefined = movedText(moved)
  let lookAt = 0
  const look = async () => {
    if (isMoved(await readInstallation(database, config))) return
    if (reason) log.info('outbound traffic was agreed to: what waits leaves from now on')
    reason = undefined
  }
  return {
    off() {
      if (reason && performance.now() >= lookAt) {
        lookAt = performance.now() + LOOK_AGAIN_MS
        look().catch(() => undefined)
      }
      return reason
    },
  }
}

/** Finds out whether the process may send, and says it in the log where it may not. */
export async function openOutbound(database: Database, config: Config, log: Logger): Promise<Outbound> {
  const found = config.readOnly ? undefined : await claimInstallation(database, config)
  const outbound = !config.outbound
    ? { off: () => BY_SETTING }
    : isMoved(found)
      ? untilConfirmed(database, config, log, found)
      : { off: () => undefined }
  const reason = outbound.off()
  if (reason) log.warn(reason)
  return outbound
}
