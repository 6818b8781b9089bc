/** Checks and exact values of money, percentages and loyalty points in requests (contract documents 1 to 3). */
import { invalidField } from '../errors/catalogue.ts'
import { DECIMALS_OF } from './currencies.ts'
import { Decimal, toDecimal } from './decimal.ts'

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
