/**
 * The parts of messages as they are kept (`messaging.part`): what was sent, under which id the message centre took it, and
 * what has become of it. Each statement commits alone; what must not be lost is committed before anybody is answered.
 */
import { Batcher } from '#core/async/batcher.ts'
import type { Watchdog } from '#core/async/watchdog.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import { Prisma, type PrismaClient } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import type { PartRow, PartState } from './outcome.ts'
import type { PartKey } from './receipt-store.ts'

/** A part that is about to be sent. */
export interface PartToSend {
  readonly transactionId: string
  readonly number: number
  readonly total: number
  /** Digits, as they stand in receipts. */
  readonly recipient: string
  /** Our number of the part, which may come back in a receipt. */
  readonly reference: number
  /** The message centre, by the name that its binds share. */
  readonly smsc: string
}

/** What has become of a part that was sent. */
export interface PartResult {
  readonly transactionId: string
  readonly number: number
  readonly state: PartState
  readonly reason: string | null
  readonly messageId: string | null
}

const MAX_BATCH = 500
/** Far above what windows allow: nothing is refused. */
const MAX_WAITING = 100_000
/** What is to be noted is noted, whoever waits for it. */
const NEVER = new AbortController().signal

const keyOf = ({ transactionId, number }: { transactionId: string; number: number }) =>
  `${transactionId} ${number}`

const claim = async (db: PrismaClient, parts: readonly PartToSend[], staleMs: number): Promise<boolean[]> => {
  const rows = await db.$queryRaw<{ transactionId: string; number: number }[]>`
    INSERT INTO messaging.part AS p
      (transaction_id, number, total, recipient, reference, smsc, state, tried_at)
    SELECT "transactionId", number, total, recipient, reference, smsc, 'sending', statement_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb)
      AS n ("transactionId" uuid, number int, total int, recipient text, reference int, smsc text)
    ON CONFLICT (transaction_id, number) DO UPDATE
      SET state = 'sending', smsc = excluded.smsc, tried_at = excluded.tried_at
      WHERE p.state = 'waiting'
        OR p.state = 'sending' AND p.tried_at < statement_timestamp() - ${staleMs}::int * interval '1 ms'
    RETURNING transaction_id AS "transactionId", number`
  const claimed = new Set(rows.map(keyOf))
  return parts.map(part => claimed.has(keyOf(part)))
}

/** A receipt may have come before: it has the last word. */
const note = (db: PrismaClient, results: readonly PartResult[]) => db.$executeRaw`
  UPDATE messaging.part p
  SET state = n.state, reason = n.reason, message_id = coalesce(n."messageId", p.message_id)
  FROM ${valuesTable(results, Prisma.sql`"transactionId" uuid, number int, state text, reason text, "messageId" text`)} n
  WHERE p.transaction_id = n."transactionId" AND p.number = n.number
    AND (p.state IN ('waiting', 'sending') OR p.state = 'accepted' AND n.state NOT IN ('waiting', 'accepted'))`

const readMany = async (db: PrismaClient, ids: readonly string[], staleMs: number): Promise<PartRow[][]> => {
  const rows = await db.$queryRaw<PartRow[]>`
    SELECT transaction_id AS "transactionId", number, total, state, reason, message_id AS "messageId", smsc,
      tried_at < statement_timestamp() - ${staleMs}::int * interval '1 ms' AS "isStale"
    FROM messaging.part WHERE transaction_id = ANY (${ids}::uuid[]) ORDER BY transaction_id, number`
  const byId = Map.groupBy(rows, ({ transactionId }) => transactionId)
  return ids.map(id => byId.get(id) ?? [])
}

export interface Parts {
  /**
   * Takes a part for sending, for this process alone: false where it has been taken by the message centre, or was tried
   * so lately that its response may yet come.
   */
  claim(part: PartToSend): Promise<boolean>
  /** Notes what has become of a part; nothing where a receipt has said it before. */
  note(result: PartResult): Promise<unknown>
  /** The parts of a message that were ever tried, in order. */
  of(transactionId: string): Promise<readonly PartRow[]>
}

export interface PartsOptions {
  readonly db: PrismaClient
  readonly watchdog: Watchdog
  /** After which an unanswered part may be sent again, in milliseconds. */
  readonly staleMs: number
  /** Applies receipts that came before the ids of these parts were known. */
  applyKept(parts: readonly PartKey[]): Promise<unknown>
}

/** For a statement that writes what came together, in milliseconds. */
const STANDSTILL_MS = 15_000

/** The parts of this database's messages. */
export function createParts({ db, watchdog, staleMs, applyKept }: PartsOptions): Parts {
  const limits = { maxBatch: MAX_BATCH, maxWaiting: MAX_WAITING }
  const claims = new Batcher((parts: PartToSend[]) => claim(db, parts, staleMs), {
    ...limits,
    rounds: watchdog.over('claims of SMS parts', STANDSTILL_MS),
  })
  const noteAll = async (results: PartResult[]) => {
    await note(db, results)
    await applyKept(results.filter(({ state }) => state === 'accepted'))
    return results.map(() => null)
  }
  const notes = new Batcher(noteAll, {
    ...limits,
    rounds: watchdog.over('outcomes of SMS parts', STANDSTILL_MS),
  })
  return {
    claim: part => claims.add(part, NEVER),
    note: result => notes.add(result, NEVER),
    of: batchedLookup(ids => readMany(db, ids, staleMs)),
  }
}
