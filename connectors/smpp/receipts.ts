/** Delivery receipts, as text (SMPP 3.4, appendix B) and as TLVs: reads them, has them recorded, and responds to them. */

import type { SmppBind } from '#core/config/smpp.ts'
import type { Logger } from '#core/observability/log.ts'
import { type Pdu, type PduFields, type ShortMessage, statusOf } from '../third-party/smpp.ts'
import { recipientAddress } from './message.ts'
import type { SmppMetrics } from './metrics.ts'

/** Final state of a part: a long message is sent in several parts, each with a receipt of its own. */
export type FinalState = 'delivered' | 'expired' | 'failed' | 'declined' | 'error'

export interface Receipt {
  /** Id that the message centre gave the part, from the TLV if present; empty where the receipt names none. */
  readonly messageId: string
  /** Id in the text; the same as `messageId` where the receipt names only one. */
  readonly textId: string
  /** Recipient of the part, digits alone. */
  readonly recipient: string
  readonly state: FinalState
  readonly reason: string | null
  /** Number that this program gave the part (`user_message_reference`), where the message centre returns it. */
  readonly reference: number | null
  /** Reference in the header of a long text, in two hexadecimal digits, and the part's number, where both are returned. */
  readonly concat: string | null
}

/** Receipt with the message centre that sent it. */
export interface ReceivedReceipt extends Receipt {
  /** Name of the centre, as its parts have it. */
  readonly smsc: string
}

/** Transaction id of a receipt's message; undefined while no message matches the receipt. */
export type MatchedTransactionId = string | undefined

/** Content of a delivery. `underWay` is a state that is not final, `message` a text from a person; `unreadable` lacks id or state. */
type Delivered = { readonly receipt: Receipt } | 'underWay' | 'message' | 'unreadable'

/** State of a part, and the reason that its transaction shows. */
interface Meaning {
  readonly state: FinalState
  readonly reason: string | null
}

const MEANING_BY_WORD: Readonly<Record<string, Meaning>> = {
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
const STATES_NOT_FINAL = ['ENROUTE', 'ACCEPTD', 'ACCEPTED', 'SCHEDUL', 'SCHEDULED']

/** Words of the text by `message_state` (SMPP 3.4, 5.2.28; 5.0 adds 0 and 9). */
const WORD_BY_STATE = [
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
const NOTIFICATION_BITS = 0x3c

/** Type of an intermediate notification: whatever its state, another receipt reports the end. */
const INTERMEDIATE = 0x20

const asText = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return value.toString('latin1')
  return typeof value === 'string' ? value : ''
}

/**
 * Message id as it is stored: its printable beginning. Where a message centre leaves out the zero that ends a TLV, the
 * decoder reads on to the next one. It also turns octet 0x80 into a zero, which no database stores in a text.
 */
export const messageIdOf = (value: unknown): string => /^[\x20-\x7e]*/.exec(asText(value))![0].trim()

const textOf = ({ short_message: short, message_payload: payload }: PduFields): string =>
  [short, payload].map(one => asText((one as ShortMessage | undefined)?.message)).find(Boolean) ?? ''

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const digits = (value: unknown): string => asText(value).replace(/\D/g, '')

/** Adds the network's error code to a reason; a code of zeros means no error. */
const withError = (reason: string | null, text: string): string | null => {
  const error = /\berr:([0-9a-z]+)/i.exec(text)?.[1]
  return reason === null || error === undefined || /^0+$/.test(error) ? reason : `${reason} (error ${error})`
}

/** Meaning of a receipt's word for the part; undefined where it is not final. */
export const meaningOf = (word: string): Meaning | undefined =>
  STATES_NOT_FINAL.includes(word) ? undefined : (MEANING_BY_WORD[word] ?? MEANING_BY_WORD['UNKNOWN'])

/** Word for the number in `query_sm_resp` and in the TLV. */
export const wordOfState = (messageState: number): string => WORD_BY_STATE[messageState] ?? 'UNKNOWN'

const notificationTypeOf = ({ esm_class: type }: PduFields): number => Number(type ?? 0) & NOTIFICATION_BITS

/** Whether a delivery is a receipt. Some centres set neither the type nor the TLV: their receipts are known by the text. */
const isReceipt = (fields: PduFields, text: string): boolean =>
  notificationTypeOf(fields) !== 0 ||
  fields['receipted_message_id'] !== undefined ||
  /^\s*id: ?[\x21-\x7e]+ .*\bstat:/i.test(text)

/** Recipient of the message: the receipt's source, or its destination where the centre left the addresses unswapped. */
const recipientOf = (fields: PduFields): string => {
  const source = asText(fields['source_addr'])
  return /^\+?\d+$/.test(source) ? digits(source) : digits(fields['destination_addr'])
}

const twoHexDigits = (number: number) => (number & 0xff).toString(16).padStart(2, '0')

/** Reference and number of a part of a long message, in the form of `Receipt.concat`. */
const concatOf = ({ sar_msg_ref_num: reference, sar_segment_seqnum: part }: PduFields): string | null =>
  typeof reference === 'number' && typeof part === 'number' ? `${twoHexDigits(reference)} ${part}` : null

const stateWord = (fields: PduFields, text: string): string => {
  const number = numberOf(fields['message_state'])
  const word = /\bstat: ?([a-z]+)/i.exec(text)?.[1]?.toUpperCase()
  return word ?? (number === undefined ? '' : wordOfState(number))
}

/**
 * Ids of a receipt: the TLV's first, then the text's where it differs, since centres write the same number in two forms.
 */
const idsOf = (fields: PduFields, text: string): string[] => {
  const ids = [messageIdOf(fields['receipted_message_id']), /\bid: ?([\x21-\x7e]+)/i.exec(text)?.[1] ?? '']
  return [...new Set(ids.filter(Boolean))]
}

/** Reads the fields of a `deliver_sm`, or of a `data_sm`. */
export function readDelivered(fields: PduFields): Delivered {
  const text = textOf(fields)
  if (!isReceipt(fields, text)) return 'message'
  if (notificationTypeOf(fields) === INTERMEDIATE) return 'underWay'
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

interface ReceiptDependencies {
  readonly log: Logger
  /** Country code of the operator: receipts may name recipients without it. */
  readonly countryCode: string
  readonly metrics: SmppMetrics
  /** Records a receipt; resolves once it is committed. */
  record(receipt: ReceivedReceipt): Promise<MatchedTransactionId>
  /** Reports the result of the message, if it is known by now. */
  report(transactionId: string): Promise<unknown>
}

const OK = 0

/** Status on which the message centre sends the receipt again later. */
const SEND_AGAIN = statusOf('ESME_RX_T_APPN')

/** Status for messages from people, which this program does not read. */
const REFUSED = statusOf('ESME_RX_R_APPN')

/** Records a receipt, and reports the message's result where it is final; resolves with the status of the response. */
const recordAndReport = async (
  { metrics, record, report }: ReceiptDependencies,
  receipt: ReceivedReceipt,
): Promise<number> => {
  const transactionId = await record(receipt)
  metrics.receipts.inc({ state: transactionId === undefined ? 'early' : receipt.state })
  if (transactionId !== undefined) await report(transactionId)
  return OK
}

/** Makes the handler of the deliveries of a bind; it resolves with the status of the response. */
export const createReceiptHandler =
  (dependencies: ReceiptDependencies) =>
  async (pdu: Pdu, { centre }: Pick<SmppBind, 'centre'>): Promise<number> => {
    const { log, metrics, countryCode } = dependencies
    const delivered = readDelivered(pdu.fields)
    if (typeof delivered === 'object') {
      const { receipt } = delivered
      const recipient = recipientAddress(receipt.recipient, countryCode).text
      return recordAndReport(dependencies, { ...receipt, recipient, smsc: centre }).catch(error => {
        log.warn(
          { err: error },
          'a delivery receipt could not be recorded; the message centre is asked to send it again',
        )
        return SEND_AGAIN
      })
    }
    metrics.receipts.inc({ state: delivered })
    if (delivered === 'unreadable')
      log.warn('a delivery receipt without state, or without id and reference, was ignored')
    return delivered === 'message' ? REFUSED : OK
  }
