/** Work that one process at a time may do: it holds an advisory lock of the database, and the others wait. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/**
 * Runs `work` while no other process on this database runs work of the same name; waits for as long as one does.
 * @param onWait called once when another process is at it.
 */
export type WithAdvisoryLock = <T>(name: string, work: () => Promise<T>, onWait?: () => void) => Promise<T>

const CONNECT_TIMEOUT_MS = 5_000
/** No statement here has anything to wait for: a connection that does not answer is lost. */
const ANSWER_TIMEOUT_MS = 5_000
const TRY_AGAIN_MS = 100
/** How long a connection that is closed may take to end by itself. */
const END_MS = 500

/** Waiting is no fault, nor is resting while the work is done elsewhere. */
const NO_TIMEOUTS = 'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0'

const tryLock = async (client: pg.Client, name: string): Promise<boolean> => {
  const key = [`partner-graph ${name}`]
  const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtext($1)) AS done', key)
  return rows[0].done
}

/**
 * Locks for the session: the lock ends with the process that holds it, however that ends. It is tried again and again, since
 * waiting for it could not be told from a connection that went silent.
 */
const lock = async (client: pg.Client, name: string, onWait?: () => void): Promise<void> => {
  await client.query(NO_TIMEOUTS)
  if (await tryLock(client, name)) return
  onWait?.()
  do await delay(TRY_AGAIN_MS)
  while (!(await tryLock(client, name)))
}

/** One that went silent does not end by itself. */
const end = async (client: pg.Client): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), END_MS)
  await client.end().finally(() => clearTimeout(timer))
}

/**
 * Advisory locks on this PostgreSQL. Each has a connection of its own, so that the limits of transactions do not hold
 * for the work, nor those of statements for the waiting.
 */
export const advisoryLocksOn =
  (connectionString: string | undefined): WithAdvisoryLock =>
  async (name, work, onWait) => {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      application_name: `partner-graph ${name}`,
    })
    client.on('error', () => undefined)
    await client.connect()
    try {
      await lock(client, name, onWait)
      return await work()
    } finally {
      await end(client)
    }
  }
