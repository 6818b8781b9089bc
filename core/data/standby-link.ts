/** A standby's link to its primary, as far as the standby tells: one that hears nothing goes on to serve what it has. */
import { withTimeout } from '../async/deadline.ts'
import type { Statements } from './db.ts'

/** A clause on a link that is silent. */
export interface LinkFault {
  readonly reason: string
}

/** Longest silence in seconds: a primary says something each half of its `wal_sender_timeout`, which is a minute unless set. */
const LONGEST_SILENCE = 60
const ANSWER_MS = 500

interface Link {
  readonly isStandby: boolean
  /** Whether something receives the log; what it receives is told to roles with the rights of `pg_monitor` alone. */
  readonly isReceiving: boolean
  readonly silentSeconds: number | null
}

const readLink = async (db: Statements): Promise<Link> => {
  const [link] = await db.$lookUp<Link[]>`
    SELECT pg_is_in_recovery() AS "isStandby", r.pid IS NOT NULL AS "isReceiving",
      extract(epoch FROM clock_timestamp() - r.last_msg_receipt_time)::float8 AS "silentSeconds"
    FROM (SELECT 1) AS one LEFT JOIN pg_catalog.pg_stat_wal_receiver r ON TRUE`
  return link!
}

/** Tells of a standby that hears nothing from its primary; undefined where all is well, or the database is none or away. */
export async function linkFault(db: Statements): Promise<LinkFault | undefined> {
  const link = await withTimeout(readLink(db), ANSWER_MS, () => undefined).catch(() => undefined)
  if (!link?.isStandby) return undefined
  if (link.isReceiving && (link.silentSeconds ?? 0) < LONGEST_SILENCE) return undefined
  return { reason: 'the standby receives nothing from the primary' }
}
