/**
 * Receipts and the parts that they are of. One whose part is not known yet is kept (`messaging.receipt`) until a response
 * brings its id, or another receipt shows how the message centre writes its ids: whoever writes one of the two looks for
 * the other afterwards, so that one of them finds both.
 */
import { setImmediate as othersTurn } from 'node:timers/promises'
import { Batcher } from '#core/async/batcher.ts'
import type { Watchdog } from '#core/async/watchdog.ts'
import type { IdForm } from '#core/config/smpp.ts'
import { Prisma, type PrismaClient } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { type Candidate, type Match, matchOf } from './match.ts'
import { LearnedReadings, responseKeys } from './message-ids.ts'
import type { Receipt } from './receipts.ts'

/** A receipt, and the message centre whose it is. */
export interface ReceivedReceipt extends Receipt {
  /** The centre's name, as it stands with its parts. */
  readonly smsc: string
}

/** The message that a receipt is of; undefined while that is not known. */
export type Matched = string | undefined

/** A part, by its key. */
export interface PartKey {
  readonly transactionId: string
  readonly number: number
}

export interface ReceiptStore {
  /** Notes a receipt for good; resolves with the message that it is of. */
  note(receipt: ReceivedReceipt): Promise<Matched>
  /** Applies what is kept for the recipients of these parts, once; resolves with the messages of which it was. */
  applyKept(parts: readonly PartKey[]): Promise<string[]>
}

export interface ReceiptStoreParts {
  readonly db: PrismaClient
  readonly watchdog: Watchdog
  /** How a message centre writes its ids, by the centre's name. */
  formOf(smsc: string): IdForm
  /** Called with messages whose parts have ended by receipts that were kept. */
  onApplied(transactionIds: readonly string[]): void
}

/** For a statement that notes what came together, in milliseconds. */
const STANDSTILL_MS = 15_000

/** How long a receipt waits for its part: others may use the same account, and their receipts come to us as well. */
const KEPT_DAYS = 7

/** Noted together: on the embedded database a statement takes the process as long as it runs. */
const MAX_BATCH = 50
const MAX_WAITING = 100_000
const NEVER = new AbortController().signal

/** Until centres were told apart by their accounts as well, parts stood under `host:port`. */
const formerName = (smsc: string): string => smsc.slice(smsc.lastIndexOf('@') + 1)

interface Found extends Candidate {
  readonly index: number
}

/** Parts that receipts may be of: by an id that may be the same, or by the recipient and a reference. */
const readCandidates = (db: PrismaClient, receipts: readonly ReceivedReceipt[]) => {
  const rows = receipts.map(({ smsc, messageId, textId, recipient, reference, concat }, index) => {
    const keys = [...new Set([messageId, textId].filter(Boolean).flatMap(responseKeys))]
    const [octet = null, part = null] = concat?.split(' ') ?? []
    const number = part === null ? null : Number(part)
    return { index, smsc, former: formerName(smsc), keys, recipient, reference, octet, number }
  })
  return db.$queryRaw<Found[]>`
    SELECT r.index, p.transaction_id AS "transactionId", p.number, p.recipient, p.reference, p.state,
      p.message_id AS "messageId"
    FROM ${valuesTable(rows, Prisma.sql`index int, smsc text, former text, keys text[], recipient text, reference int, octet text, number int`)} r
    CROSS JOIN LATERAL (
      SELECT * FROM messaging.part WHERE ltrim(lower(message_id), '0') = ANY (r.keys)
      UNION
      SELECT * FROM messaging.part
      WHERE recipient = r.recipient AND reference = r.reference
      UNION
      SELECT * FROM messaging.part
      WHERE r.octet IS NOT NULL AND recipient = r.recipient AND number = r.number
        AND right(transaction_id::text, 2) = r.octet) p
    WHERE p.smsc IN (r.smsc, r.former) OR r.smsc = ''`
}

interface Pair {
  readonly receipt: ReceivedReceipt
  readonly part: Candidate
}

/** The first receipt of each part: what comes after it says nothing new. */
const firstOfEach = (pairs: readonly Pair[]): Pair[] => [
  ...new Map(
    pairs.toReversed().map(pair => [`${pair.part.transactionId} ${pair.part.number}`, pair]),
  ).values(),
]

/** Ends the parts, each once: one that has its end keeps it. */
const end = (db: PrismaClient, pairs: readonly Pair[]) => {
  const rows = firstOfEach(pairs).map(({ receipt: { messageId, state, reason }, part }) => ({
    transactionId: part.transactionId,
    number: part.number,
    state,
    reason,
    messageId: messageId || null,
  }))
  return db.$executeRaw`
    UPDATE messaging.part p SET state = r.state, reason = r.reason, message_id = coalesce(p.message_id, r."messageId")
    FROM ${valuesTable(rows, Prisma.sql`"transactionId" uuid, number int, state text, reason text, "messageId" text`)} r
    WHERE p.transaction_id = r."transactionId" AND p.number = r.number AND p.state IN ('waiting', 'sending', 'accepted')`
}

const KEPT_COLUMNS = Prisma.sql`smsc text, recipient text, "messageId" text, "textId" text, state text, reason text, reference int, concat text`

const keep = async (db: PrismaClient, receipts: readonly ReceivedReceipt[]) => {
  await db.$executeRaw`
    INSERT INTO messaging.receipt
      (smsc, recipient, message_id, text_id, state, reason, reference, concat, received_at)
    SELECT smsc, recipient, "messageId", "textId", state, reason, reference, concat, statement_timestamp()
    FROM ${valuesTable(receipts, KEPT_COLUMNS)} r
    ON CONFLICT DO NOTHING`
  await db.$executeRaw`
    DELETE FROM messaging.receipt
    WHERE received_at < statement_timestamp() - ${KEPT_DAYS}::int * interval '1 day'`
}

const forget = (db: PrismaClient, receipts: readonly ReceivedReceipt[]) => db.$executeRaw`
  DELETE FROM messaging.receipt k USING ${valuesTable(receipts, KEPT_COLUMNS)} r
  WHERE k.smsc = r.smsc AND k.recipient = r.recipient AND k.message_id = r."messageId"`

const KEPT = Prisma.sql`k.received_at, k.smsc, k.recipient, k.message_id AS "messageId", k.text_id AS "textId", k.state, k.reason, k.reference, k.concat`

const readKeptFor = (db: PrismaClient, parts: readonly PartKey[]) => db.$queryRaw<ReceivedReceipt[]>`
  SELECT DISTINCT ${KEPT}
  FROM ${valuesTable(parts, Prisma.sql`"transactionId" uuid, number int`)} g
  JOIN messaging.part p ON p.transaction_id = g."transactionId" AND p.number = g.number
  JOIN messaging.receipt k ON k.recipient IN (p.recipient, '') AND (p.smsc IN (k.smsc, regexp_replace(k.smsc, '^.*@', '')) OR k.smsc = '')
  ORDER BY k.received_at DESC LIMIT ${MAX_BATCH}`

const readKeptOf = (db: PrismaClient, smsc: string) => db.$queryRaw<ReceivedReceipt[]>`
  SELECT ${KEPT} FROM messaging.receipt k WHERE k.smsc = ${smsc} ORDER BY k.received_at DESC LIMIT ${MAX_BATCH}`

class Receipts implements ReceiptStore {
  readonly #parts: ReceiptStoreParts
  readonly #readings = new LearnedReadings()
  readonly #notes: Batcher<ReceivedReceipt, Matched>

  constructor(parts: ReceiptStoreParts) {
    this.#parts = parts
    this.#notes = new Batcher((receipts: ReceivedReceipt[]) => this.#noteAll(receipts), {
      maxBatch: MAX_BATCH,
      maxWaiting: MAX_WAITING,
      rounds: parts.watchdog.over('SMS receipts', STANDSTILL_MS),
    })
  }

  note(receipt: ReceivedReceipt): Promise<Matched> {
    return this.#notes.add(receipt, NEVER)
  }

  async applyKept(parts: readonly PartKey[]): Promise<string[]> {
    if (parts.length === 0) return []
    const applied = await this.#applyKept(await readKeptFor(this.#parts.db, parts))
    return [...new Set(applied.values())]
  }

  async #noteAll(receipts: readonly ReceivedReceipt[]): Promise<Matched[]> {
    const { db, onApplied } = this.#parts
    await othersTurn()
    const matches = await this.#apply(receipts)
    const learned = this.#learn(receipts, matches)
    const matched = matches.map(({ part }) => part?.transactionId)
    const unknown = receipts.filter((_, index) => matched[index] === undefined)
    if (unknown.length > 0) {
      await othersTurn()
      await keep(db, unknown)
    }
    // A part whose id came in between is found now, by the same means.
    const late = await this.#applyKept(unknown)
    // So are receipts that could be read in several ways, once others have shown which way is right.
    for (const smsc of learned) onApplied([...(await this.#applyKept(await readKeptOf(db, smsc))).values()])
    return receipts.map((receipt, index) => matched[index] ?? late.get(receipt))
  }

  /** Finds parts, and ends them. */
  async #apply(receipts: readonly ReceivedReceipt[]): Promise<Match[]> {
    const { db, formOf } = this.#parts
    const found = Map.groupBy(await readCandidates(db, receipts), ({ index }) => index)
    const matches = receipts.map((receipt, index) =>
      matchOf(receipt, found.get(index) ?? [], formOf(receipt.smsc), this.#readings.of(receipt.smsc)),
    )
    const pairs = matches.flatMap(({ part }, index) => (part ? [{ receipt: receipts[index]!, part }] : []))
    if (pairs.length > 0) await end(db, pairs)
    return matches
  }

  /** Notes what receipts showed of their centres; returns the centres whose ids are read in another way now. */
  #learn(receipts: readonly ReceivedReceipt[], matches: readonly Match[]): ReadonlySet<string> {
    const changed = receipts.filter(({ smsc }, index) => {
      const { shown } = matches[index]!
      return shown !== undefined && this.#readings.observe(smsc, shown)
    })
    return new Set(changed.map(({ smsc }) => smsc))
  }

  /** Applies receipts that are kept, and keeps the others: the message of each. */
  async #applyKept(kept: readonly ReceivedReceipt[]): Promise<ReadonlyMap<ReceivedReceipt, string>> {
    if (kept.length === 0) return new Map()
    const matches = await this.#apply(kept)
    const found = new Map<ReceivedReceipt, string>()
    for (const [index, { part }] of matches.entries()) if (part) found.set(kept[index]!, part.transactionId)
    if (found.size > 0) await forget(this.#parts.db, [...found.keys()])
    return found
  }
}

/** Makes the store of a process, which learns from its receipts how message centres write their ids. */
export const createReceiptStore = (parts: ReceiptStoreParts): ReceiptStore => new Receipts(parts)
