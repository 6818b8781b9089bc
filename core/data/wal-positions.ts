/** Positions in the write-ahead log: how far the primary has come, and whether a standby has replayed as much. */

/** A position of a timeline, of which a promotion begins a new one. */
export interface WalPosition {
  readonly timeline: number
  readonly lsn: bigint
}

/** A position as PostgreSQL writes it, such as `16/B374D848` (PostgreSQL documentation, 8.20). */
const LSN = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i

const lsnOf = (text: string): bigint => {
  const parts = LSN.exec(text)
  if (!parts) throw new Error(`${text} is no position of the write-ahead log`)
  return (BigInt(`0x${parts[1]}`) << 32n) + BigInt(`0x${parts[2]}`)
}

/**
 * Asks the primary. What is visible to anybody is flushed, since a commit becomes visible after it. The name of a file of the log
 * begins with its timeline.
 */
export const PRIMARY_POSITION = `SELECT lsn::text AS lsn, substr(pg_walfile_name(lsn), 1, 8) AS timeline
  FROM pg_current_wal_flush_lsn() AS lsn`

/** Asks a standby. It tells its timeline to roles with the rights of `pg_monitor`, while it receives the log. */
export const REPLAYED_POSITION = `SELECT pg_last_wal_replay_lsn()::text AS lsn,
  (SELECT lpad(to_hex(received_tli), 8, '0') FROM pg_stat_wal_receiver) AS timeline`

/** The answer to one of them. */
export interface PositionRow {
  readonly lsn: string | null
  readonly timeline: string | null
}

/** The position of an answer; undefined where the server is none of the kind that was asked for, or does not receive. */
export const positionOf = ({ lsn, timeline }: PositionRow): WalPosition | undefined =>
  lsn === null || timeline === null ? undefined : { timeline: Number.parseInt(timeline, 16), lsn: lsnOf(lsn) }

/** Whether a standby has all that the primary had: of another timeline it may lack it, however far it has come. */
export const hasReached = (replayed: WalPosition | undefined, needed: WalPosition): boolean =>
  replayed !== undefined && replayed.timeline === needed.timeline && replayed.lsn >= needed.lsn
