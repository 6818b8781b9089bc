/**
 * Inquiry into a message: reads its parts, and queries the message centre (`query_sm`) where no receipt came by the
 * message's expiry and a margin.
 */
import { type ChargeOrder, type ChargeProgress, NotSentError } from '#core/charging/charging.ts'
import { type Pdu, statusName } from '../third-party/smpp.ts'
import type { Bind } from './bind.ts'
import { inTime } from './link.ts'
import type { Address } from './message.ts'
import { type PartRow, type PartStore, resultOf, toSend } from './parts.ts'
import type { ReceiptStore } from './receipt-store.ts'
import { meaningOf, wordOfState } from './receipts.ts'
import { verdictOf } from './sender.ts'

interface InquiryDependencies {
  readonly receipts: Pick<ReceiptStore, 'applyKept'>
  readonly parts: PartStore
  readonly binds: () => readonly Bind[]
  /** Margin after a message's expiry within which its receipts may come, in milliseconds. */
  readonly marginMs: number
  /** Gives the sender of a message, which `query_sm` has to name. */
  sourceOf(transactionId: string): Promise<Address | undefined>
}

const isTaken = ({ state }: PartRow) => state === 'accepted'

/** Period between two queries to a message centre that does not respond to them, in milliseconds. */
const QUERY_PERIOD_MS = 600_000

/** Time since expiry and margin have passed, in milliseconds; negative before. */
const overdueMs = ({ expiresAt }: ChargeOrder, marginMs: number): number =>
  expiresAt === undefined ? Number.NEGATIVE_INFINITY : Date.now() - expiresAt.getTime() - marginMs

const NONE = 'No delivery receipt came'

const unknown = (why: string) => ({ state: 'error', reason: `${NONE}, and ${why}` }) as const

/** Binds to the message centre that accepted the part; another centre has other messages under the same ids. */
const bindsOf = (binds: readonly Bind[], smsc: string): readonly Bind[] =>
  binds.filter(({ settings: { centre, name } }) => smsc === centre || smsc === name)

/**
 * Finds a bind to query over.
 * @throws NotSentError where none is free at the moment.
 */
const bindForQuery = (binds: readonly Bind[]): Bind => {
  const bind = binds.find(({ down, window }) => down === undefined && !window.isFull)
  if (!bind) throw new NotSentError('no bind to the message centre is free')
  return bind
}

const ask = async (bind: Bind, source: Address | undefined, { messageId }: PartRow): Promise<Pdu> => {
  const release = bind.window.take()
  try {
    const response = bind.request('query_sm', {
      message_id: messageId,
      source_addr_ton: source?.ton ?? 0,
      source_addr_npi: source?.npi ?? 0,
      source_addr: source?.text ?? '',
    })
    return await inTime(bind.settings.timeoutMs, response, 'no response to query_sm')
  } finally {
    release()
  }
}

type End = Pick<PartRow, 'state' | 'reason'>

/** Reads the end of a part from the response to a query. @throws NotSentError where the centre is not ready. */
const endOf = ({ status, fields }: Pdu): End => {
  const { outcome } = verdictOf(status)
  if (outcome === 'slow' || outcome === 'later')
    throw new NotSentError('the message centre is not ready for queries')
  if (outcome !== 'taken') return unknown(`the message centre does not say more (${statusName(status)})`)
  const word = wordOfState(Number(fields['message_state']))
  return meaningOf(word) ?? unknown(`the message centre has the message as ${word}`)
}

/** Queries one part. @throws Error where its end stays unknown for now. */
const askFor = async (
  { binds, sourceOf }: InquiryDependencies,
  row: PartRow,
  isLastTime: boolean,
): Promise<End> => {
  if (!row.messageId) return unknown('the message centre gave the message no id')
  const own = bindsOf(binds(), row.smsc)
  if (own.length === 0) return unknown('its message centre is no longer among those of SMPP_URL')
  if (!own.some(({ settings }) => settings.query))
    return unknown('the message centre takes no queries (query=0)')
  const state = ask(bindForQuery(own), await sourceOf(row.transactionId), row)
  return state.then(endOf).catch(error => {
    if (error instanceof NotSentError || !isLastTime) throw error
    return unknown('the message centre does not respond to query_sm')
  })
}

/** Queries the accepted parts without receipt, and records the responses. */
const askAll = async (inquiry: InquiryDependencies, rows: readonly PartRow[], isLastTime: boolean) => {
  for (const row of rows.filter(isTaken)) {
    const { transactionId, number, messageId } = row
    const end = await askFor(inquiry, row, isLastTime)
    await inquiry.parts.record({ transactionId, number, messageId, ...end })
  }
}

const pending = (reason: string): ChargeProgress => ({ outcome: 'pending', reason })

/** Progress of a message by its parts; undefined where parts are still to be sent. */
const read = (rows: readonly PartRow[]): ChargeProgress | undefined => {
  const result = resultOf(rows)
  if (result) return result
  if (rows.length === 0 || toSend(rows, rows[0]!.total).length > 0) return undefined
  return rows.every(row => row.state !== 'sending')
    ? pending('The message centre has taken the message')
    : pending('The message was put to the message centre, which has not responded')
}

/** Makes the function that resolves with a message's progress; undefined where it is to be sent, or sent again. */
export const createInquiry =
  (inquiry: InquiryDependencies) =>
  async (order: ChargeOrder): Promise<ChargeProgress | undefined> => {
    const { receipts, parts, marginMs } = inquiry
    const { transactionId } = order
    const rows = await parts.of(transactionId)
    // A killed process may have received receipts without applying them.
    const applied = await receipts.applyKept(rows.filter(isTaken))
    const progress = read(applied.length > 0 ? await parts.of(transactionId) : rows)
    const overdue = overdueMs(order, marginMs)
    if (progress?.outcome !== 'pending' || overdue < 0) return progress
    await askAll(inquiry, await parts.of(transactionId), overdue > QUERY_PERIOD_MS)
    return read(await parts.of(transactionId))
  }
