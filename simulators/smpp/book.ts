/** Book of the simulated message centre: accepted messages, and their ids in the forms in which real centres write them. */

import { decodeGsm, type PduFields, type ShortMessage } from '#connectors/third-party/smpp.ts'
import { newId } from '#core/values/id.ts'
import type { Faults } from './faults.ts'

/** Id of one message, in the form of each place. */
interface MessageIds {
  readonly response: string
  /** Form in the text of its receipt. */
  readonly text: string
  /** Form in the TLV `receipted_message_id`. */
  readonly tlv: string
}

const FORMS: Readonly<Record<string, (number: number) => string>> = {
  decimal: number => String(number),
  hex: number => number.toString(16),
  HEX: number => number.toString(16).toUpperCase(),
  padded: number => String(number).padStart(10, '0'),
  'padded-hex': number => number.toString(16).padStart(10, '0'),
}

const formed = (form: string, number: number): string => {
  const write = FORMS[form]
  if (!write) throw new Error(`there is no form ${form} of ids: ${Object.keys(FORMS).join(', ')}`)
  return write(number)
}

/** Makes a unique id with characters that a client misreads where it takes a receipt's text for GSM 03.38. */
const nextText = (): MessageIds => {
  const id = `${newId()}_@`
  return { response: id, text: id, tlv: id }
}

/** Makes the next message's id: a counted number in the chosen forms, or a text where no number is chosen. */
export function nextIds(faults: Faults): MessageIds {
  if (faults.nextId === 0) return nextText()
  const number = faults.nextId++
  const { responseIds, receiptIds, tlvIds } = faults
  return {
    response: formed(responseIds, number),
    text: formed(receiptIds, number),
    tlv: formed(tlvIds || receiptIds, number),
  }
}

/** Accepted `submit_sm`. */
export interface Entry {
  /** Form in the response. */
  readonly messageId: string
  /** Form in the text and in the TLV of the receipt. */
  readonly textId: string
  readonly tlvId: string
  readonly systemId: string
  readonly takenAt: number
  readonly source: string
  readonly sourceTon: number
  readonly destination: string
  readonly destinationTon: number
  readonly dataCoding: number
  readonly validityPeriod: string
  readonly priority: number
  readonly registered: number
  readonly reference: number | null
  /** Reference, number of parts and part in the header of a long text; absent for a text in one part. */
  readonly concat?: { readonly reference: number; readonly total: number; readonly number: number }
  /** Octets of the text and its header. */
  readonly octets: number
  readonly text: string
  /** Receipts that the client acknowledged. */
  acknowledged: number
}

const concatOf = ({ udh = [] }: ShortMessage): Entry['concat'] => {
  const element = udh.find(([id, length]) => id === 0 && length === 3)
  return element && { reference: element[2]!, total: element[3]!, number: element[4]! }
}

const textOf = ({ message }: ShortMessage): string =>
  typeof message === 'string' ? message : decodeGsm(message)

const octetsOf = ({ message, udh }: ShortMessage): number => {
  const header = udh ? udh.reduce((sum, { length }) => sum + length, 1) : 0
  return header + (typeof message === 'string' ? message.length * 2 : message.length)
}

/** Makes the entry of a `submit_sm`. */
export function entryOf(fields: PduFields, ids: MessageIds, systemId: string): Entry {
  const short = fields['short_message'] as ShortMessage
  const reference = fields['user_message_reference']
  return {
    messageId: ids.response,
    textId: ids.text,
    tlvId: ids.tlv,
    systemId,
    takenAt: Date.now(),
    source: String(fields['source_addr']),
    sourceTon: Number(fields['source_addr_ton']),
    destination: String(fields['destination_addr']),
    destinationTon: Number(fields['dest_addr_ton']),
    dataCoding: Number(fields['data_coding']),
    validityPeriod: (fields['validity_period'] as Date).toISOString(),
    priority: Number(fields['priority_flag']),
    registered: Number(fields['registered_delivery']),
    reference: typeof reference === 'number' ? reference : null,
    concat: concatOf(short),
    octets: octetsOf(short),
    text: textOf(short),
    acknowledged: 0,
  }
}

/** Book with its counts. */
export interface Book {
  readonly entries: Entry[]
  binds: number
  /** Times at which messages were refused as too fast. */
  throttledAt: number[]
  /** Most messages of a connection that waited for their responses at once. */
  mostOutstanding: number
  /** Receipts that the client refused for now, to be sent again. */
  refusedReceipts: number
}

export const createBook = (): Book => ({
  entries: [],
  binds: 0,
  throttledAt: [],
  mostOutstanding: 0,
  refusedReceipts: 0,
})

/** Texts of the book, joined from their parts as by a phone, in the order in which each became whole. */
export function textsOf({ entries }: Book): { destination: string; text: string }[] {
  const open = new Map<string, Map<number, string>>()
  return entries.flatMap(({ destination, concat, text }) => {
    if (!concat) return [{ destination, text }]
    const key = `${destination} ${concat.reference}`
    const parts = (open.get(key) ?? new Map<number, string>()).set(concat.number, text)
    open.set(key, parts)
    if (parts.size < concat.total) return []
    open.delete(key)
    const numbers = [...parts.keys()].toSorted((a, b) => a - b)
    return [{ destination, text: numbers.map(number => parts.get(number)).join('') }]
  })
}
