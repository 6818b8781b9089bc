/**
 * Receipts and their parts. A receipt whose part is not known yet is kept (`messaging.receipt`) until a response brings its
 * id, or another receipt shows how the message centre writes its ids. A process that writes a receipt or a response looks
 * for the other afterwards, so that one of two concurrent writers finds both.
 */
import { setImmediate as othersTurn } from 'node:timers/promises'
import { Batcher } from '#core/async/batcher.ts'
import type { Watchdog } from '#core/async/watchdog.ts'
import type { IdForm } from '#core/config/smpp.ts'
import { type Db, Prisma } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { type Candidate, LearnedReadings, type Match, matchOf, responseKeys } from './match.ts'
import type { PartKey } from './parts.ts'
import type { MatchedTransactionId, ReceivedReceipt } from './receipts.ts'

export interface ReceiptStore {
  /** Records a receipt; resolves with its message once that is committed. */
  record(receipt: ReceivedReceipt): Promise<MatchedTransactionId>
  /** Applies receipts that are kept for the recipients of these parts; resolves with the messages that they end. */
  applyKept(parts: readonly PartKey[]): Promise<string[]>
}

interface ReceiptStoreDependencies {
  readonly db: Db
  readonly watchdog: Watchdog
  /** Gives the form in which a message centre writes its ids, by the centre's name. */
  formOf(smsc: string): IdForm
  /** Called with messages whose parts were ended by kept receipts. */
  onApplied(transactionIds: readonly string[]): void
}

/** Longest time of one batch before the watchdog reports it, in milliseconds. */
const STANDSTILL_MS = 15_000

/** Days for which a receipt waits for its part: receipts of other users of the account come to us as well. */
const KEPT_DAYS = 7

/** Most receipts of one batch: on the embedded database a statement blocks the process while it runs. */
const MAX_BATCH = 50
const MAX_WAITING = 100_000
const NEVER = new AbortController().signal

/** Name under which older parts have the centre: `host:port`, without the account. */
const formerName = (smsc: string): string => smsc.slice(smsc.lastIndexOf('@') + 1)

interface Found extends Candidate {
  readonly index: number
}

/** Reads parts that receipts may report on: by an id that may be the same, or by recipient and reference. */
const readCandidates = (db: Db, receipts: readonly ReceivedReceipt[]) => {
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

/** Keeps the first receipt of each part; later ones say nothing new. */
const firstOfEach = (pairs: readonly Pair[]): Pair[] => [
  ...new Map(
    pairs.toReversed().map(pair => [`${pair.part.transactionId} ${pair.part.number}`, pair]),
  ).values(),
]

/** Ends the parts, each once; one that has ended before stays as it is. */
const end = (db: Db, pairs: readonly Pair[]) => {
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

const keep = async (db: Db, receipts: readonly ReceivedReceipt[]) => {
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

const forget = (db: Db, receipts: readonly ReceivedReceipt[]) => db.$executeRaw`
  DELETE FROM messaging.receipt k USING ${valuesTable(receipts, KEPT_COLUMNS)} r
  WHERE k.smsc = r.smsc AND k.recipient = r.recipient AND k.message_id = r."messageId"`

const KEPT = Prisma.sql`k.received_at, k.smsc, k.recipient, k.message_id AS "messageId", k.text_id AS "textId", k.state, k.reason, k.reference, k.concat`

const readKeptFor = (db: Db, parts: readonly PartKey[]) => db.$queryRaw<ReceivedReceipt[]>`
  SELECT DISTINCT ${KEPT}
  FROM ${valuesTable(parts, Prisma.sql`"transactionId" uuid, number int`)} g
  JOIN messaging.part p ON p.transaction_id = g."transactionId" AND p.number = g.number
  JOIN messaging.receipt k ON k.recipient IN (p.recipient, '') AND (p.smsc IN (k.smsc, regexp_replace(k.smsc, '^.*@', '')) OR k.smsc = '')
  ORDER BY k.received_at DESC LIMIT ${MAX_BATCH}`

const readKeptOf = (db: Db, smsc: string) => db.$queryRaw<ReceivedReceipt[]>`
  SELECT ${KEPT} FROM messaging.receipt k WHERE k.smsc = ${smsc} ORDER BY k.received_at DESC LIMIT ${MAX_BATCH}`

class Receipts implements ReceiptStore {
  readonly #parts: ReceiptStoreDependencies
  readonly #readings = new LearnedReadings()
  readonly #records: Batcher<ReceivedReceipt, MatchedTransactionId>

  constructor(parts: ReceiptStoreDependencies) {
    this.#parts = parts
    this.#records = new Batcher((receipts: ReceivedReceipt[]) => this.#recordAll(receipts), {
      maxBatch: MAX_BATCH,
      maxWaiting: MAX_WAITING,
      rounds: parts.watchdog.over('SMS receipts', STANDSTILL_MS),
    })
  }

  record(receipt: ReceivedReceipt): Promise<MatchedTransactionId> {
    return this.#records.add(receipt, NEVER)
  }

  async applyKept(parts: readonly PartKey[]): Promise<string[]> {
    if (parts.length === 0) return []
    const applied = await this.#applyKept(await readKeptFor(this.#parts.db, parts))
    return [...new Set(applied.values())]
  }

  async #recordAll(receipts: readonly ReceivedReceipt[]): Promise<MatchedTransactionId[]> {
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
    // A part whose id came in between is found now.
    const late = await this.#applyKept(unknown)
    // Ambiguous receipts are read again once others have shown the centre's form.
    for (const smsc of learned) onApplied([...(await this.#applyKept(await readKeptOf(db, smsc))).values()])
    return receipts.map((receipt, index) => matched[index] ?? late.get(receipt))
  }

  /** Finds the parts of receipts, and ends them. */
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

  /** Records the readings that receipts showed; returns the centres whose reading has changed. */
  #learn(receipts: readonly ReceivedReceipt[], matches: readonly Match[]): ReadonlySet<string> {
    const changed = receipts.filter(({ smsc }, index) => {
      const { shown } = matches[index]!
      return shown !== undefined && this.#readings.observe(smsc, shown)
    })
    return new Set(changed.map(({ smsc }) => smsc))
  }

  /** Applies kept receipts and deletes them; returns the message of each that was applied. */
  async #applyKept(kept: readonly ReceivedReceipt[]): Promise<ReadonlyMap<ReceivedReceipt, string>> {
    if (kept.length === 0) return new Map()
    const matches = await this.#apply(kept)
    const found = new Map<ReceivedReceipt, string>()
    for (const [index, { part }] of matches.entries()) if (part) found.set(kept[index]!, part.transactionId)
    if (found.size > 0) await forget(this.#parts.db, [...found.keys()])
    return found
  }
}

/** Makes the store of a process, which learns from receipts how message centres write their ids. */
export const createReceiptStore = (parts: ReceiptStoreDependencies): ReceiptStore => new Receipts(parts)
