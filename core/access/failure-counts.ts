/** How often something failed in a row, and how long it is blocked for that: in the database, or in this process alone. */
import { LRUCache } from 'lru-cache'
import { createBackoff } from '../async/retry.ts'
import { Prisma, type PrismaClient } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'

/** A key, and how many failures it has free before it waits. */
export interface FailureRule {
  readonly key: string
  readonly free: number
}

/** What one key has come to. */
export interface Standing {
  readonly key: string
  /** How long it is blocked from now, in milliseconds; 0 when it is not. */
  readonly blockedMs: number
}

/** Counts by key; what was not heard of for an hour after its last wait is forgotten. */
export interface FailureCounts {
  /** Those of the keys that have failed. */
  read(keys: readonly string[]): Promise<Standing[]>
  /** Counts one failure of each key that is not blocked; returns those that were not. */
  fail(rules: readonly FailureRule[]): Promise<string[]>
  /** Begins anew. */
  forget(key: string): Promise<void>
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 900_000
const FORGOTTEN_AFTER_MS = 3_600_000
/** Doubling so often from the first wait comes to more than the longest. */
const MOST_DOUBLINGS = 10
/** Of what is forgotten, removed at each failure; a failure adds two rows at the most, so that the table stays small. */
const REMOVED_AT_ONCE = 10

const milliseconds = (count: number) => Prisma.raw(`interval '${count} milliseconds'`)
const FORGOTTEN = milliseconds(FORGOTTEN_AFTER_MS)
/** Cut, not rounded: a time that lies ahead means that the key is blocked. */
const NOW = Prisma.raw("date_trunc('milliseconds', clock_timestamp())")

/** Shared by all processes of an installation, by the database's clock (table `access.secret_failure`). */
export const createSharedCounts = (prisma: PrismaClient): FailureCounts => ({
  read: async keys => prisma.$queryRaw<Standing[]>`
    SELECT key, greatest(0, extract(epoch FROM blocked_until - clock_timestamp()) * 1000)::float8 AS "blockedMs"
    FROM access.secret_failure WHERE key = ANY (${keys}::text[])`,
  async fail(rules) {
    const keys = rules.map(({ key }) => key)
    const free = rules.map(one => one.free)
    const counted = await prisma.$queryRaw<{ key: string }[]>`
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
    await prisma.$executeRaw`DELETE FROM access.secret_failure WHERE key = ${key}`
  },
})

interface Failures {
  readonly count: number
  readonly blockedUntil: number
}

const MAX_KEPT = 10_000

const backoffMs = createBackoff({ firstMs: FIRST_WAIT_MS, longestMs: LONGEST_WAIT_MS })
const waitMs = (count: number, free: number) => (count < free ? 0 : backoffMs(count - free))

/** Of this process alone; what is beyond the ten thousand last touched is forgotten. */
export function createOwnCounts(now: () => number = Date.now): FailureCounts {
  const kept = new LRUCache<string, Failures>({ max: MAX_KEPT })
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

/** Shared counts; while they are out of reach, or may not be written (a read replica), those of this process. */
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
