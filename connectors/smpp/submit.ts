/** A message as the `submit_sm` of each of its parts (SMPP 3.4, 4.4.1). */
import type { PduFields } from '../third-party/smpp.ts'
import { type Address, recipientAddress, senderAddress } from './addresses.ts'
import { type EncodedText, encodeText } from './encode.ts'
import { validityPeriod } from './validity.ts'

/** A message made ready; the same whenever it is made ready again. */
export interface OutgoingMessage {
  readonly transactionId: string
  readonly source: Address
  readonly destination: Address
  readonly text: EncodedText
  readonly priority: number
  readonly expiresAt: Date
}

const UDH_INDICATOR = 0x40

/** 1, the most urgent, to 10, as what SMPP has for it in GSM: 0, or 1 to 3 in rising order (SMPP 3.4, 5.2.14). */
const priorityFlag = (priority: number): number => {
  if (priority === 1) return 3
  if (priority <= 4) return 2
  return priority <= 7 ? 1 : 0
}

/** The last octets of the id, which are random. */
const randomOctets = (transactionId: string): Buffer => Buffer.from(transactionId.replaceAll('-', ''), 'hex')

/** By which a phone knows the parts of a text: the same when a part is sent again. */
const concatReference = (transactionId: string): number => randomOctets(transactionId).readUInt8(15)

/**
 * Our own number for a part, which message centres give back in its receipts: the same when it is sent again. Two
 * octets, so it is no key, but it tells the few apart that wait for one recipient.
 */
export const referenceOf = (transactionId: string, part: number): number =>
  (randomOctets(transactionId).readUInt16BE(12) + part) & 0xffff

/** What a partner asked for (contract document 2, part B, "CreateSendSingleSms"). */
export interface MessageText {
  readonly sender: string
  readonly recipient: string
  readonly smsText: string
  readonly flashMessage?: boolean
  readonly priority?: number
}

export interface MessageToSend {
  readonly transactionId: string
  readonly body: MessageText
  readonly expiresAt: Date
}

/** Makes a message ready; undefined where its sender cannot be written as an address. */
export function prepare(
  { transactionId, body, expiresAt }: MessageToSend,
  countryCode: string,
): OutgoingMessage | undefined {
  const source = senderAddress(body.sender, countryCode)
  if (!source) return undefined
  const { smsText, flashMessage = false, priority = 10 } = body
  return {
    transactionId,
    source,
    destination: recipientAddress(body.recipient, countryCode),
    text: encodeText(smsText, concatReference(transactionId), flashMessage),
    priority,
    expiresAt,
  }
}

/** The fields of one part's `submit_sm`. @param part counted from 1. */
export function submitFields(
  message: OutgoingMessage,
  part: number,
  receipts: boolean,
  now: Date,
): PduFields {
  const { source, destination, text } = message
  const { octets, hasHeader } = text.parts[part - 1]!
  return {
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.text,
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: destination.text,
    esm_class: hasHeader ? UDH_INDICATOR : 0,
    priority_flag: priorityFlag(message.priority),
    validity_period: validityPeriod(message.expiresAt, now),
    registered_delivery: receipts ? 1 : 0,
    data_coding: text.dataCoding,
    short_message: octets,
    user_message_reference: referenceOf(message.transactionId, part),
  }
}
