/** Money, percentages and loyalty points as they come in: the checks, and the exact value (contract documents 1 to 3). */
import { data as published } from 'currency-codes'
import { invalidField } from '../errors/catalogue.ts'
import { Decimal, toDecimal } from './decimal.ts'

const INTEGER_DIGITS = 12
const POINT_DECIMALS = 2
/** What a JSON number surely keeps (IEEE 754 double); more would be changed on the way to the client. */
const SIGNIFICANT_DIGITS = 15

/** On the ISO 4217 list without a minor unit ("N.A."): metals, bond units, funds, testing, none. Nobody pays in them. */
const NOT_MONEY = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '))

/** Changes to ISO 4217 after the package's edition of 2024-06-25: XCG replaced ANG (2025), EUR replaced BGN (2026). */
const WITHDRAWN = new Set(['ANG', 'BGN'])
const ADDED = [{ code: 'XCG', digits: 2 }]

const isMoney = ({ code }: { code: string }) => !NOT_MONEY.has(code) && !WITHDRAWN.has(code)
const DECIMALS_OF = new Map(
  [...published.filter(isMoney), ...ADDED].map(({ code, digits }) => [code, digits]),
)

/** `currency` must be an active ISO 4217 code in upper case, else 400. */
export const checkCurrency = (path: string, currency: string): void => {
  if (!DECIMALS_OF.has(currency))
    throw invalidField(path, 'UNKNOWN_CURRENCY', 'must be an active ISO 4217 currency code, such as OMR')
}

/** How many decimals the currency has (OMR 3, USD 2, JPY 0). Not a currency: 400. */
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
 * @param currency in whose units it is, with at most its decimals; undefined where none is known.
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
