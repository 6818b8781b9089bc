/** Delivery receipts, as text (SMPP 3.4, appendix B) and as TLVs: reads what a message centre delivers, and responds to it. */

import type { SmppBind } from '#core/config/smpp.ts'
import type { Logger } from '#core/observability/log.ts'
import { type Pdu, type PduFields, type ShortMessage, statusOf } from '../third-party/smpp.ts'
import { recipientAddress } from './message.ts'
import type { SmppMetrics } from './metrics.ts'

/** Final state of a part. */
export type FinalState = 'delivered' | 'expired' | 'failed' | 'declined' | 'error'

export interface Receipt {
  /** Id that the message centre gave the part, from the TLV if present; empty where the receipt names none. */
  readonly messageId: string
  /** Id in the text, where it differs from the TLV's; else the same. */
  readonly textId: string
  /** Recipient of the part, digits alone. */
  readonly recipient: string
  readonly state: FinalState
  readonly reason: string | null
  /** Our own number of the part, where the message centre returns it. */
  readonly reference: number | null
  /** Reference in the header of a long text, in two hexadecimal digits, and the part's number, where both are returned. */
  readonly concat: string | null
}

/** Receipt with the message centre that sent it. */
export interface ReceivedReceipt extends Receipt {
  /** Name of the centre, as its parts have it. */
  readonly smsc: string
}

/** Transaction id of a receipt's message; undefined while that is not known. */
export type Matched = string | undefined

/** Content of a delivery. `underWay` is not final, `message` was sent by a person, `unreadable` lacks id or state. */
type Delivered = { readonly receipt: Receipt } | 'underWay' | 'message' | 'unreadable'

interface Meaning {
  readonly state: FinalState
  readonly reason: string | null
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  DELIVRD: { state: 'delivered', reason: null },
  DELIVERED: { state: 'delivered', reason: null },
  EXPIRED: { state: 'expired', reason: 'The message could not be delivered before it expired' },
  DELETED: { state: 'failed', reason: 'The message was deleted at the message centre' },
  UNDELIV: { state: 'failed', reason: 'The message cannot be delivered' },
  UNDELIVERABLE: { state: 'failed', reason: 'The message cannot be delivered' },
  UNKNOWN: { state: 'error', reason: 'The message centre does not know what has become of the message' },
  REJECTD: { state: 'error', reason: 'The message was rejected' },
  REJECTED: { state: 'error', reason: 'The message was rejected' },
  SKIPPED: { state: 'error', reason: 'The message was passed over' },
}

/** States that are not final. */
const UNDER_WAY = ['ENROUTE', 'ACCEPTD', 'ACCEPTED', 'SCHEDUL', 'SCHEDULED']

/** Words of the text by `message_state` (SMPP 3.4, 5.2.28; 5.0 adds 0 and 9). */
const WORDS = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
  'SKIPPED',
]

/** Bits of `esm_class` with the type of notification (SMPP 3.4, 5.2.12). */
const RECEIPT_TYPES = 0x3c

/** Type of an intermediate notification: whatever its state, another receipt reports the end. */
const INTERMEDIATE = 0x20

const asText = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return value.toString('latin1')
  return typeof value === 'string' ? value : ''
}

/**
 * Message id as it is stored: its printable beginning. The decoder reads a TLV up to the next zero, and so beyond its end
 * where the other side left the zero out; it turns octet 0x80 into a zero, which no database stores in a text.
 */
export const idOf = (value: unknown): string => /^[\x20-\x7e]*/.exec(asText(value))![0].trim()

const textOf = ({ short_message: short, message_payload: payload }: PduFields): string =>
  [short, payload].map(one => asText((one as ShortMessage | undefined)?.message)).find(Boolean) ?? ''

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const digits = (value: unknown): string => asText(value).replace(/\D/g, '')

/** Adds the network's error code to a reason. */
const withError = (reason: string | null, text: string): string | null => {
  const error = /\berr:([0-9a-z]+)/i.exec(text)?.[1]
  return reason === null || error === undefined || /^0+$/.test(error) ? reason : `${reason} (error ${error})`
}

/** Meaning of a receipt's word for the part; undefined where it is not final. */
export const meaningOf = (word: string): Meaning | undefined =>
  UNDER_WAY.includes(word) ? undefined : (MEANINGS[word] ?? MEANINGS['UNKNOWN'])

/** Word for the number in `query_sm_resp` and in the TLV. */
export const wordOf = (messageState: number): string => WORDS[messageState] ?? 'UNKNOWN'

const isReceipt = ({ esm_class: type, receipted_message_id: id }: PduFields, text: string): boolean =>
  (Number(type ?? 0) & RECEIPT_TYPES) !== 0 ||
  id !== undefined ||
  /^\s*id: ?[\x21-\x7e]+ .*\bstat:/i.test(text)

const typeOf = ({ esm_class: type }: PduFields): number => Number(type ?? 0) & RECEIPT_TYPES

/** Recipient of the message: the receipt's source, or its destination where the centre left the addresses unswapped. */
const recipientOf = (fields: PduFields): string => {
  const source = asText(fields['source_addr'])
  return /^\+?\d+$/.test(source) ? digits(source) : digits(fields['destination_addr'])
}

const twoHexDigits = (number: number) => (number & 0xff).toString(16).padStart(2, '0')

const concatOf = ({ sar_msg_ref_num: reference, sar_segment_seqnum: part }: PduFields): string | null =>
  typeof reference === 'number' && typeof part === 'number' ? `${twoHexDigits(reference)} ${part}` : null

const stateWord = (fields: PduFields, text: string): string => {
  const number = numberOf(fields['message_state'])
  const word = /\bstat: ?([a-z]+)/i.exec(text)?.[1]?.toUpperCase()
  return word ?? (number === undefined ? '' : wordOf(number))
}

/**
 * Ids of a receipt: the TLV's first, then the text's where it differs, since centres write the same number in two forms.
 */
const idsOf = (fields: PduFields, text: string): string[] => {
  const ids = [idOf(fields['receipted_message_id']), /\bid: ?([\x21-\x7e]+)/i.exec(text)?.[1] ?? '']
  return [...new Set(ids.filter(Boolean))]
}

/** Reads the fields of a `deliver_sm`, or of a `data_sm`. */
export function readDelivered(fields: PduFields): Delivered {
  const text = textOf(fields)
  if (!isReceipt(fields, text)) return 'message'
  if (typeOf(fields) === INTERMEDIATE) return 'underWay'
  const [messageId = '', textId = messageId] = idsOf(fields, text)
  const reference = numberOf(fields['user_message_reference']) ?? null
  const concat = concatOf(fields)
  const word = stateWord(fields, text)
  const isNamed = messageId !== '' || reference !== null || concat !== null
  if (!isNamed || word === '') return 'unreadable'
  const meaning = meaningOf(word)
  if (!meaning) return 'underWay'
  const reason = withError(meaning.reason, text)
  const recipient = recipientOf(fields)
  return { receipt: { messageId, textId, recipient, state: meaning.state, reason, reference, concat } }
}

interface ReceiverDependencies {
  readonly log: Logger
  /** Country code of the operator: receipts may name recipients without it. */
  readonly countryCode: string
  readonly metrics: SmppMetrics
  /** Records a receipt; resolves once it is committed. */
  record(receipt: ReceivedReceipt): Promise<Matched>
  /** Reports the result of the message, if it is known by now. */
  report(transactionId: string): Promise<unknown>
}

const OK = 0

/** Status on which the other side sends the receipt again later. */
const LATER = statusOf('ESME_RX_T_APPN')

/** Status for messages from people, which this program does not read. */
const REFUSED = statusOf('ESME_RX_R_APPN')

const take = async (
  { metrics, record, report }: ReceiverDependencies,
  receipt: ReceivedReceipt,
): Promise<number> => {
  const transactionId = await record(receipt)
  metrics.receipts.inc({ state: transactionId === undefined ? 'early' : receipt.state })
  if (transactionId !== undefined) await report(transactionId)
  return OK
}

/** Makes the function that takes a `deliver_sm` of a bind and resolves with the status of the response. */
export const createReceiver =
  (parts: ReceiverDependencies) =>
  async (pdu: Pdu, { centre }: Pick<SmppBind, 'centre'>): Promise<number> => {
    const { log, metrics, countryCode } = parts
    const delivered = readDelivered(pdu.fields)
    if (typeof delivered === 'object') {
      const { receipt } = delivered
      const recipient = recipientAddress(receipt.recipient, countryCode).text
      return take(parts, { ...receipt, recipient, smsc: centre }).catch(error => {
        log.warn(
          { err: error },
          'a delivery receipt could not be recorded; the message centre is asked to send it again',
        )
        return LATER
      })
    }
    metrics.receipts.inc({ state: delivered })
    if (delivered === 'unreadable')
      log.warn('a delivery receipt without state, or without id and reference, was passed over')
    return delivered === 'message' ? REFUSED : OK
  }
