/** The database: PostgreSQL, or PGlite in this process, behind the one Prisma client. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { Prisma, PrismaClient } from '#prisma/generated/client.ts'
import type { Watchdog } from '../async/watchdog.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../observability/log.ts'
import { advisoryLocksOn, type WithAdvisoryLock } from './advisory-lock.ts'
import { applyMigrations } from './apply-migrations.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { schemaState } from './migrate.ts'
import { type CommitNotifiers, startNotifyBridge } from './pg-notify.ts'
import { loadTemplate } from './pglite-template.ts'
import { closeAllToOthers, closeTree, openPrivateFolder } from './private-folder.ts'
import { embeddedReader, lookupsOf, poolReader, type Reader } from './reader.ts'
import { onMigratingConnection, onPglite } from './run-sql.ts'
import { SilentConnections } from './silent-connections.ts'
import { createStatementNames } from './statement-names.ts'
import { embeddedWriter, poolWriter, type Statements, type Writer } from './writer.ts'

export { lookupsOf, Prisma, type PrismaClient, type Reader, type Statements, type Writer }

/** A client inside an interactive transaction. */
export type Transaction = Prisma.TransactionClient

/** An open database; `close` gives back everything it holds. */
export interface Database {
  readonly prisma: PrismaClient
  /** Reads what is read most, over the same connections. */
  readonly reader: Reader
  /** Writes what is written most, over the same connections. */
  readonly writer: Writer
  readonly embedded: boolean
  /** Runs what no two processes may do at the same time; the embedded database has but one. */
  readonly withAdvisoryLock: WithAdvisoryLock
  /** Shares the commit notifiers with all processes on this database, until it is closed. Call once. */
  shareNotifiers(notifiers: CommitNotifiers, log: Logger, watchdog: Watchdog): void
  /** Says that the process stops: from here on nothing waits longer than moments for connections that do not answer. */
  beginClosing(): void
  close(): Promise<void>
}

export const MEMORY = 'memory:'

/** The advisory lock that whoever migrates holds. */
export const MIGRATION_LOCK = 'migrations'

/** How long a connection may take: together with one retry inside the 2 s after which 503 is due. */
const CONNECT_TIMEOUT_MS = 1_500
const MAX_NAMED_STATEMENTS = 250
/** Beyond the server's own limit on a statement, whose refusal is the better answer. */
const ANSWER_EXTENSION_MS = 1_000
const KEEP_ALIVE_MS = 10_000
/** How long closing waits for connections that are in use. */
const CLOSE_TIMEOUT_MS = 1_000

const poolConfig = (config: Config): pg.PoolConfig => ({
  connectionString: config.databaseUrl,
  max: config.databasePoolSize,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: config.requestTimeoutMs,
  query_timeout: config.requestTimeoutMs + ANSWER_EXTENSION_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  idle_in_transaction_session_timeout: config.requestTimeoutMs,
  application_name: 'partner-graph',
  // For what is read together, and what a transaction begins together: whoever has a connection has it alone.
  pipeline: true,
  // Prisma takes what it reads for UTC, whatever the server's own zone is.
  options: `-c TimeZone=UTC${config.readOnly ? ' -c default_transaction_read_only=on' : ''}`,
})

/** That a connection was lost is told by its statements, or to whoever uses it next. */
const ignore = () => undefined

/** The connections to the configured PostgreSQL; one that is lost, at whatever moment, is made anew by whoever comes next. */
export const openPool = (config: Config): pg.Pool => {
  const pool = new pg.Pool(poolConfig(config))
  pool.on('error', ignore)
  // One that is handed from user to user has a moment in which neither of them listens: unheard, its loss would end the process.
  pool.on('connect', client => client.on('error', ignore))
  return pool
}

const postgresAdapter = (pool: pg.Pool) => {
  const nameOf = createStatementNames(MAX_NAMED_STATEMENTS)
  return new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => nameOf(sql) as string,
    onConnectionError: () => undefined,
  })
}

/** Connections that are still in use then are given up, so that nobody waits for them. */
const closePool = async (pool: pg.Pool, connections: SilentConnections): Promise<void> => {
  const timer = setTimeout(() => connections.endAll(), CLOSE_TIMEOUT_MS)
  await pool.end().finally(() => clearTimeout(timer))
}

const openPostgres = async (config: Config, log?: Logger): Promise<Database> => {
  const connectionString = config.databaseUrl
  const pool = openPool(config)
  const connections = new SilentConnections(pool, connectionString, log)
  const prisma = new PrismaClient({ adapter: postgresAdapter(pool) })
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
      await closePool(pool, connections)
    },
  }
}

/** Made beside its place and renamed into it, so that a start that is killed leaves no half database behind. */
const createFolder = async (dataDir: string) => {
  const part = `${dataDir}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(dirname(dataDir), { recursive: true })
  const pglite = await PGlite.create({ dataDir: part, loadDataDir: await loadTemplate() })
  await pglite.close()
  // The template brings modes along that are open to others.
  closeTree(part)
  renameSync(part, dataDir)
}

/** PGlite fills its buffers when it opens, 128 MiB of them unless told otherwise; what they lack is read from the folder. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

const openPglite = async (dataDir: string) => {
  if (dataDir === MEMORY) return PGlite.create({ startParams, loadDataDir: await loadTemplate() })
  const folder = join(dataDir, 'pglite')
  if (!existsSync(folder)) await createFolder(folder)
  closeAllToOthers(folder)
  return PGlite.create(folder, { startParams })
}

/** The database of an instance of PGlite, migrated; `release` gives the instance back once it is closed. */
export const embeddedDatabase = async (pglite: PGlite, release: () => Promise<void>): Promise<Database> => {
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite) })
  const { pending, unknown } = await schemaState(prisma)
  // A newer one is left as it is, for whoever opens it to refuse.
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
  if (dataDir !== MEMORY) openPrivateFolder(dataDir)
  const unlock = dataDir === MEMORY ? () => undefined : await lockDataDir(dataDir)
  const pglite = await openPglite(dataDir)
  if (readOnly) await pglite.exec('SET default_transaction_read_only = on')
  return embeddedDatabase(pglite, async () => {
    await pglite.close()
    unlock()
  })
}

/**
 * Opens the configured database. The embedded one is created and migrated on the way; PostgreSQL is left as it is.
 * @param log told of connections that are given up.
 * @throws InUseError when another process has the embedded database open.
 */
export const openDatabase = (config: Config, log?: Logger): Promise<Database> =>
  config.databaseUrl === undefined ? openEmbedded(config) : openPostgres(config, log)

/** Applies what is pending, also while this process holds the lock of those that migrate. */
export const migrateUnlocked = (connectionString: string | undefined): Promise<string[]> =>
  onMigratingConnection(connectionString, CONNECT_TIMEOUT_MS, applyMigrations)

/**
 * `npm run db:migrate`: creates or brings up to date the schema of the configured PostgreSQL; returns what was
 * applied. Processes that migrate at the same time take turns, however long it takes.
 * @param onWait called once when another process is at it.
 */
export const migratePostgres = (
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  onWait?: () => void,
): Promise<string[]> =>
  advisoryLocksOn(databaseUrl)(MIGRATION_LOCK, () => migrateUnlocked(databaseUrl), onWait)
