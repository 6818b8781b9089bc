/** Connections to PostgreSQL: the pool of a process, and single connections for work that the pool's limits would end. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../config/config.ts'
import { type DatabaseHost, forReading } from '../config/database-address.ts'
import { asPoolClient } from '../third-party/pg.ts'
import { HostsClient, type HostsOptions } from './hosts-client.ts'
import type { RunSql } from './migrations.ts'
import { requireDirect, type ServerRole } from './session.ts'

/** How long a connection may take: together with one retry inside the 2 s after which 503 is due. */
const CONNECT_TIMEOUT_MS = 1_500
/** Beyond the server's own limit on a statement, whose refusal is the better response. */
const RESPONSE_EXTENSION_MS = 1_000
const KEEP_ALIVE_MS = 10_000

/** A connection that is lost while it rests is replaced when it is needed. */
const ignore = () => undefined

/** Opens the pool of connections to the configured PostgreSQL; a connection that was lost is replaced when it is needed. */
export const openPool = (config: Config): pg.Pool => {
  const ofReading = { options: '-c default_transaction_read_only=on', onlyReads: true }
  const pool = new pg.Pool({
    Client: asPoolClient(HostsClient),
    connectionString: config.readOnly ? forReading(config.databaseUrl!) : config.databaseUrl,
    max: config.databasePoolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: config.requestTimeoutMs,
    query_timeout: config.requestTimeoutMs + RESPONSE_EXTENSION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    idle_in_transaction_session_timeout: config.requestTimeoutMs,
    application_name: 'partner-graph',
    // For pipelined reads, and for statements that a transaction begins at the same time: a connection has one user.
    pipeline: true,
    ...(config.readOnly && ofReading),
  })
  pool.on('error', ignore)
  return pool
}

/** Makes a connection beside the pool, which is not connected yet; its purpose is its name in `pg_stat_activity`. */
export const createClient = (
  connectionString: string | undefined,
  purpose: string,
  options: HostsOptions,
): HostsClient =>
  new HostsClient({ connectionString, application_name: `partner-graph ${purpose}`, ...options })

/** Asks one server of an address what it serves as. @throws Error where it does not answer. */
export async function roleOfHost(connectionString: string, only: DatabaseHost): Promise<ServerRole> {
  const client = createClient(connectionString, 'roles', {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    only,
  })
  try {
    await client.connect()
    return client.role!
  } finally {
    client.connection.stream.destroy()
  }
}

/** How long a connection that is closed may take to end by itself; one that went silent never does. */
const END_MS = 500

export const endClient = async (client: pg.Client): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), END_MS)
  await client.end().finally(() => clearTimeout(timer))
}

/**
 * Runs `work` while no other process on this database runs work of the same name; waits for as long as one does.
 * @param onWait called once when another process holds the lock.
 */
export type WithAdvisoryLock = <T>(name: string, work: () => Promise<T>, onWait?: () => void) => Promise<T>

/** For connecting, and for each statement of the lock, none of which waits: a connection without a response is lost. */
const LOCK_TIMEOUT_MS = 5_000
const TRY_AGAIN_MS = 100

/** Waiting is no fault, nor is resting while the work is done elsewhere. */
const NO_TIMEOUTS = 'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0'

/**
 * Takes the lock for the session: it ends with the process that holds it, however that ends. Tries again and again, since
 * waiting for the lock could not be told from a connection that went silent.
 */
const lock = async (client: pg.Client, name: string, onWait?: () => void): Promise<void> => {
  const tryLock = async (): Promise<boolean> => {
    const key = [`partner-graph ${name}`]
    const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtext($1)) AS done', key)
    return rows[0].done
  }
  await client.query(NO_TIMEOUTS)
  if (await tryLock()) return
  onWait?.()
  do await delay(TRY_AGAIN_MS)
  while (!(await tryLock()))
}

/**
 * Advisory locks on this PostgreSQL, which is named without a pooler. Each has a connection of its own, so that the limits of transactions do not hold
 * for the work, nor those of statements for the waiting.
 */
export const advisoryLocksOn =
  (connectionString: string | undefined): WithAdvisoryLock =>
  async (name, work, onWait) => {
    const client = createClient(connectionString, name, {
      connectionTimeoutMillis: LOCK_TIMEOUT_MS,
      query_timeout: LOCK_TIMEOUT_MS,
      keepAlive: true,
    })
    await client.connect()
    try {
      requireDirect(client, 'the locks of processes')
      await lock(client, name, onWait)
      return await work()
    } finally {
      await endClient(client)
    }
  }

/** The lock of Prisma's own command line, so that both take turns. */
const PRISMA_LOCK = 72_707_369

/** A statement of a process that is gone ends within this, and with it the locks on the tables it changed. */
const CHECK_CLIENT = `SET client_connection_check_interval = '1s'`

/** Runs work on a connection of its own to PostgreSQL, while no other process migrates the database. */
export async function onMigratingConnection<T>(
  connectionString: string | undefined,
  work: (run: RunSql) => Promise<T>,
): Promise<T> {
  const client = createClient(connectionString, 'migrations', {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  await client.connect()
  try {
    requireDirect(client, 'migrations')
    const run: RunSql = async sql => {
      const results: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
      return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? []
    }
    // Where the server's system cannot tell, it finds out with the statement's end.
    await run(CHECK_CLIENT).catch(() => undefined)
    await run(`SET statement_timeout = 0; SET lock_timeout = 0; SELECT pg_advisory_lock(${PRISMA_LOCK})`)
    return await work(run)
  } finally {
    await client.end()
  }
}
