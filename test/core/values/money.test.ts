/** Money, percentages and points: what is accepted, and what the refusal says. */
import { describe, expect, it } from 'vitest'
import * as money from '#core/values/money.ts'
import { refusal } from './refusal.ts'

type Value = number | string

describe('checkCurrency', () => {
  it.each(['OMR', 'USD', 'EUR', 'JPY', 'AED', 'XOF', 'XCG', 'SLE'])('accepts %s', code =>
    expect(refusal(() => money.checkCurrency('c', code))).toBeUndefined(),
  )
  it.each([
    'omr',
    'Usd',
    'ZZZ',
    'XXX',
    'XTS',
    'XAU',
    'ANG',
    'BGN',
    'DEM',
    'HRK',
    '',
    'OMR ',
    '512',
    '__proto__',
  ])('refuses %j', code =>
    expect(refusal(() => money.checkCurrency('a.currency', code))).toMatch(/^a\.currency must be an active/),
  )
})

describe('currencyDecimals', () => {
  it.each([
    ['OMR', 3],
    ['KWD', 3],
    ['USD', 2],
    ['JPY', 0],
    ['CLF', 4],
    ['XCG', 2],
  ])('%s has %i', (code, decimals) => expect(money.currencyDecimals(code)).toBe(decimals))

  it('refuses what is no currency', () =>
    expect(refusal(() => money.currencyDecimals('ZZZ'))).toMatch(/^currency /))
})

const WHOLE = 'x must have at most 12 digits before the decimal point'
const NUMBER = 'x must be a decimal number'

describe('checkAmount', () => {
  it.each<[Value, string, string]>([
    [0.001, 'OMR', '0.001'],
    [12.5, 'OMR', '12.5'],
    ['12.500', 'USD', '12.5'],
    [999999999999.999, 'OMR', '999999999999.999'],
    [0.01, 'USD', '0.01'],
    [100, 'JPY', '100'],
    ['1.000', 'JPY', '1'],
    ['1e2', 'OMR', '100'],
  ])('accepts %j %s', (amount, currency, text) =>
    expect(money.checkAmount('x', amount, currency).toFixed()).toBe(text),
  )

  it.each<[Value, string, string]>([
    [0, 'OMR', 'x must be greater than 0'],
    [-0, 'OMR', 'x must be greater than 0'],
    [-0.001, 'OMR', 'x must be greater than 0'],
    [0.0001, 'OMR', 'x must have at most 3 decimals in OMR'],
    [0.1 + 0.2, 'OMR', 'x must have at most 3 decimals in OMR'],
    [1e-300, 'OMR', 'x must have at most 3 decimals in OMR'],
    [1.005, 'USD', 'x must have at most 2 decimals in USD'],
    [1.5, 'JPY', 'x must have at most 0 decimals in JPY'],
    [1e12, 'OMR', WHOLE],
    ['1000000000000.001', 'OMR', WHOLE],
    [Number.MAX_VALUE, 'OMR', WHOLE],
    ['999999999999.9999', 'CLF', 'x must have at most 15 significant digits'],
    [Number.NaN, 'OMR', NUMBER],
    ['12,5', 'OMR', NUMBER],
    [1, 'ZZZ', 'currency must be an active ISO 4217 currency code, such as OMR'],
  ])('refuses %j %s', (amount, currency, message) =>
    expect(refusal(() => money.checkAmount('x', amount, currency))).toBe(message),
  )
})

describe.each<[string, (value: Value) => { toFixed(): string }, Value[], [Value, string][]]>([
  [
    'checkInformational',
    value => money.checkInformational('x', value),
    [0, 2.5, 0.0001, '0.123456789012345', '999999999999.999', '1000000000000000'],
    [
      [-0.001, 'x must be at least 0'],
      ['1.123456789012345', 'x must have at most 15 significant digits'],
      [Number.POSITIVE_INFINITY, NUMBER],
    ],
  ],
  [
    'checkPoints',
    value => money.checkPoints('x', value),
    [0.01, 1, '999999999999.99'],
    [
      [0, 'x must be greater than 0'],
      [0.001, 'x must have at most 2 decimals'],
      [1e12, WHOLE],
      ['many', NUMBER],
    ],
  ],
])('%s', (_name, check, accepted, refused) => {
  it.each(accepted)('accepts %j', value => expect(check(value).toFixed()).toBe(String(value)))
  it.each(refused)('refuses %j: %s', (value, message) => expect(refusal(() => check(value))).toBe(message))
})
