/**
 * Receipts and the parts that they are of. One whose message id is not known yet is kept (`messaging.receipt`) until the
 * response brings the id: whoever writes one of the two looks for the other afterwards, so that one of them finds both.
 */
import { Batcher } from '../../async/batcher.ts'
import { Prisma, type PrismaClient } from '../../data/db.ts'
import { givenRows } from '../../data/given-rows.ts'
import type { Receipt } from './receipts.ts'

/** Which message a receipt is of; undefined while that is not known. */
export type Matched = string | undefined

/** How long a receipt waits for its part: others may use the same account, and their receipts come to us as well. */
const KEPT_DAYS = 7

const MAX_BATCH = 500
const MAX_WAITING = 100_000
const NEVER = new AbortController().signal

/** Last digits that are the same however a number is written. */
const TAIL = 7

interface Found {
  readonly index: number
  readonly transactionId: string
}

const indexed = (receipts: readonly Receipt[]): Prisma.Sql =>
  givenRows(
    receipts.map((receipt, index) => ({ ...receipt, index })),
    Prisma.sql`index int, "messageId" text, recipient text, state text, reason text, reference int`,
  )

/**
 * By the message centre's id; where it was given more than once, by the recipient. A part that has its end keeps it: its
 * receipt has come twice.
 */
const applyById = (db: PrismaClient, receipts: readonly Receipt[]) => db.$queryRaw<Found[]>`
  WITH found AS MATERIALIZED (
    SELECT r.index, r.state, r.reason, p.transaction_id, p.number
    FROM ${indexed(receipts)} r
    CROSS JOIN LATERAL (
      SELECT * FROM (SELECT part.*, right(recipient, ${TAIL}::int) = right(r.recipient, ${TAIL}::int) AS fits
        FROM messaging.part WHERE message_id = r."messageId") one
      WHERE one.fits OR one.state = 'accepted'
      ORDER BY one.fits DESC, one.state = 'accepted' DESC, one.tried_at DESC
      LIMIT 1) p),
  applied AS (
    UPDATE messaging.part p SET state = f.state, reason = f.reason FROM found f
    WHERE p.transaction_id = f.transaction_id AND p.number = f.number AND p.state = 'accepted')
  SELECT index, transaction_id AS "transactionId" FROM found`

/**
 * By our own number of the part, where the response that would have brought the id was lost: of the parts to this
 * recipient that nobody knows the end of, the only one with that number.
 */
const applyByReference = (db: PrismaClient, receipts: readonly Receipt[]) => db.$queryRaw<Found[]>`
  WITH found AS MATERIALIZED (
    SELECT r.index, r.state, r.reason, r."messageId", p.transaction_id, p.number
    FROM ${indexed(receipts)} r
    JOIN messaging.part p ON p.recipient = r.recipient AND p.reference = r.reference AND p.state IN ('sending', 'waiting')),
  single AS (SELECT index FROM found GROUP BY index HAVING count(*) = 1),
  applied AS (
    UPDATE messaging.part p SET state = f.state, reason = f.reason, message_id = f."messageId"
    FROM found f JOIN single USING (index)
    WHERE p.transaction_id = f.transaction_id AND p.number = f.number AND p.state IN ('sending', 'waiting')
    RETURNING f.index, p.transaction_id)
  SELECT index, transaction_id AS "transactionId" FROM applied`

const keep = async (db: PrismaClient, receipts: readonly Receipt[]) => {
  await db.$executeRaw`
    INSERT INTO messaging.receipt (message_id, recipient, state, reason, received_at)
    SELECT "messageId", recipient, state, reason, statement_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb)
      AS r ("messageId" text, recipient text, state text, reason text)
    ON CONFLICT DO NOTHING`
  await db.$executeRaw`
    DELETE FROM messaging.receipt
    WHERE received_at < statement_timestamp() - ${KEPT_DAYS}::int * interval '1 day'`
}

/** Applies what is kept for these ids, once: the messages of which it was. */
export const applyKept = async (db: PrismaClient, messageIds: readonly string[]): Promise<string[]> => {
  if (messageIds.length === 0) return []
  const given = messageIds.map(id => ({ id }))
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH taken AS (
      DELETE FROM messaging.receipt r USING ${givenRows(given, Prisma.sql`id text`)} g, messaging.part p
      WHERE r.message_id = g.id AND p.message_id = g.id
      RETURNING r.state, r.reason, p.transaction_id, p.number)
    UPDATE messaging.part p SET state = t.state, reason = t.reason FROM taken t
    WHERE p.transaction_id = t.transaction_id AND p.number = t.number AND p.state = 'accepted'
    RETURNING p.transaction_id AS id`
  return [...new Set(rows.map(({ id }) => id))]
}

const without = (receipts: readonly Receipt[], places: readonly number[]) =>
  places.map(place => receipts[place]!)

const noteAll = async (db: PrismaClient, receipts: readonly Receipt[]): Promise<Matched[]> => {
  const matched: Matched[] = receipts.map(() => undefined)
  const open = () => [...matched.keys()].filter(index => matched[index] === undefined)
  for (const apply of [applyById, applyByReference]) {
    const places = open()
    if (places.length === 0) return matched
    for (const { index, transactionId } of await apply(db, without(receipts, places)))
      matched[places[index]!] = transactionId
  }
  const unknown = without(receipts, open())
  if (unknown.length === 0) return matched
  await keep(db, unknown)
  await applyKept(
    db,
    unknown.map(({ messageId }) => messageId),
  )
  // A part whose id came in between is found now, by the same means.
  const places = open()
  for (const { index, transactionId } of await applyById(db, without(receipts, places)))
    matched[places[index]!] = transactionId
  return matched
}

/** Makes the function that notes a receipt for good; it resolves with the message that it is of. */
export function createReceiptStore(db: PrismaClient): (receipt: Receipt) => Promise<Matched> {
  const notes = new Batcher((receipts: Receipt[]) => noteAll(db, receipts), {
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
  })
  return receipt => notes.add(receipt, NEVER)
}
