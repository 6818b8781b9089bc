/** The sender of a short message, as phones can show it. */
import { findPhone } from './phone.ts'

/** A phone number in international form, a short code, or a name. */
export interface SmsSender {
  readonly form: 'number' | 'short code' | 'name'
  readonly text: string
}

/** Letters and digits of GSM 03.38: Latin ones with and without marks, and Greek capitals. */
const NAME = /^[0-9A-Za-zèéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜäöñüà]{1,11}$/

const DIGITS = /^\d{1,15}$/

/**
 * Reads a sender: a phone number, national or international; a short code of at most 15 digits; or a name of at most 11
 * letters and digits of GSM 03.38. Undefined for any other text, which a short message cannot name as its sender.
 */
export function readSmsSender(sender: string, countryCode: string): SmsSender | undefined {
  const number = /^\+?\d+$/.test(sender) ? findPhone(sender, countryCode) : undefined
  if (number !== undefined) return { form: 'number', text: number }
  if (DIGITS.test(sender)) return { form: 'short code', text: sender }
  return NAME.test(sender) ? { form: 'name', text: sender } : undefined
}
