/** Decimal numbers: read exactly from their decimal text, written as JSON numbers that read back the same. */
import { Decimal as BaseDecimal } from 'decimal.js'

/**
 * Exact to 40 significant digits: the sum of a million amounts of 15 digits needs 21.
 * `toString()` never uses an exponent for a number of that size.
 */
export const Decimal = BaseDecimal.clone({ precision: 40, toExpPos: 40, toExpNeg: -40 })
export type Decimal = BaseDecimal

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
