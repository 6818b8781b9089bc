/** Book of the simulated message centre: messages that it has taken, as a test reads them. */
import { decodeGsm, type PduFields, type ShortMessage } from '#connectors/third-party/smpp.ts'
import type { MessageIds } from './ids.ts'

/** One `submit_sm` that was taken. */
export interface Entry {
  /** As the response has it. */
  readonly messageId: string
  /** As the receipt has it, in its text and in its TLV. */
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
  /** How the part belongs to others; absent of a text in one. */
  readonly concat?: { readonly reference: number; readonly total: number; readonly number: number }
  /** How many octets the text and its header take together. */
  readonly octets: number
  readonly text: string
  /** Receipts that we have the other side's word for. */
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

/** Writes down what a `submit_sm` says. */
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

/** Everything that has been seen. */
export interface Book {
  readonly entries: Entry[]
  binds: number
  /** When messages were refused as too fast. */
  throttledAt: number[]
  /** The most messages of a connection that waited for their responses at once. */
  mostOutstanding: number
  /** Receipts that were answered with an error, to be sent again. */
  putOff: number
}

export const createBook = (): Book => ({
  entries: [],
  binds: 0,
  throttledAt: [],
  mostOutstanding: 0,
  putOff: 0,
})

/** The texts of the book, put together of their parts as a phone does, in the order in which each was whole. */
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
