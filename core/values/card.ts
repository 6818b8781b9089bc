/** Payment cards: what may be kept and shown of them, and what a card must look like (contract document 1, "CreditCardDetails"). */
import { invalidField } from '../errors/catalogue.ts'
import { together } from '../errors/faults.ts'

/** Agreed with the operator per client: dummy card values are accepted as they are. */
export interface CardRules {
  dummyAllowed: boolean
}

interface CardSecrets {
  cardNumber?: string | null
  cvv?: string | null
}

const NUMBER = /^\d{12,19}$/
const SEPARATORS = /[\s-]/g
const ALREADY_MASKED = /[x*]/gi
const MASKABLE = /^[\d*]*$/
/** 13 digits or more, or those already masked. */
const SHOWS_START = /^(\d{13,}|\d{6}\*{3,}\d{4})$/

/**
 * The first 6 and last 4 digits with asterisks between (`411111******1111`); of fewer than 13 digits the last 4
 * alone; of up to 4 digits, or of a text with anything else in it (a dummy value), asterisks alone.
 * Spaces and dashes are dropped. Masking twice changes nothing.
 */
export const maskCard = (number: string): string => {
  const text = number.replace(SEPARATORS, '').replace(ALREADY_MASKED, '*')
  if (!MASKABLE.test(text)) return '*'.repeat(text.length)
  const start = SHOWS_START.test(text) ? 6 : 0
  const end = text.length > 4 ? text.length - 4 : text.length
  return text.slice(0, start) + '*'.repeat(end - start) + text.slice(end)
}

/** ISO/IEC 7812-1, annex B: from the right, every second digit doubled, the digits' sum a multiple of 10. */
const passesLuhn = (digits: string) => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** 12 to 19 digits that pass the Luhn check, else 400 (whose message never holds the number). */
export const checkCard = (path: string, number: string, { dummyAllowed }: CardRules): void => {
  if (dummyAllowed) return
  if (!NUMBER.test(number))
    throw invalidField(path, 'BAD_CARD_NUMBER', 'must be 12 to 19 digits without spaces')
  if (!passesLuhn(number))
    throw invalidField(path, 'BAD_CARD_NUMBER', 'must be a card number that passes the Luhn check')
}

const isYear = (year: number) =>
  Number.isInteger(year) && ((year >= 0 && year < 100) || (year >= 1000 && year < 10000))

const checkMonth = (path: string, month: number | null | undefined) => {
  if (month == null || (Number.isInteger(month) && month >= 1 && month <= 12)) return
  throw invalidField(path, month < 1 ? 'TOO_SMALL' : 'TOO_GREAT', 'must be from 1 to 12', {
    limit: { min: 1, max: 12 },
  })
}

const checkYear = (path: string, year: number | null | undefined) => {
  if (year != null && !isYear(year))
    throw invalidField(path, 'BAD_FORMAT', 'must be a year of two or four digits')
}

/**
 * Month 1 to 12 and a year of two or four digits, each where given; else 400. `path` is that of the card details.
 * A date in the past passes: the card was charged before the payment is posted.
 */
export const checkExpiry = (
  path: string,
  month: number | null | undefined,
  year: number | null | undefined,
  { dummyAllowed }: CardRules,
): void => {
  if (dummyAllowed) return
  together(faults => {
    faults.check(() => checkMonth(`${path}.expiryMonth`, month))
    faults.check(() => checkYear(`${path}.expiryYear`, year))
  })
}

/** Card details as they may be stored, logged or returned: without `cvv`, the number masked. The argument is untouched. */
export const withoutSecrets = <T extends CardSecrets>(details: T): Omit<T, 'cvv'> => {
  const { cvv: _never, ...rest } = details
  return rest.cardNumber == null ? rest : { ...rest, cardNumber: maskCard(rest.cardNumber) }
}
