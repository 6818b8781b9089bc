/**
 * Payment cards: what may be kept and shown of them, what a card must look like (contract document 1,
 * "CreditCardDetails"), and how card numbers are found in free texts.
 */
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

/** The check of ISO/IEC 7812-1, annex B: from the right, every second digit doubled, the digits' sum a multiple of 10. */
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

/** The first digits and lengths of the large schemes (ISO/IEC 7812 issuer ranges, as the schemes publish them). */
const ISSUERS: readonly {
  readonly from: number
  readonly to: number
  readonly lengths: readonly number[]
}[] = [
  { from: 4000, to: 4999, lengths: [13, 16, 19] },
  { from: 5100, to: 5599, lengths: [16] },
  { from: 2221, to: 2720, lengths: [16] },
  { from: 3400, to: 3499, lengths: [15] },
  { from: 3700, to: 3799, lengths: [15] },
  { from: 6011, to: 6011, lengths: [16, 17, 18, 19] },
  { from: 6440, to: 6599, lengths: [16, 17, 18, 19] },
  { from: 3000, to: 3059, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 3600, to: 3699, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 3800, to: 3999, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 3528, to: 3589, lengths: [16, 17, 18, 19] },
  { from: 6200, to: 6299, lengths: [16, 17, 18, 19] },
  { from: 5018, to: 5018, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { from: 5020, to: 5038, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { from: 6304, to: 6304, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { from: 6759, to: 6763, lengths: [13, 14, 15, 16, 17, 18, 19] },
]

const SHORTEST = 13

/** A run of digits that only single spaces and dashes part, and where its groups begin and end. */
class Run {
  readonly #digits: number[] = []
  /** Sums up to each digit, with every second one doubled: the even ones, or the odd ones. */
  readonly #sums: [even: number[], odd: number[]] = [[0], [0]]
  readonly #starts = new Set<number>()

  add(digit: number, startsGroup: boolean): void {
    const at = this.#digits.push(digit) - 1
    if (startsGroup) this.#starts.add(at)
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    for (const parity of [0, 1] as const)
      this.#sums[parity].push(this.#sums[parity][at]! + (at % 2 === parity ? doubled : digit))
  }

  /** The same check as `passesLuhn`, by the sums, so that a long run takes time that grows with its length alone. */
  #passesLuhn(from: number, to: number): boolean {
    const sums = this.#sums[to % 2 === 0 ? 0 : 1]
    return (sums[to]! - sums[from]!) % 10 === 0
  }

  #isCard(from: number, length: number): boolean {
    const to = from + length
    const endsGroup = to === this.#digits.length || this.#starts.has(to)
    return to <= this.#digits.length && endsGroup && this.#passesLuhn(from, to)
  }

  /** Whether whole groups of it are a card number. */
  holdsCard(): boolean {
    if (this.#digits.length < SHORTEST) return false
    return [...this.#starts].some(from => {
      const prefix = Number(this.#digits.slice(from, from + 4).join(''))
      const issuer = ISSUERS.find(one => prefix >= one.from && prefix <= one.to)
      return issuer?.lengths.some(length => this.#isCard(from, length)) ?? false
    })
  }
}

const isDigit = (code: number) => code >= 48 && code <= 57
const isSeparator = (code: number) => code === 32 || code === 45

const findsCard = (text: string): boolean => {
  let run = new Run()
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) run.add(code - 48, !isDigit(text.charCodeAt(at - 1)))
    else if (!isSeparator(code) || !isDigit(text.charCodeAt(at - 1))) {
      if (run.holdsCard()) return true
      run = new Run()
    }
  }
  return run.holdsCard()
}

/** UUIDs of RFC 9562, section 4. One in 2,700 random ones has digits that could be a card's, and ids are often such. */
const UUIDS = /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/gi

/**
 * Whether a text holds what looks like a card number, by issuer prefix, length and Luhn. Groups of digits may be parted by
 * one space or dash each; digits of a UUID are none. Kept libraries judge a number that stands alone, and find none in a text.
 */
export const holdsCardNumber = (text: string): boolean =>
  text.length >= SHORTEST && findsCard(text) && findsCard(text.replaceAll(UUIDS, 'uuid'))
