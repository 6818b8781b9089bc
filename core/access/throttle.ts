/**
 * Throttle against the guessing of secrets (docs/decisions.md, "Identity and access"). No client can lock another out: a
 * client is counted by its id and network together, and unknown ids by their network. Failures are counted in the
 * database, or in this process alone.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createBackoff } from '../async/retry.ts'
import { type Db, Prisma } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'
import { networkOf } from '../values/network.ts'

/** A key, and the number of failures it may have before it has to wait. */
interface FailureRule {
  readonly key: string
  readonly free: number
}

/** State of one key. */
interface Standing {
  readonly key: string
  /** Remaining time of its block in milliseconds; 0 when it is not blocked. */
  readonly blockedMs: number
}

/** Failures in a row by key; a key without failures for an hour after its last wait is forgotten. */
export interface FailureCounts {
  /** The states of those keys that have failed. */
  read(keys: readonly string[]): Promise<Standing[]>
  /** Counts one failure of each key that is not blocked. @returns the counted keys. */
  fail(rules: readonly FailureRule[]): Promise<string[]>
  /** Sets the count of a key to zero. */
  forget(key: string): Promise<void>
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 900_000
const FORGOTTEN_AFTER_MS = 3_600_000
/** Number of doublings after which the first wait exceeds the longest. */
const MOST_DOUBLINGS = 10
/** Forgotten rows that each failure removes; a failure adds at most two, so the table stays small. */
const REMOVED_AT_ONCE = 10

const milliseconds = (count: number) => Prisma.raw(`interval '${count} milliseconds'`)
const FORGOTTEN = milliseconds(FORGOTTEN_AFTER_MS)
/** The database's clock, truncated and not rounded: a time in the future means that the key is blocked. */
const NOW = Prisma.raw("date_trunc('milliseconds', clock_timestamp())")

/** Counts shared by all processes of an installation, by the database's clock (table `access.secret_failure`). */
export const createSharedCounts = (db: Db): FailureCounts => ({
  read: async keys => db.$queryRaw<Standing[]>`
    SELECT key, greatest(0, extract(epoch FROM blocked_until - clock_timestamp()) * 1000)::float8 AS "blockedMs"
    FROM access.secret_failure WHERE key = ANY (${keys}::text[])`,
  async fail(rules) {
    const keys = rules.map(({ key }) => key)
    const free = rules.map(one => one.free)
    const counted = await db.$queryRaw<{ key: string }[]>`
      WITH rule AS (SELECT * FROM unnest(${keys}::text[], ${free}::int[]) AS rule (key, free)),
      removed AS (DELETE FROM access.secret_failure WHERE key IN (
        SELECT key FROM access.secret_failure
        WHERE blocked_until < clock_timestamp() - ${FORGOTTEN} AND key <> ALL (${keys}::text[])
        ORDER BY blocked_until LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED))
      INSERT INTO access.secret_failure AS kept (key, failures, blocked_until)
      SELECT key, 1, ${NOW} FROM rule ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        failures = CASE WHEN kept.blocked_until < clock_timestamp() - ${FORGOTTEN} THEN 1
          ELSE least(kept.failures, 1000000) + 1 END,
        blocked_until = ${NOW} + (SELECT CASE
          WHEN kept.blocked_until < clock_timestamp() - ${FORGOTTEN} OR kept.failures + 1 < rule.free THEN interval '0'
          ELSE ${milliseconds(LONGEST_WAIT_MS)} * least(1, ${FIRST_WAIT_MS / LONGEST_WAIT_MS}::float8
            * power(2, least(${MOST_DOUBLINGS}::int, kept.failures + 1 - rule.free))) END
          FROM rule WHERE rule.key = kept.key)
      WHERE kept.blocked_until <= clock_timestamp()
      RETURNING key`
    return counted.map(({ key }) => key)
  },
  async forget(key) {
    await db.$executeRaw`DELETE FROM access.secret_failure WHERE key = ${key}`
  },
})

interface OwnFailures {
  readonly count: number
  readonly blockedUntil: number
}

const MAX_KEPT = 10_000

const backoffMs = createBackoff({ firstMs: FIRST_WAIT_MS, longestMs: LONGEST_WAIT_MS })
const waitMs = (count: number, free: number) => (count < free ? 0 : backoffMs(count - free))

/** Counts of this process alone; only the ten thousand keys that were used last are kept. */
export function createOwnCounts(now: () => number = Date.now): FailureCounts {
  const kept = new LRUCache<string, OwnFailures>({ max: MAX_KEPT })
  const failOne = ({ key, free }: FailureRule): string[] => {
    const { count = 0, blockedUntil = 0 } = kept.get(key) ?? {}
    if (blockedUntil > now()) return []
    const next = now() > blockedUntil + FORGOTTEN_AFTER_MS ? 1 : count + 1
    kept.set(key, { count: next, blockedUntil: now() + waitMs(next, free) })
    return [key]
  }
  const standing = (key: string): Standing[] => {
    const failures = kept.get(key)
    return failures ? [{ key, blockedMs: Math.max(0, failures.blockedUntil - now()) }] : []
  }
  return {
    read: async keys => keys.flatMap(standing),
    fail: async rules => rules.flatMap(failOne),
    forget: async key => void kept.delete(key),
  }
}

/** Uses shared counts; while those are out of reach, or read-only on a replica, the counts of this process. */
export function withOwnCounts(shared: FailureCounts, own: FailureCounts, log: Logger): FailureCounts {
  const orNone = async <T>(work: Promise<T[]>): Promise<T[]> =>
    work.catch(error => {
      log.warn({ err: error }, 'failures of secrets are counted in this process alone')
      return []
    })
  return {
    async read(keys) {
      return (await Promise.all([own.read(keys), orNone(shared.read(keys))])).flat()
    },
    async fail(rules) {
      try {
        return await shared.fail(rules)
      } catch (error) {
        log.warn({ err: error }, 'failures of secrets are counted in this process alone')
        return own.fail(rules)
      }
    },
    async forget(key) {
      await own.forget(key)
      await orNone(shared.forget(key).then(() => []))
    },
  }
}

/** An attempt to authenticate: the claimed client id, and the network address that it came from. */
export interface Attempt {
  readonly clientId: string
  readonly address: string
}

/** Waits in seconds until the next attempt is allowed; 0 when it is allowed now. */
export interface Waits {
  /** Wait of this client from this network. */
  readonly client: number
  /** Wait of unknown ids from this network. */
  readonly unknown: number
  /** Whether the client failed from this network lately. */
  readonly hasFailed: boolean
}

export interface Throttle {
  waits(attempt: Attempt): Promise<Waits>
  /** Counts a failure, unless the client is blocked already. @returns whether it was counted. */
  failed(attempt: Attempt, isKnown: boolean): Promise<boolean>
  succeeded(attempt: Attempt): Promise<void>
}

/** Consecutive failures before the first wait. */
const FREE_PER_CLIENT = 5
/**
 * Failures of unknown ids before the first wait: more than for a client, since an operator who mistypes an id tries
 * several, and many clients may share a network.
 */
const FREE_UNKNOWN = 100

/**
 * Makes the key of a count. It is hashed, since ids are arbitrary text of anonymous clients, and addresses are personal
 * data.
 */
const keyOf = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const rulesOf = ({ clientId, address }: Attempt) => {
  const network = networkOf(address)
  const client: FailureRule = { key: keyOf(network, clientId), free: FREE_PER_CLIENT }
  const unknown: FailureRule = { key: keyOf(network), free: FREE_UNKNOWN }
  return { client, unknown }
}

/** Makes a throttle. A success clears the failures of its client from its own network alone. */
export function createThrottle(counts: FailureCounts = createOwnCounts()): Throttle {
  return {
    async waits(attempt) {
      const { client, unknown } = rulesOf(attempt)
      const standings = await counts.read([client.key, unknown.key])
      const secondsOf = ({ key }: FailureRule) =>
        Math.ceil(Math.max(0, ...standings.filter(one => one.key === key).map(one => one.blockedMs)) / 1_000)
      return {
        client: secondsOf(client),
        unknown: secondsOf(unknown),
        hasFailed: standings.some(({ key }) => key === client.key),
      }
    },
    async failed(attempt, isKnown) {
      const { client, unknown } = rulesOf(attempt)
      const counted = await counts.fail(isKnown ? [client] : [client, unknown])
      return counted.includes(client.key)
    },
    succeeded: attempt => counts.forget(rulesOf(attempt).client.key),
  }
}
