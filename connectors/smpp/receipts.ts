/** Delivery receipts, as text (SMPP 3.4, appendix B) and as TLVs: what has become of a part that was taken. */
import type { PduFields, ShortMessage } from '../third-party/smpp.ts'

/** What a part has come to. */
export type FinalState = 'delivered' | 'expired' | 'failed' | 'declined' | 'error'

export interface Receipt {
  /** The message centre's id of the part, the TLV's where there is one; empty where it names none. */
  readonly messageId: string
  /** The id in the text, where it is another one than the TLV's; else the same. */
  readonly textId: string
  /** To whom the part went, digits alone. */
  readonly recipient: string
  readonly state: FinalState
  readonly reason: string | null
  /** Our own number of the part, where the message centre gives it back. */
  readonly reference: number | null
  /** The reference in the header of a long text in two hexadecimal digits, and the part's number, where both are given back. */
  readonly concat: string | null
}

/** `underWay` says that nothing is final yet; `message` is what a person has sent to us; `unreadable` has no id or no state. */
export type Delivered = { readonly receipt: Receipt } | 'underWay' | 'message' | 'unreadable'

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

/** Words of what is not final. */
const UNDER_WAY = ['ENROUTE', 'ACCEPTD', 'ACCEPTED', 'SCHEDUL', 'SCHEDULED']

/** `message_state` (SMPP 3.4, 5.2.28; 5.0 adds 0 and 9) in the words of the text. */
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

/** Bits of `esm_class` that say what kind of notification it is (SMPP 3.4, 5.2.12). */
const RECEIPT_TYPES = 0x3c

/** Says how delivery is getting on: whatever its state, the end is told by another receipt. */
const INTERMEDIATE = 0x20

const asText = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return value.toString('latin1')
  return typeof value === 'string' ? value : ''
}

/**
 * A message id as it is kept: what can be seen of it. The library reads a TLV up to the next zero, and so beyond its end
 * where the other side left the zero out; and no database holds a zero, which it makes of an octet of 0x80.
 */
export const idOf = (value: unknown): string => /^[\x20-\x7e]*/.exec(asText(value))![0].trim()

const textOf = ({ short_message: short, message_payload: payload }: PduFields): string =>
  [short, payload].map(one => asText((one as ShortMessage | undefined)?.message)).find(Boolean) ?? ''

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const digits = (value: unknown): string => asText(value).replace(/\D/g, '')

/** The error that the network told, which says to those who run it why. */
const withError = (reason: string | null, text: string): string | null => {
  const error = /\berr:([0-9a-z]+)/i.exec(text)?.[1]
  return reason === null || error === undefined || /^0+$/.test(error) ? reason : `${reason} (error ${error})`
}

/** What a word says of a part that was taken; undefined where that is not final. */
export const meaningOf = (word: string): Meaning | undefined =>
  UNDER_WAY.includes(word) ? undefined : (MEANINGS[word] ?? MEANINGS['UNKNOWN'])

/** The same for the number that `query_sm_resp` and the TLV have. */
export const wordOf = (messageState: number): string => WORDS[messageState] ?? 'UNKNOWN'

const isReceipt = ({ esm_class: type, receipted_message_id: id }: PduFields, text: string): boolean =>
  (Number(type ?? 0) & RECEIPT_TYPES) !== 0 ||
  id !== undefined ||
  /^\s*id: ?[\x21-\x7e]+ .*\bstat:/i.test(text)

const typeOf = ({ esm_class: type }: PduFields): number => Number(type ?? 0) & RECEIPT_TYPES

/** Source of a receipt is the recipient; a centre that leaves the addresses as they were sent has our name there. */
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
 * Ids of a receipt: the TLV's first, then the text's where it is another one, since centres write the same number in
 * two forms.
 */
const idsOf = (fields: PduFields, text: string): string[] => {
  const ids = [idOf(fields['receipted_message_id']), /\bid: ?([\x21-\x7e]+)/i.exec(text)?.[1] ?? '']
  return [...new Set(ids.filter(Boolean))]
}

/** Reads a `deliver_sm`, or a `data_sm` that serves as one. */
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
