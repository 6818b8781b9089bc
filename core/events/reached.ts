/**
 * Waits for a standby to replay the log as far as a cursor: a subscriber that comes from another site, or from another standby,
 * may be ahead of it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Statements } from '../data/db.ts'

/** Longest wait for a standby that is behind a cursor, in milliseconds: well within the time of a request. */
const LONGEST_MS = 3_000
const LOOK_MS = 50

/**
 * Waits until a log has come as far as a position.
 * @param head asks how far it has come.
 * @returns whether it has in time.
 */
export async function untilReached(position: bigint, head: () => Promise<bigint>): Promise<boolean> {
  const end = performance.now() + LONGEST_MS
  for (;;) {
    if (position <= (await head())) return true
    if (performance.now() > end) return false
    await delay(LOOK_MS)
  }
}

/** Whether a database is a standby, which may lack events that its primary has. */
export const isStandby = async (db: Statements): Promise<boolean> => {
  const [row] = await db.$lookUp<{ isStandby: boolean }[]>`SELECT pg_is_in_recovery() AS "isStandby"`
  return row!.isStandby
}
