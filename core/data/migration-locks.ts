/**
 * Locks of migrations on tables that are in use. A statement that waits for a lock stands before all who come after it,
 * readers too, so that a migration which waits behind one long statement would stop everybody. It gives up after moments,
 * lets the others pass, and tries again.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { SetupError } from '../errors/catalogue.ts'
import { type RunSql, wordsOf } from './migrations.ts'

/** How long one lock is waited for: six tables in one migration are less than a second together. */
const LOCK_TIMEOUT = '100ms'

/** Sets the limit for the transaction. */
export const GIVE_UP_LOCAL = `SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`

/** How long a migration tries to have its locks, unless told otherwise. */
export const PATIENCE_MS = 300_000
/** Between two tries: ten times as long as others were held up. */
const PAUSE_MS = 1_000

/** Patience of a migration that cannot have its locks, and whom it tells. */
export interface LockWaiting {
  readonly patienceMs: number
  readonly onLockWait?: ((reason: string) => void) | undefined
}

const LOCK_NOT_AVAILABLE = '55P03'

const isLockTimeout = (error: unknown): boolean => {
  const cause = error instanceof SetupError ? error.cause : error
  return cause instanceof Error && Reflect.get(cause, 'code') === LOCK_NOT_AVAILABLE
}

const OLDEST = `SELECT pid, application_name AS name, state, extract(epoch FROM now() - xact_start)::int AS seconds
  FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
  ORDER BY xact_start LIMIT 1`

/** Names the oldest transaction, which mostly is the one that stands in the way. */
const blockerOf = async (run: RunSql): Promise<string> => {
  const [oldest] = await run(OLDEST)
  if (!oldest) return 'no other transaction is open now'
  const { pid, name, state, seconds } = oldest
  return `the oldest transaction is that of session ${pid} (${name || 'without a name'}, ${state}), open for ${seconds} s`
}

/**
 * Repeats `attempt` while it fails for a lock that it could not have.
 * @throws SetupError when it has had none for as long as the patience goes.
 */
export async function withLockRetries<T>(
  run: RunSql,
  name: string,
  { patienceMs, onLockWait }: LockWaiting,
  attempt: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + patienceMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      const blocker = await blockerOf(run)
      if (performance.now() + PAUSE_MS > end)
        throw new SetupError(
          `Migration ${name} could not lock its tables for ${Math.round(patienceMs / 1_000)} s: ${blocker}; wait for it or end it, and run npm run db:migrate again`,
          { cause: error },
        )
      onLockWait?.(`${name} gives way and tries again: ${blocker}`)
      await delay(PAUSE_MS)
    }
  }
}

/** Sends a step and counts the rows that it returned; the session's limit is as before afterwards. */
const sendStep = async (run: RunSql, step: string, limit: string): Promise<number> => {
  await run(`SET lock_timeout = '${limit}'`)
  try {
    return (await run(step)).length
  } finally {
    await run('SET lock_timeout = 0').catch(() => undefined)
  }
}

/**
 * Tells whether a step waits for locks that let others read and write: an index that is made waits for older transactions
 * to end. Comments do not count, since a step that is wrongly taken for one of these would stop everybody.
 */
export const isHarmless = (step: string): boolean => /\b(CONCURRENTLY|VALIDATE)\b/i.test(wordsOf(step))

/**
 * Takes one step of a migration outside of a transaction. A step that returns rows (`RETURNING`) writes a batch, and is
 * taken again until it finds none; between two it rests for as long as one took. A harmless step waits once, as long as the
 * patience goes: an index whose making was given up cannot be made again before the step that drops it.
 */
export async function takeStep(run: RunSql, step: string, name: string, waiting: LockWaiting): Promise<void> {
  if (isHarmless(step)) {
    const limit = `${Math.ceil(waiting.patienceMs)}ms`
    await withLockRetries(run, name, waiting, () => sendStep(run, step, limit))
    return
  }
  let rows = 0
  do {
    const began = performance.now()
    rows = await withLockRetries(run, name, waiting, () => sendStep(run, step, LOCK_TIMEOUT))
    if (rows > 0) await delay(performance.now() - began)
  } while (rows > 0)
}

const TABLES = `SELECT oid::int8::text AS oid FROM pg_class WHERE relkind IN ('r', 'p')`

/** Reads which tables there are. */
export const tablesOf = async (run: RunSql): Promise<ReadonlySet<unknown>> =>
  new Set((await run(TABLES)).map(({ oid }) => oid))

/** Locks that keep others from reading or writing. */
const HELD = `SELECT relation::int8::text AS oid, nspname || '.' || relname AS name, bool_or(mode = 'AccessExclusiveLock') AS reads
  FROM pg_locks JOIN pg_class c ON c.oid = relation JOIN pg_namespace n ON n.oid = relnamespace
  WHERE pid = pg_backend_pid() AND granted AND relkind IN ('r', 'p') AND nspname <> 'pg_catalog'
    AND mode IN ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')
  GROUP BY 1, 2 ORDER BY 2`

/** Names the tables of `before` that this transaction has locked, each with what waits for its commit. */
export const locksOn = async (run: RunSql, before: ReadonlySet<unknown>): Promise<string[]> =>
  (await run(HELD))
    .filter(({ oid }) => before.has(oid))
    .map(({ name, reads }) => `${name} (${reads ? 'reads and writes' : 'writes'})`)
