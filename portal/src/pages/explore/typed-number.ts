/** Numbers as people type them. */

/** Arabic-Indic and Persian digits, as keyboards of the region write them. */
export const westernDigits = (text: string) =>
  text.replaceAll(/[٠-٩۰-۹]/g, digit => String((digit.codePointAt(0)! & 0xf) % 10))

const SIGNS_IN_NUMBERS = /[\s().\-/\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A phone number as the graph takes it, whatever blanks and signs it was written with: `+968 9100-0002`, `00968…`,
 * `9100 0002`. Undefined for what is none.
 */
export function asPhoneNumber(typed: string): string | undefined {
  const compact = westernDigits(typed).replaceAll(SIGNS_IN_NUMBERS, '')
  const digits = compact.replace(/^(\+|00)/, '')
  if (!/^\d{7,15}$/.test(digits)) return undefined
  return compact === digits ? digits : `+${digits}`
}
