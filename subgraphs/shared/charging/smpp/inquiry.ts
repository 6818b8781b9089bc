/**
 * What became of a message: what the kept parts say, and where no receipt came by the end of its time and a while longer,
 * what the message centre says (`query_sm`).
 */
import type { PrismaClient } from '../../data/db.ts'
import { type Pdu, statusName } from '../../third-party/smpp.ts'
import type { ChargeOrder, ChargeProgress } from '../charging.ts'
import { NotSentError } from '../charging.ts'
import type { Address } from './addresses.ts'
import type { Bind } from './bind.ts'
import { verdictOf } from './errors.ts'
import { inTime } from './link.ts'
import { type PartRow, resultOf, toSend } from './outcome.ts'
import type { Parts } from './parts.ts'
import { applyKept } from './receipt-store.ts'
import { meaningOf, wordOf } from './receipts.ts'

export interface InquiryParts {
  readonly db: PrismaClient
  readonly parts: Parts
  readonly binds: () => readonly Bind[]
  /** How long after the end of a message's time its receipts may come. */
  readonly marginMs: number
  /** The sender of a message, under which the message centre knows it. */
  sourceOf(transactionId: string): Promise<Address | undefined>
}

const isTaken = ({ state }: PartRow) => state === 'accepted'

/** Past its time, and what receipts may take longer. */
const isOverdue = ({ expiresAt }: ChargeOrder, marginMs: number) =>
  expiresAt !== undefined && expiresAt.getTime() + marginMs < Date.now()

/** A place to ask from: where the part was taken, if that is up. */
const askingBind = (binds: readonly Bind[], smsc: string): Bind => {
  const up = binds.filter(({ down, window }) => down === undefined && !window.isFull)
  const bind = up.find(({ settings }) => settings.name === smsc) ?? up[0]
  if (!bind) throw new NotSentError('no bind to the message centre is free')
  return bind
}

const ask = async (bind: Bind, source: Address | undefined, { messageId }: PartRow): Promise<Pdu> => {
  const release = bind.window.take()
  try {
    const asked = bind.request('query_sm', {
      message_id: messageId,
      source_addr_ton: source?.ton ?? 0,
      source_addr_npi: source?.npi ?? 0,
      source_addr: source?.text ?? '',
    })
    return await inTime(bind.settings.timeoutMs, asked, 'no response to query_sm')
  } finally {
    release()
  }
}

/** Nothing said so by itself: the message centre's word now, or that nobody knows. */
const endOf = (pdu: Pdu): Pick<PartRow, 'state' | 'reason'> => {
  const { outcome } = verdictOf(pdu.command_status)
  if (outcome === 'slow' || outcome === 'later')
    throw new NotSentError('the message centre is not ready for queries')
  const none = 'No delivery receipt came'
  if (outcome !== 'taken')
    return {
      state: 'error',
      reason: `${none}, and the message centre does not say more (${statusName(pdu.command_status)})`,
    }
  const word = wordOf(Number(pdu['message_state']))
  return (
    meaningOf(word) ?? {
      state: 'error',
      reason: `${none}, and the message centre has the message as ${word}`,
    }
  )
}

const NO_ID = {
  state: 'error',
  reason: 'No delivery receipt came, and the message centre gave the message no id',
} as const

/** Asks for the parts of which nothing has come, and notes the answers. */
const askAll = async ({ parts, binds, sourceOf }: InquiryParts, rows: readonly PartRow[]) => {
  for (const row of rows.filter(isTaken)) {
    const { transactionId, number, messageId } = row
    const end = messageId
      ? endOf(await ask(askingBind(binds(), row.smsc), await sourceOf(transactionId), row))
      : NO_ID
    await parts.note({ transactionId, number, messageId, ...end })
  }
}

const pending = (reason: string): ChargeProgress => ({ outcome: 'pending', reason })

/** What the rows say: a result, that some is to be sent (undefined), or that nothing is known yet. */
const read = (rows: readonly PartRow[]): ChargeProgress | undefined => {
  const result = resultOf(rows)
  if (result) return result
  if (rows.length === 0 || toSend(rows, rows[0]!.total).length > 0) return undefined
  return rows.every(row => row.state !== 'sending')
    ? pending('The message centre has taken the message')
    : pending('The message was put to the message centre, which has not responded')
}

/** Makes the function that says what became of a message; undefined where it is to be sent, or sent again. */
export const createInquiry =
  (inquiry: InquiryParts) =>
  async (order: ChargeOrder): Promise<ChargeProgress | undefined> => {
    const { db, parts, marginMs } = inquiry
    const { transactionId } = order
    const rows = await parts.of(transactionId)
    // What a killed process had received and not applied.
    const applied = await applyKept(
      db,
      rows.filter(isTaken).flatMap(({ messageId }) => messageId ?? []),
    )
    const progress = read(applied.length > 0 ? await parts.of(transactionId) : rows)
    if (progress?.outcome !== 'pending' || !isOverdue(order, marginMs)) return progress
    await askAll(inquiry, await parts.of(transactionId))
    return read(await parts.of(transactionId))
  }
