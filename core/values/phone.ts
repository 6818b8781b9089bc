/**
 * Phone numbers: E.164 with or without `+`, or national (contract document 2, part A, "RechargeInfo"). They are stored as digits
 * with country code.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { LRUCache } from 'lru-cache'
import { invalidField } from '../errors/catalogue.ts'
import { numberingPlanOf } from '../third-party/libphonenumber.ts'

/** Accepted form. The library would also take spaces, brackets, `tel:` and extensions. E.164 has at most 15 digits. */
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
 * Finds how many digits a mobile or fixed line can have after the country code (968: 8). Toll-free and other service numbers
 * are often shorter, and belong to no subscriber. Throws for a country code that does not exist.
 */
const lineLengths = (countryCode: string): number[] => {
  const lengths = lengthsOf.get(countryCode) ?? readLengths(countryCode)
  lengthsOf.set(countryCode, lengths)
  return lengths
}

/** Parses a number with country code; undefined where it is too long, too short or of no country. */
const international = (digits: string) => {
  const phone = parsePhoneNumberFromString(`+${digits}`)
  const possible = phone && lineLengths(phone.countryCallingCode).includes(phone.nationalNumber.length)
  return possible ? phone : undefined
}

/**
 * Tells whether a number is a national one, by its length. Where lengths vary in a country, a number that starts with the
 * operator's own country code and is valid with it is international all the same.
 */
const isNational = (text: string, countryCode: string) =>
  lineLengths(countryCode).includes(text.length) &&
  !(text.startsWith(countryCode) && international(text)?.isValid())

/** Results of earlier numbers, since most numbers come again. The empty text stands for no phone number. */
const found = new LRUCache<string, string>({
  max: MOST_REMEMBERED,
  memoMethod: key => {
    const [countryCode, text] = key.split(' ') as [string, string]
    const digits = isNational(text, countryCode) ? countryCode + text : text.replace('+', '')
    return international(digits)?.number.slice(1) ?? ''
  },
})

/**
 * Finds the digits of a number with country code and without `+` (`96891000001`); undefined where it is no possible number. A
 * number of national length without `+` gets the operator's `countryCode`. A possible length is enough, since only the directory
 * knows whether the line exists.
 */
export const findPhone = (text: string, countryCode: string): string | undefined =>
  WRITTEN.test(text) ? found.memo(`${countryCode} ${text}`) || undefined : undefined

/** Parses a number like `findPhone`. @throws ServiceError INVALID_ARGUMENT where it is no possible number. */
export const parsePhone = (path: string, text: string, countryCode: string): string => {
  const digits = findPhone(text, countryCode)
  if (!digits) {
    const form = 'must be a phone number: digits with country code, such as +96891000001'
    throw invalidField(path, 'BAD_PHONE_NUMBER', form)
  }
  return digits
}

/** Formats digits as the graph shows them: `+96891000001`. */
export const showPhone = (digits: string): string => `+${digits}`

/**
 * Checks an SMS recipient (contract document 2, part B): 3 to 11 digits with country code, or a short code.
 * @throws ServiceError INVALID_ARGUMENT.
 */
export const checkRecipient = (path: string, text: string): void => {
  if (!RECIPIENT.test(text))
    throw invalidField(path, 'BAD_PHONE_NUMBER', 'must be 3 to 11 digits with country code and without +', {
      limit: { min: 3, max: 11, length: 11 },
    })
}
