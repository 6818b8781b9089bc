/** The database: PostgreSQL, or PGlite in this process, behind the one Prisma client, at the schema of this version. */
import type { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { Prisma, PrismaClient } from '#prisma/generated/client.ts'
import type { Watchdog } from '../async/watchdog.ts'
import type { Config } from '../config/config.ts'
import { VERSION } from '../config/project-files.ts'
import { SetupError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import { applyMigrations } from './apply-migrations.ts'
import { MEMORY, openDataDir } from './embedded.ts'
import { migrationNames, onPglite, type SchemaState, schemaState } from './migrations.ts'
import { type CommitNotifiers, startNotifyBridge } from './pg-notify.ts'
import { advisoryLocksOn, onMigratingConnection, openPool, type WithAdvisoryLock } from './postgres.ts'
import { createStatementNames, embeddedReader, lookupsOf, poolReader, type Reader } from './reader.ts'
import { SilentConnections } from './silent-connections.ts'
import { embeddedWriter, poolWriter, type Statements, type Transaction, type Writer } from './writer.ts'

export {
  lookupsOf,
  MEMORY,
  openPool,
  Prisma,
  type PrismaClient,
  type Reader,
  type Statements,
  type Transaction,
  type Writer,
}

/** An open database; `close` gives back everything it holds. */
export interface Database {
  readonly prisma: PrismaClient
  /** Reads the frequent way, over the same connections. */
  readonly reader: Reader
  /** Writes the frequent way, over the same connections. */
  readonly writer: Writer
  readonly embedded: boolean
  /** Runs work that no two processes may do at the same time; the embedded database has but one. */
  readonly withAdvisoryLock: WithAdvisoryLock
  /** Shares the commit notifiers with all processes on this database, until it is closed. Call once. */
  shareNotifiers(notifiers: CommitNotifiers, log: Logger, watchdog: Watchdog): void
  /** Announces that the process stops: from here on nothing waits longer than moments for silent connections. */
  beginClosing(): void
  close(): Promise<void>
}

const MAX_NAMED_STATEMENTS = 250
/** How long closing waits for connections that are in use; then they are given up. */
const CLOSE_TIMEOUT_MS = 1_000

const openPostgres = async (config: Config, log?: Logger): Promise<Database> => {
  const connectionString = config.databaseUrl
  const pool = openPool(config)
  const connections = new SilentConnections(pool, connectionString, log)
  const nameOf = createStatementNames(MAX_NAMED_STATEMENTS)
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => nameOf(sql) as string,
    onConnectionError: () => undefined,
  })
  const prisma = new PrismaClient({ adapter })
  let bridge: { close(): Promise<void> } | undefined
  return {
    prisma,
    reader: poolReader(pool),
    writer: poolWriter(pool),
    embedded: false,
    withAdvisoryLock: advisoryLocksOn(connectionString),
    shareNotifiers(notifiers, log, watchdog) {
      bridge = startNotifyBridge({ connectionString, notifiers, log, watchdog })
    },
    beginClosing: () => connections.beginClosing(),
    async close() {
      connections.beginClosing()
      await bridge?.close()
      await prisma.$disconnect()
      const timer = setTimeout(() => connections.endAll(), CLOSE_TIMEOUT_MS)
      await pool.end().finally(() => clearTimeout(timer))
    },
  }
}

/** The database of an instance of PGlite, migrated; `release` closes the instance and gives it back. */
export const embeddedDatabase = async (pglite: PGlite, release: () => Promise<void>): Promise<Database> => {
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite) })
  const { pending, unknown } = await schemaState(prisma)
  // A newer one is left as it is, to be refused by `requireSchema`.
  if (pending.length > 0 && unknown.length === 0) await applyMigrations(onPglite(pglite))
  return {
    prisma,
    reader: embeddedReader(pglite),
    writer: embeddedWriter(pglite),
    embedded: true,
    withAdvisoryLock: (_, work) => work(),
    shareNotifiers: () => undefined,
    beginClosing: () => undefined,
    async close() {
      await prisma.$disconnect()
      await release()
    },
  }
}

const openEmbedded = async ({ dataDir, readOnly }: Config): Promise<Database> => {
  const { pglite, release } = await openDataDir(dataDir)
  if (readOnly) await pglite.exec('SET default_transaction_read_only = on')
  return embeddedDatabase(pglite, release)
}

/**
 * Opens the configured database. The embedded one is created and migrated on the way; PostgreSQL is left as it is.
 * @param log for the connections that are given up.
 * @throws InUseError when another process has the embedded database open.
 */
export const openDatabase = (config: Config, log?: Logger): Promise<Database> =>
  config.databaseUrl === undefined ? openEmbedded(config) : openPostgres(config, log)

/** The advisory lock under which a process migrates. */
const MIGRATION_LOCK = 'migrations'

/**
 * `npm run db:migrate`: creates the schema of the configured PostgreSQL or brings it up to date. Processes that migrate at
 * the same time take turns, however long it takes.
 * @param onWait called once when another process migrates.
 * @returns the names of the migrations that were applied.
 */
export const migratePostgres = (
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  onWait?: () => void,
): Promise<string[]> =>
  advisoryLocksOn(databaseUrl)(
    MIGRATION_LOCK,
    () => onMigratingConnection(databaseUrl, applyMigrations),
    onWait,
  )

const lacking = (pending: readonly string[]) =>
  new SetupError(
    `The database is older than this program: it lacks ${pending.length} migration(s), the first is ${pending[0]}: run npm run db:migrate`,
  )

const checkNotNewer = ({ unknown }: SchemaState) => {
  if (unknown.length === 0) return
  throw new SetupError(
    `The database is newer than this program: version ${VERSION} does not know ${unknown.length} of its migration(s), the last is ${unknown.at(-1)}: run the version that migrated it`,
  )
}

/** @throws SetupError naming what to do when the schema is another version's, or not there at all. */
export async function checkSchema({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  const state = await schemaState(prisma)
  checkNotNewer(state)
  if (state.pending.length > 0) throw lacking(state.pending)
}

/**
 * Makes sure that a server starts on the schema of its version. An empty database is set up, by one of several processes that
 * start on it; another one is left to its operator.
 * @throws SetupError naming what to do when the schema is another version's.
 */
export async function requireSchema(
  { prisma, withAdvisoryLock }: Database,
  { readOnly, databaseUrl }: Config,
): Promise<void> {
  const state = await schemaState(prisma)
  checkNotNewer(state)
  if (state.pending.length === 0) return
  if (readOnly) throw lacking(state.pending)
  await withAdvisoryLock(MIGRATION_LOCK, async () => {
    // Another process may have migrated until now.
    const { pending } = await schemaState(prisma)
    if (pending.length === 0) return
    if (pending.length < migrationNames().length) throw lacking(pending)
    await onMigratingConnection(databaseUrl, applyMigrations)
  })
}
