/** Record of used assertions, for all processes of an installation: each is good once (RFC 7523 §3, `jti`). */
import { hash } from 'node:crypto'
import type { Db } from '../data/db.ts'
import { unavailable } from '../errors/catalogue.ts'

/** Largest number of a client's assertions that are kept: about ten a second for a quarter of an hour. */
const MAX_PER_CLIENT = 10_000
/** Largest number of expired rows that each use removes. It adds one, so the table stays small. */
const REMOVED_AT_ONCE = 10
/** Time in milliseconds by which a row outlives its assertion, since the database's clock may be ahead of a server's. */
const MARGIN_MS = 300_000
const RETRY_AFTER_SECONDS = 60

/** Use of an assertion whose signature is good. */
export interface Use {
  readonly clientId: string
  readonly jti: string
  /** End of the assertion, in milliseconds since 1970. */
  readonly endsAt: number
}

/**
 * Marks an assertion as used.
 * @returns false where it was used before, by any process.
 * @throws ServiceError SERVICE_UNAVAILABLE for a client with too many in a few minutes.
 */
export type UseOnce = (use: Use) => Promise<boolean>

/** Makes the function that marks assertions (table `access.used_assertion`). */
export const createUseOnce =
  (db: Pick<Db, '$queryRaw'>): UseOnce =>
  async ({ clientId, jti, endsAt }) => {
    const [row] = await db.$queryRaw<{ kept: number; added: number }[]>`
      WITH removed AS (DELETE FROM access.used_assertion WHERE (client_id, jti) IN (
        SELECT client_id, jti FROM access.used_assertion WHERE expires_at < clock_timestamp()
        ORDER BY expires_at LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED)),
      own AS (SELECT count(*)::int AS kept FROM (
        SELECT FROM access.used_assertion WHERE client_id = ${clientId}
          AND expires_at >= clock_timestamp()
        LIMIT ${MAX_PER_CLIENT}) AS rows),
      added AS (INSERT INTO access.used_assertion (client_id, jti, expires_at)
        SELECT ${clientId}, ${hash('sha256', jti, 'base64url')}, ${new Date(endsAt + MARGIN_MS)}::timestamptz
        FROM own WHERE kept < ${MAX_PER_CLIENT}::int
        ON CONFLICT DO NOTHING RETURNING 1)
      SELECT kept, (SELECT count(*)::int FROM added) AS added FROM own`
    if (row!.kept >= MAX_PER_CLIENT)
      throw unavailable('Too many assertions in a few minutes: use each token until it expires', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    return row!.added === 1
  }
