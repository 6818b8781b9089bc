/**
 * Parts of messages (`messaging.part`): their state, the id under which the message centre took each, and the result of the
 * whole message. Each statement commits alone; what must not be lost is committed before a response is sent.
 */

import { Batcher } from '#core/async/batcher.ts'
import type { Watchdog } from '#core/async/watchdog.ts'
import type { ChargeResult } from '#core/charging/charging.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import { type Db, Prisma } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { createRecorder } from '#core/queue/lease-queue.ts'
import type { FinalState } from './receipts.ts'

/** State of a part: `waiting` was certainly not accepted, `sending` awaits its response, `accepted` awaits its receipt. */
export type PartState = 'waiting' | 'sending' | 'accepted' | FinalState

/** Part as a row of its table. */
export interface PartRow {
  readonly transactionId: string
  /** Number of the part, from 1. */
  readonly number: number
  readonly total: number
  readonly state: PartState
  readonly reason: string | null
  /** Id of the message centre, once it has accepted the part. */
  readonly messageId: string | null
  readonly smsc: string
  /** True once it was tried so long ago that no response can come any more. */
  readonly isStale: boolean
}

const OPEN: readonly PartState[] = ['waiting', 'sending', 'accepted']

const OUTCOMES = { error: 'invalid', failed: 'failed', declined: 'declined', expired: 'expired' } as const

/** Failures, the most telling first. */
const WORST = ['error', 'failed', 'declined', 'expired'] as const

const isFinal = ({ state }: PartRow) => !OPEN.includes(state)

/** Result of a message by its most telling failed part; undefined where none failed. */
const worstOf = (rows: readonly PartRow[]): ChargeResult | undefined => {
  const worst = WORST.find(state => rows.some(row => row.state === state))
  if (!worst) return undefined
  const reason = rows.find(({ state }) => state === worst)!.reason ?? ''
  return { outcome: OUTCOMES[worst], reason }
}

/**
 * Result of a message; undefined until every part has ended, or until one was refused, since the text is incomplete then.
 */
export function resultOf(rows: readonly PartRow[]): ChargeResult | undefined {
  const notTaken = worstOf(rows.filter(row => isFinal(row) && row.messageId === null))
  if (notTaken) return notTaken
  const isWhole = rows.length > 0 && rows.length === rows[0]!.total && rows.every(isFinal)
  return isWhole ? (worstOf(rows) ?? { outcome: 'done' }) : undefined
}

/** True where a part is to be sent, or sent again. */
const mayBeSent = ({ state, isStale }: PartRow) => state === 'waiting' || (state === 'sending' && isStale)

/** Numbers of the parts that are to be sent, or sent again. */
export const toSend = (rows: readonly PartRow[], total: number): number[] => {
  const known = new Map(rows.map(row => [row.number, row]))
  const numbers = Array.from({ length: total }, (_, index) => index + 1)
  return numbers.filter(number => {
    const row = known.get(number)
    return row === undefined || mayBeSent(row)
  })
}

/** Key of a part. */
export interface PartKey {
  readonly transactionId: string
  readonly number: number
}

/** Part that is about to be sent. */
interface PartToSend {
  readonly transactionId: string
  readonly number: number
  readonly total: number
  /** Digits, as in receipts. */
  readonly recipient: string
  /** Our number of the part, which a receipt may return. */
  readonly reference: number
  /** Message centre, by the name that its binds share. */
  readonly smsc: string
}

/** Outcome of a part that was sent. */
export interface PartResult {
  readonly transactionId: string
  readonly number: number
  readonly state: PartState
  readonly reason: string | null
  readonly messageId: string | null
}

const MAX_BATCH = 500
/** Most claims that wait; far above what windows allow, so that none is refused. */
const MAX_WAITING = 100_000
/** Signal that never aborts: a claim that was sent is made, even when its caller has gone. */
const NEVER = new AbortController().signal

const keyOf = ({ transactionId, number }: { transactionId: string; number: number }) =>
  `${transactionId} ${number}`

/**
 * Claims parts by their keys, where a queue claims the rows that are due: the row of a part may not exist yet. A claim ends
 * once no response can come any more.
 */
const claim = async (db: Db, parts: readonly PartToSend[], staleMs: number): Promise<boolean[]> => {
  const rows = await db.$queryRaw<{ transactionId: string; number: number }[]>`
    INSERT INTO messaging.part AS p
      (transaction_id, number, total, recipient, reference, smsc, state, tried_at)
    SELECT "transactionId", number, total, recipient, reference, smsc, 'sending', statement_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb)
      AS n ("transactionId" uuid, number int, total int, recipient text, reference int, smsc text)
    ON CONFLICT (transaction_id, number) DO UPDATE
      SET state = 'sending', smsc = excluded.smsc, tried_at = excluded.tried_at
      WHERE p.state = 'waiting'
        OR p.state = 'sending' AND excluded.tried_at - p.tried_at > ${staleMs}::int * interval '1 ms'
    RETURNING transaction_id AS "transactionId", number`
  const claimed = new Set(rows.map(keyOf))
  return parts.map(part => claimed.has(keyOf(part)))
}

/** Records outcomes; a part that a receipt has ended before stays as it is. */
const record = (db: Db, results: readonly PartResult[]) => db.$executeRaw`
  UPDATE messaging.part p
  SET state = n.state, reason = n.reason, message_id = coalesce(n."messageId", p.message_id)
  FROM ${valuesTable(results, Prisma.sql`"transactionId" uuid, number int, state text, reason text, "messageId" text`)} n
  WHERE p.transaction_id = n."transactionId" AND p.number = n.number
    AND (p.state IN ('waiting', 'sending') OR p.state = 'accepted' AND n.state NOT IN ('waiting', 'accepted'))`

const readMany = async (db: Db, ids: readonly string[], staleMs: number): Promise<PartRow[][]> => {
  const rows = await db.$queryRaw<PartRow[]>`
    SELECT transaction_id AS "transactionId", number, total, state, reason, message_id AS "messageId", smsc,
      tried_at < statement_timestamp() - ${staleMs}::int * interval '1 ms' AS "isStale"
    FROM messaging.part WHERE transaction_id = ANY (${ids}::uuid[]) ORDER BY transaction_id, number`
  const byId = Map.groupBy(rows, ({ transactionId }) => transactionId)
  return ids.map(id => byId.get(id) ?? [])
}

export interface PartStore {
  /**
   * Claims a part for sending by this process alone; false where the message centre has accepted it, or where it was tried
   * so recently that its response may still come.
   */
  claim(part: PartToSend): Promise<boolean>
  /** Records the outcome of a part; does nothing where a receipt has ended it before. */
  record(result: PartResult): Promise<unknown>
  /** Reads the parts of a message that were ever tried, in order. */
  of(transactionId: string): Promise<readonly PartRow[]>
}

interface PartStoreOptions {
  readonly db: Db
  readonly watchdog: Watchdog
  /** Time after which a part without response may be sent again, in milliseconds. */
  readonly staleMs: number
  /** Applies receipts that came before the ids of these parts were known. */
  applyKept(parts: readonly PartKey[]): Promise<unknown>
}

/** Longest time of one batch before the watchdog reports it, in milliseconds. */
const STANDSTILL_MS = 15_000

/** Makes the store of parts. */
export function createPartStore({ db, watchdog, staleMs, applyKept }: PartStoreOptions): PartStore {
  const claims = new Batcher((parts: PartToSend[]) => claim(db, parts, staleMs), {
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    rounds: watchdog.over('claims of SMS parts', STANDSTILL_MS),
  })
  const recordAll = async (results: readonly PartResult[]) => {
    await record(db, results)
    await applyKept(results.filter(({ state }) => state === 'accepted'))
    return results.map(() => null)
  }
  return {
    claim: part => claims.add(part, NEVER),
    record: createRecorder(recordAll, { watchdog, name: 'outcomes of SMS parts', maxBatch: MAX_BATCH }),
    of: batchedLookup(ids => readMany(db, ids, staleMs)),
  }
}
