/** Addresses as SMPP has them: a text, its type of number and its numbering plan (SMPP 3.4, 5.2.5 and 5.2.6). */
import { findPhone } from '../../values/phone.ts'

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

/**
 * The sender: a phone number in international form, a short code, or a name.
 * Undefined for a name with characters that are not ASCII, which an SMPP address cannot hold.
 */
export function senderAddress(sender: string, countryCode: string): Address | undefined {
  const number = /^\+?\d+$/.test(sender) ? findPhone(sender, countryCode) : undefined
  if (number !== undefined) return { ton: INTERNATIONAL, npi: ISDN, text: number }
  if (/^\d+$/.test(sender)) return { ton: NETWORK_SPECIFIC, npi: NO_PLAN, text: sender }
  return /^[\x20-\x7e]+$/.test(sender) ? { ton: ALPHANUMERIC, npi: NO_PLAN, text: sender } : undefined
}

/** The recipient: a phone number in international form, else the digits as they are. */
export function recipientAddress(recipient: string, countryCode: string): Address {
  const number = findPhone(recipient, countryCode)
  return number === undefined
    ? { ton: UNKNOWN, npi: ISDN, text: recipient }
    : { ton: INTERNATIONAL, npi: ISDN, text: number }
}
