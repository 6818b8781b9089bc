/** Addresses as SMPP has them: a text, its type of number and its numbering plan (SMPP 3.4, 5.2.5 and 5.2.6). */
import { findPhone } from '#core/values/phone.ts'
import { readSmsSender } from '#core/values/sms-sender.ts'
import { octetsOfGsm } from './encode.ts'

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
/** E.164. */
const ISDN = 1

/** Names are written in the octets of GSM 03.38, of which none of a letter or digit is the zero that ends an address. */
const nameAddress = (name: string): Address => ({
  ton: ALPHANUMERIC,
  npi: NO_PLAN,
  text: octetsOfGsm(name).toString('latin1'),
})

/** The address of a sender; undefined where an SMPP address cannot hold it. */
export function senderAddress(sender: string, countryCode: string): Address | undefined {
  const { form, text } = readSmsSender(sender, countryCode) ?? {}
  if (form === 'number') return { ton: INTERNATIONAL, npi: ISDN, text: text! }
  if (form === 'short code') return { ton: NETWORK_SPECIFIC, npi: NO_PLAN, text: text! }
  return form && nameAddress(text!)
}

/** The recipient: a phone number in international form, else the digits as they are. */
export function recipientAddress(recipient: string, countryCode: string): Address {
  const number = findPhone(recipient, countryCode)
  return number === undefined
    ? { ton: UNKNOWN, npi: ISDN, text: recipient }
    : { ton: INTERNATIONAL, npi: ISDN, text: number }
}
