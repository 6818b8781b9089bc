/** Phone numbers: E.164 with or without `+`, or national; kept as digits with country code (contract document 2, part A, "RechargeInfo"). */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { LRUCache } from 'lru-cache'
import { invalidField } from '../errors/catalogue.ts'
import { numberingPlanOf } from '../third-party/libphonenumber.ts'

/** Stricter than the library, which also takes spaces, brackets, `tel:` and extensions. E.164 ends at 15 digits. */
const WRITTEN = /^\+?\d{4,15}$/
const MOST_REMEMBERED = 10_000
const RECIPIENT = /^\d{3,11}$/

const lengthsOf = new Map<string, number[]>()

const readLengths = (countryCode: string): number[] => {
  const plan = numberingPlanOf(countryCode)
  const ofLines = [plan.type('MOBILE'), plan.type('FIXED_LINE')].flatMap(
    type => type?.possibleLengths() ?? [],
  )
  return ofLines.length > 0 ? ofLines : plan.possibleLengths()
}

/**
 * Digits after the country code that a mobile or fixed line can have (968: 8). Toll-free and other service
 * numbers, often shorter, are no subscriber's line. Throws for a country code that does not exist.
 */
const lineLengths = (countryCode: string): number[] => {
  const lengths = lengthsOf.get(countryCode) ?? readLengths(countryCode)
  lengthsOf.set(countryCode, lengths)
  return lengths
}

/** The number in international form, or undefined where it is too long, too short or of no country. */
const international = (digits: string) => {
  const phone = parsePhoneNumberFromString(`+${digits}`)
  const possible = phone && lineLengths(phone.countryCallingCode).includes(phone.nationalNumber.length)
  return possible ? phone : undefined
}

/**
 * Where the length alone would do for a national number (some countries' numbers vary in length), one that starts
 * with the operator's own country code and is valid with it is international.
 */
const isNational = (text: string, countryCode: string) =>
  lineLengths(countryCode).includes(text.length) &&
  !(text.startsWith(countryCode) && international(text)?.isValid())

/** A payment's number comes again with its repeat, in lists, in the graph. None found is the empty text. */
const found = new LRUCache<string, string>({
  max: MOST_REMEMBERED,
  memoMethod: key => {
    const [countryCode, text] = key.split(' ') as [string, string]
    const digits = isNational(text, countryCode) ? countryCode + text : text.replace('+', '')
    return international(digits)?.number.slice(1) ?? ''
  },
})

/**
 * Digits with country code and without `+` (`96891000001`). A number of a national length and without `+` is read
 * with `countryCode`, the operator's. Possible by length is enough: whether the line exists is the directory's to say.
 * Undefined where it is not a possible number.
 */
export const findPhone = (text: string, countryCode: string): string | undefined =>
  WRITTEN.test(text) ? found.memo(`${countryCode} ${text}`) || undefined : undefined

/** As `findPhone`; not a possible number: 400. */
export const parsePhone = (path: string, text: string, countryCode: string): string => {
  const digits = findPhone(text, countryCode)
  if (!digits) {
    const form = 'must be a phone number: digits with country code, such as +96891000001'
    throw invalidField(path, 'BAD_PHONE_NUMBER', form)
  }
  return digits
}

/** As the graph shows it: `+96891000001`. */
export const showPhone = (digits: string): string => `+${digits}`

/** Contract 2, part B: an SMS recipient is 3 to 11 digits with country code, or a short code; else 400. */
export const checkRecipient = (path: string, text: string): void => {
  if (!RECIPIENT.test(text))
    throw invalidField(path, 'BAD_PHONE_NUMBER', 'must be 3 to 11 digits with country code and without +', {
      limit: { min: 3, max: 11, length: 11 },
    })
}
