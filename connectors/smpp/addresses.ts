/** Addresses as SMPP has them: a text, its type of number and its numbering plan (SMPP 3.4, 5.2.5 and 5.2.6). */
import { findPhone } from '#core/values/phone.ts'
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

/** Letters and digits of GSM 03.38: Latin ones with and without marks, and Greek capitals. */
const NAME = /^[0-9A-Za-zèéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜäöñüà]{1,11}$/

const DIGITS = /^\d{1,15}$/

/** Names are written in the octets of GSM 03.38, of which none of a letter or digit is the zero that ends an address. */
const nameAddress = (name: string): Address => ({
  ton: ALPHANUMERIC,
  npi: NO_PLAN,
  text: octetsOfGsm(name).toString('latin1'),
})

/**
 * The sender: a phone number in international form, a short code of at most 15 digits, or a name of at most 11 letters and
 * digits of GSM 03.38. Undefined for anything else, which an SMPP address cannot hold.
 */
export function senderAddress(sender: string, countryCode: string): Address | undefined {
  const number = /^\+?\d+$/.test(sender) ? findPhone(sender, countryCode) : undefined
  if (number !== undefined) return { ton: INTERNATIONAL, npi: ISDN, text: number }
  if (DIGITS.test(sender)) return { ton: NETWORK_SPECIFIC, npi: NO_PLAN, text: sender }
  return NAME.test(sender) ? nameAddress(sender) : undefined
}

/** The recipient: a phone number in international form, else the digits as they are. */
export function recipientAddress(recipient: string, countryCode: string): Address {
  const number = findPhone(recipient, countryCode)
  return number === undefined
    ? { ton: UNKNOWN, npi: ISDN, text: recipient }
    : { ton: INTERNATIONAL, npi: ISDN, text: number }
}
