/**
 * Inquiry into a message: what the kept parts say, and where no receipt came by the end of its time and a while longer,
 * what the message centre says (`query_sm`).
 */

import type { ChargeOrder, ChargeProgress } from '#core/charging/charging.ts'
import { NotSentError } from '#core/charging/charging.ts'
import { type Pdu, statusName } from '../third-party/smpp.ts'
import type { Address } from './addresses.ts'
import type { Bind } from './bind.ts'
import { verdictOf } from './errors.ts'
import { inTime } from './link.ts'
import { type PartRow, resultOf, toSend } from './outcome.ts'
import type { Parts } from './parts.ts'
import type { ReceiptStore } from './receipt-store.ts'
import { meaningOf, wordOf } from './receipts.ts'

export interface InquiryParts {
  readonly receipts: Pick<ReceiptStore, 'applyKept'>
  readonly parts: Parts
  readonly binds: () => readonly Bind[]
  /** How long after the end of a message's time its receipts may come. */
  readonly marginMs: number
  /** The sender of a message, under which the message centre knows it. */
  sourceOf(transactionId: string): Promise<Address | undefined>
}

const isTaken = ({ state }: PartRow) => state === 'accepted'

/** How long a message centre that does not respond to a question is asked again, in milliseconds. */
const ASKING_MS = 600_000

/** By how much it is past its time and what receipts may take longer, in milliseconds; negative before. */
const overdueMs = ({ expiresAt }: ChargeOrder, marginMs: number): number =>
  expiresAt === undefined ? Number.NEGATIVE_INFINITY : Date.now() - expiresAt.getTime() - marginMs

const NONE = 'No delivery receipt came'

const unknown = (why: string) => ({ state: 'error', reason: `${NONE}, and ${why}` }) as const

/** Binds to the message centre that took the part: another has other messages under the same ids. */
const bindsOf = (binds: readonly Bind[], smsc: string): readonly Bind[] =>
  binds.filter(({ settings: { centre, name } }) => smsc === centre || smsc === name)

/** A place to ask from. @throws NotSentError where none is free at the moment. */
const askingBind = (binds: readonly Bind[]): Bind => {
  const bind = binds.find(({ down, window }) => down === undefined && !window.isFull)
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

type End = Pick<PartRow, 'state' | 'reason'>

/** No receipt said so: the message centre's word now, or that it has none. */
const endOf = ({ status, fields }: Pdu): End => {
  const { outcome } = verdictOf(status)
  if (outcome === 'slow' || outcome === 'later')
    throw new NotSentError('the message centre is not ready for queries')
  if (outcome !== 'taken') return unknown(`the message centre does not say more (${statusName(status)})`)
  const word = wordOf(Number(fields['message_state']))
  return meaningOf(word) ?? unknown(`the message centre has the message as ${word}`)
}

/** Asks for one part. @throws what leaves its end unknown for now. */
const askFor = async ({ binds, sourceOf }: InquiryParts, row: PartRow, isLastTime: boolean): Promise<End> => {
  if (!row.messageId) return unknown('the message centre gave the message no id')
  const own = bindsOf(binds(), row.smsc)
  if (own.length === 0) return unknown('its message centre is no longer among those of SMPP_URL')
  if (!own.some(({ settings }) => settings.query))
    return unknown('the message centre cannot be asked (query=0)')
  const asked = ask(askingBind(own), await sourceOf(row.transactionId), row)
  return asked.then(endOf).catch(error => {
    if (error instanceof NotSentError || !isLastTime) throw error
    return unknown('the message centre does not respond to query_sm')
  })
}

/** Asks for the parts of which nothing has come, and notes the answers. */
const askAll = async (inquiry: InquiryParts, rows: readonly PartRow[], isLastTime: boolean) => {
  for (const row of rows.filter(isTaken)) {
    const { transactionId, number, messageId } = row
    const end = await askFor(inquiry, row, isLastTime)
    await inquiry.parts.note({ transactionId, number, messageId, ...end })
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
    const { receipts, parts, marginMs } = inquiry
    const { transactionId } = order
    const rows = await parts.of(transactionId)
    // What a killed process had received and not applied.
    const applied = await receipts.applyKept(rows.filter(isTaken))
    const progress = read(applied.length > 0 ? await parts.of(transactionId) : rows)
    const overdue = overdueMs(order, marginMs)
    if (progress?.outcome !== 'pending' || overdue < 0) return progress
    await askAll(inquiry, await parts.of(transactionId), overdue > ASKING_MS)
    return read(await parts.of(transactionId))
  }
