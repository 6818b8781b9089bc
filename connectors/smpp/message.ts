/** Message as the `submit_sm` of each of its parts (SMPP 3.4, 4.4.1): addresses, validity, references. */

import { findPhone } from '#core/values/phone.ts'
import { readSmsSender } from '#core/values/sms-sender.ts'
import type { PduFields } from '../third-party/smpp.ts'
import { type EncodedText, encodeText, octetsOfGsm } from './encode.ts'

/** Message prepared for sending; preparing it again gives the same. */
export interface OutgoingMessage {
  readonly transactionId: string
  readonly source: Address
  readonly destination: Address
  readonly text: EncodedText
  readonly priority: number
  readonly expiresAt: Date
}

const UDH_INDICATOR = 0x40

/** Priority from 1, the most urgent, to 10 as `priority_flag`, from 3 to 0 (SMPP 3.4, 5.2.14, GSM). */
const priorityFlag = (priority: number): number => {
  if (priority === 1) return 3
  if (priority <= 4) return 2
  return priority <= 7 ? 1 : 0
}

/** Octets of a transaction's id; the last ones are random. */
const randomOctets = (transactionId: string): Buffer => Buffer.from(transactionId.replaceAll('-', ''), 'hex')

/** Number by which a phone joins the parts of a text: the same when a part is sent again. */
const concatReference = (transactionId: string): number => randomOctets(transactionId).readUInt8(15)

/**
 * Our own number of a part, which message centres return in its receipts: the same when it is sent again. It has two octets
 * and is no key, but distinguishes the few parts that wait for one recipient.
 */
export const referenceOf = (transactionId: string, part: number): number =>
  (randomOctets(transactionId).readUInt16BE(12) + part) & 0xffff

/** Request of a partner (contract document 2, part B, "CreateSendSingleSms"). */
export interface MessageText {
  readonly sender: string
  readonly recipient: string
  readonly smsText: string
  readonly flashMessage?: boolean
  readonly priority?: number
}

interface MessageToSend {
  readonly transactionId: string
  readonly body: MessageText
  readonly expiresAt: Date
}

/** Prepares a message; undefined where its sender cannot be written as an address. */
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

/** Makes the fields of one part's `submit_sm`. @param part number of the part, from 1. */
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

export interface Address {
  readonly ton: number
  readonly npi: number
  readonly text: string
}

const UNKNOWN = 0
const INTERNATIONAL = 1
const NETWORK_SPECIFIC = 3
const ALPHANUMERIC = 5
const NO_PLAN = 0
/** Numbering plan E.164. */
const ISDN = 1

/** Writes a name in GSM 03.38; no letter or digit of it is octet 0, which would end the address. */
const nameAddress = (name: string): Address => ({
  ton: ALPHANUMERIC,
  npi: NO_PLAN,
  text: octetsOfGsm(name).toString('latin1'),
})

/** Address of a sender; undefined where an SMPP address cannot hold it. */
export function senderAddress(sender: string, countryCode: string): Address | undefined {
  const { form, text } = readSmsSender(sender, countryCode) ?? {}
  if (form === 'number') return { ton: INTERNATIONAL, npi: ISDN, text: text! }
  if (form === 'short code') return { ton: NETWORK_SPECIFIC, npi: NO_PLAN, text: text! }
  return form && nameAddress(text!)
}

/** Address of a recipient: a phone number in international form, else the digits as they are. */
export function recipientAddress(recipient: string, countryCode: string): Address {
  const number = findPhone(recipient, countryCode)
  return number === undefined
    ? { ton: UNKNOWN, npi: ISDN, text: recipient }
    : { ton: INTERNATIONAL, npi: ISDN, text: number }
}

const SECOND = 1_000
const DAY_SECONDS = 86_400

/** Most days of a relative time: months, which come next, differ in length. */
const MOST_RELATIVE_DAYS = 30

const two = (number: number) => String(number).padStart(2, '0')

const absolute = (time: Date) =>
  `${time.toISOString().replace(/\D/g, '').slice(2, 14)}${Math.floor(time.getUTCMilliseconds() / 100)}00+`

/**
 * Writes a time as `validity_period` (SMPP 3.4, 7.1.1): relative to now up to 30 days, which holds where clocks differ, at
 * least a second; farther off as an instant in UTC.
 */
export function validityPeriod(until: Date, now: Date): string {
  const seconds = Math.max(1, Math.floor((until.getTime() - now.getTime()) / SECOND))
  const days = Math.floor(seconds / DAY_SECONDS)
  if (days > MOST_RELATIVE_DAYS) return absolute(until)
  const rest = seconds % DAY_SECONDS
  return `0000${two(days)}${two(Math.floor(rest / 3_600))}${two(Math.floor(rest / 60) % 60)}${two(rest % 60)}000R`
}
