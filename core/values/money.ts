/** Exact decimal numbers, and checks of money, percentages and loyalty points in requests (contract documents 1 to 3). */

import { Decimal as BaseDecimal } from 'decimal.js'
import { invalidField } from '../errors/catalogue.ts'
import { DECIMALS_OF } from './currencies.ts'

/**
 * Exact to 40 significant digits: the sum of a million amounts of 15 digits needs 21.
 * `toString()` never uses an exponent for a number of that size.
 */
export const Decimal = BaseDecimal.clone({ precision: 40, toExpPos: 40, toExpNeg: -40 })
export type Decimal = BaseDecimal
/** A decimal that is shown as a number: its value, or its text as the database writes it. */
export type ShownDecimal = Decimal | string

const DECIMAL_TEXT = /^[+-]?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i

/** The text to read. A JavaScript number is taken by its shortest decimal text, so `0.1` is one tenth. */
const textOf = (value: number | string) => {
  const text = String(value)
  if (!DECIMAL_TEXT.test(text)) throw new RangeError(`not a decimal number: ${text.slice(0, 40)}`)
  return text
}

/**
 * The exact decimal that a number, a decimal text or another library's Decimal stands for.
 * Throws RangeError for NaN, infinities and text that is no decimal number (`0x10`, `1_000`, ` 1`).
 */
export const toDecimal = (value: number | string | Decimal): Decimal => {
  if (typeof value !== 'object') return new Decimal(textOf(value))
  if (!value.isFinite()) throw new RangeError(`not a decimal number: ${value}`)
  return new Decimal(value)
}

/**
 * The JSON number that reads back as exactly `value`; always possible up to 15 significant digits.
 * Throws RangeError where a double cannot hold it: such a value should have been refused when it came in.
 */
export const toJsonNumber = (value: Decimal): number => {
  const number = value.toNumber()
  if (!Number.isFinite(number) || !toDecimal(number).equals(value))
    throw new RangeError(`not exact as a JSON number: ${value}`)
  return number + 0 // minus zero becomes zero
}

/**
 * The JSON number nearest to `value`: exact up to 15 significant digits, which is all that a client may post. Only a
 * balance or a sum of very many can be longer, and is better shown to its 15th digit than not at all.
 */
export const toNearestNumber = (value: Decimal): number => value.toNumber() + 0

const INTEGER_DIGITS = 12
const POINT_DECIMALS = 2
/** Digits that every JSON number keeps (IEEE 754 double); more would be changed on the way to the client. */
const SIGNIFICANT_DIGITS = 15

/**
 * Checks that a currency is an active ISO 4217 code in upper case.
 * @throws an error of status 400 otherwise.
 */
export const checkCurrency = (path: string, currency: string): void => {
  if (!DECIMALS_OF.has(currency))
    throw invalidField(path, 'UNKNOWN_CURRENCY', 'must be an active ISO 4217 currency code, such as OMR')
}

/**
 * Decimals of a currency (OMR 3, USD 2, JPY 0).
 * @throws an error of status 400 for any other text.
 */
export const currencyDecimals = (code: string): number => {
  checkCurrency('currency', code)
  return DECIMALS_OF.get(code)!
}

const read = (path: string, value: number | string | Decimal): Decimal => {
  try {
    return toDecimal(value)
  } catch {
    throw invalidField(path, 'WRONG_TYPE', 'must be a decimal number')
  }
}

const checkPositive = (path: string, value: Decimal) => {
  if (value.lte(0)) throw invalidField(path, 'TOO_SMALL', 'must be greater than 0', { limit: { min: 0 } })
}

const checkNotNegative = (path: string, value: Decimal) => {
  if (value.lt(0)) throw invalidField(path, 'TOO_SMALL', 'must be at least 0', { limit: { min: 0 } })
}

const atMost = (count: number, things: string) => `at most ${count} ${things}${count === 1 ? '' : 's'}`

const checkSignificant = (path: string, value: Decimal) => {
  if (value.precision() > SIGNIFICANT_DIGITS)
    throw invalidField(
      path,
      'TOO_MANY_DIGITS',
      `must have ${atMost(SIGNIFICANT_DIGITS, 'significant digit')}`,
    )
}

/** `of` names what the limit belongs to, for the message (` in OMR`). */
const checkDigits = (path: string, value: Decimal, decimals: number, of = '') => {
  if (value.abs().gte(new Decimal(10).pow(INTEGER_DIGITS))) {
    const most = atMost(INTEGER_DIGITS, 'digit')
    throw invalidField(path, 'TOO_MANY_DIGITS', `must have ${most} before the decimal point`, {
      limit: { max: 10 ** INTEGER_DIGITS - 1 },
    })
  }
  if (value.decimalPlaces() > decimals)
    throw invalidField(path, 'TOO_MANY_DECIMALS', `must have ${atMost(decimals, 'decimal')}${of}`, {
      limit: { length: decimals },
    })
  checkSignificant(path, value)
}

/**
 * An amount to pay: above 0, at most 12 integer digits, else 400.
 * @param currency the unit of the amount, which limits its decimals; undefined where none is known.
 */
export const checkAmount = (
  path: string,
  amount: number | string | Decimal,
  currency: string | undefined,
): Decimal => {
  const value = read(path, amount)
  checkPositive(path, value)
  const decimals = currency === undefined ? Number.POSITIVE_INFINITY : currencyDecimals(currency)
  checkDigits(path, value, decimals, ` in ${currency}`)
  return value
}

/**
 * A number that only informs (`vatAmount`, `taxAmount`, `fee`), in whichever unit: 0 or more, at most 15 significant
 * digits, as many decimals as there are; else 400.
 */
export const checkInformational = (path: string, number: number | string | Decimal): Decimal => {
  const value = read(path, number)
  checkNotNegative(path, value)
  checkSignificant(path, value)
  return value
}

/** An amount that is only compared with others: at most 15 digits before the point, 15 significant ones, else 400. */
export const checkSearchable = (path: string, amount: Decimal): void => {
  checkSignificant(path, amount)
  if (amount.abs().gte(new Decimal(10).pow(SIGNIFICANT_DIGITS)))
    throw invalidField(
      path,
      'TOO_GREAT',
      `must have ${atMost(SIGNIFICANT_DIGITS, 'digit')} before the decimal point`,
    )
}

/** Loyalty points: above 0, at most 2 decimals and 12 integer digits, else 400. */
export const checkPoints = (path: string, points: number | string | Decimal): Decimal => {
  const value = read(path, points)
  checkPositive(path, value)
  checkDigits(path, value, POINT_DECIMALS)
  return value
}
