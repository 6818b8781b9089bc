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

import type { PoolFigures } from '../observability/process-metrics.ts'

import { type ApplyOptions, applyMigrations } from './apply-migrations.ts'
import { type Db, extendClient, type Transaction } from './client.ts'
import { MEMORY, openDataDir } from './embedded.ts'
import { migrationNames, onPglite, type SchemaState, schemaState } from './migrations.ts'
import { momentsOfEmbedded, momentsOfPostgres } from './moment-source.ts'
import type { OpenMomentSource } from './moments.ts'
import { type CommitNotifiers, startNotifyBridge } from './pg-notify.ts'
import { advisoryLocksOn, onMigratingConnection, openPool, type WithAdvisoryLock } from './postgres.ts'
import { Replica, type ReplicaFigures } from './replica.ts'
import { refusalOf } from './served-from.ts'
import { SilentConnections } from './silent-connections.ts'
import { embeddedStatements, poolStatements, StatementNames, type Statements } from './statements.ts'
import { embeddedTransactions, enlistingAdapters, poolTransactions } from './transactions.ts'

export { type Db, MEMORY, openPool, Prisma, type Statements, type Transaction }

/** An open database; `close` gives back everything it holds. */
export interface Database {
  readonly db: Db
  readonly embedded: boolean
  /** Counts the connections; absent on the embedded database. */
  pool?(): PoolFigures
  /** Tells of the read replica; absent where there is none. */
  replica?(): ReplicaFigures
  /** Runs work that no two processes may do at the same time; the embedded database has but one. */
  readonly withAdvisoryLock: WithAdvisoryLock
  /** Opens a connection that tells what is committed (`moments.ts`). */
  readonly openMoments: OpenMomentSource
  /** Shares the commit notifiers with all processes on this database, until it is closed. Call once. */
  shareNotifiers(notifiers: CommitNotifiers, log: Logger, watchdog: Watchdog): void
  /** Announces that the process stops: from here on nothing waits longer than moments for silent connections. */
  beginClosing(): void
  close(): Promise<void>
}

/** How long closing waits for connections that are in use; then they are given up. */
const CLOSE_TIMEOUT_MS = 1_000

const openPostgres = async (config: Config, log?: Logger): Promise<Database> => {
  const connectionString = config.databaseDirectUrl
  const pool = openPool(config)
  const connections = new SilentConnections(pool, config, log)
  const replica = config.databaseReplicaUrl === undefined ? undefined : new Replica(pool, config, log)
  const [names, namesOfPrisma] = [new StatementNames(), new StatementNames()]
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => namesOfPrisma.of(sql) as string,
    onConnectionError: () => undefined,
  })
  const prisma = new PrismaClient({ adapter: enlistingAdapters(adapter) })
  let bridge: { close(): Promise<void> } | undefined
  return {
    db: extendClient(prisma, {
      ...poolStatements(pool, names, replica),
      transact: poolTransactions(pool, names, config.requestTimeoutMs),
    }),
    embedded: false,
    pool: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      limit: config.databasePoolSize,
      waiting: pool.waitingCount,
    }),
    ...(replica && { replica: () => replica.figures }),
    withAdvisoryLock: advisoryLocksOn(connectionString),
    openMoments: momentsOfPostgres(connectionString),
    shareNotifiers(notifiers, log, watchdog) {
      bridge = startNotifyBridge({ connectionString, notifiers, log, watchdog })
    },
    beginClosing() {
      connections.beginClosing()
      replica?.beginClosing()
    },
    async close() {
      connections.beginClosing()
      await replica?.close()
      await bridge?.close()
      await prisma.$disconnect()
      const timer = setTimeout(() => connections.endAll(), CLOSE_TIMEOUT_MS)
      await pool.end().finally(() => clearTimeout(timer))
    },
  }
}

/**
 * The database of an instance of PGlite, migrated unless it is only read; `release` closes the instance and gives it back.
 */
export const embeddedDatabase = async (
  pglite: PGlite,
  release: () => Promise<void>,
  readOnly = false,
): Promise<Database> => {
  const prisma = new PrismaClient({ adapter: enlistingAdapters(new PrismaPGlite(pglite)) })
  const db = extendClient(prisma, {
    ...embeddedStatements(pglite),
    transact: embeddedTransactions(pglite),
  })
  const state = await schemaState(db)
  // One that this version cannot serve is left as it is, to be refused by `requireSchema`.
  if (!readOnly && state.pending.length > 0 && !refusalOf(state)) await applyMigrations(onPglite(pglite))
  return {
    db,
    embedded: true,
    withAdvisoryLock: (_, work) => work(),
    openMoments: momentsOfEmbedded(pglite),
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
  return embeddedDatabase(pglite, release, readOnly)
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
 * @param options whom to tell of each migration and of its locks.
 * @returns the names of the migrations that were applied.
 */
export const migratePostgres = (
  { databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>,
  onWait?: () => void,
  options?: ApplyOptions,
): Promise<string[]> =>
  advisoryLocksOn(databaseDirectUrl)(
    MIGRATION_LOCK,
    () => onMigratingConnection(databaseDirectUrl, run => applyMigrations(run, options)),
    onWait,
  )

const lacking = (pending: readonly string[]) =>
  new SetupError(
    `The database is older than this program: it lacks ${pending.length} migration(s), the first is ${pending[0]}: run npm run db:migrate`,
  )

const checkServable = (state: SchemaState) => {
  const refusal = refusalOf(state)
  if (refusal) throw new SetupError(refusal)
}

/** @throws SetupError naming what to do when this version cannot use the schema, or it is not there at all. */
export async function checkSchema({ db }: Pick<Database, 'db'>): Promise<void> {
  const state = await schemaState(db)
  checkServable(state)
  if (state.pending.length > 0) throw lacking(state.pending)
}

/**
 * Makes sure that all rows of a database can be read: a later version may have added tables and columns.
 * @throws SetupError naming what to do when the schema is another version's.
 */
export async function checkSameSchema(database: Pick<Database, 'db'>): Promise<void> {
  await checkSchema(database)
  const { unknown } = await schemaState(database.db)
  if (unknown.length > 0)
    throw new SetupError(
      `A later version has added to the database what version ${VERSION} would leave out: copy it by the version that knows ${unknown.at(-1)}`,
    )
}

/**
 * Makes sure that a server starts on a schema that its version can serve. An empty database is set up, by one of several
 * processes that start on it; another one is left to its operator.
 * @param log is told once when a later version has expanded the schema.
 * @throws SetupError naming what to do when this version cannot serve the schema.
 */
export async function requireSchema(
  { db, withAdvisoryLock }: Database,
  { readOnly, databaseDirectUrl }: Config,
  log: Pick<Logger, 'info'>,
): Promise<void> {
  const state = await schemaState(db)
  checkServable(state)
  if (state.unknown.length > 0)
    log.info(
      { version: VERSION, migrations: state.unknown },
      'a later version has expanded the database; this one serves it',
    )
  if (state.pending.length === 0) return
  if (readOnly) throw lacking(state.pending)
  await withAdvisoryLock(MIGRATION_LOCK, async () => {
    // Another process may have migrated until now.
    const { pending } = await schemaState(db)
    if (pending.length === 0) return
    if (pending.length < migrationNames().length) throw lacking(pending)
    await onMigratingConnection(databaseDirectUrl, run => applyMigrations(run))
  })
}
