/** Decimals keep every digit from the text to the JSON number. */
import { describe, expect, it } from 'vitest'
import { Decimal, toDecimal, toJsonNumber, toNearestNumber } from '#core/values/money.ts'
import { seeded } from './random.ts'

describe('toDecimal', () => {
  it.each<[number | string, string]>([
    [0.1, '0.1'],
    ['0.10', '0.1'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    ['-12.345', '-12.345'],
    ['+3', '3'],
    ['1.5e3', '1500'],
    ['999999999999.999', '999999999999.999'],
    ['1234567890123456789012345678901234567890.123', '1234567890123456789012345678901234567890.123'],
  ])('reads %j as %s', (value, text) => expect(toDecimal(value).toFixed()).toBe(text))

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    ' ',
    'abc',
    '0x10',
    '1_000',
    ' 1',
    '1.',
    '.5',
    '1,5',
    '١',
    '1e9999',
  ])('throws for %j', value => expect(() => toDecimal(value)).toThrow(RangeError))

  it('throws for a Decimal that is not finite', () =>
    expect(() => toDecimal(new Decimal(Number.NaN))).toThrow(RangeError))

  it('adds what binary floating point cannot', () =>
    expect(toDecimal(0.1).plus(toDecimal(0.2)).equals(toDecimal('0.3'))).toBe(true))

  it('sums a million amounts of 15 digits exactly', () =>
    expect(toDecimal('999999999999.999').times(1_000_000).toFixed()).toBe('999999999999999000'))
})

describe('toJsonNumber', () => {
  it.each([
    ['0.1', '0.1'],
    ['999999999999.999', '999999999999.999'],
    ['-0', '0'],
    ['12.500', '12.5'],
    ['100000000000000000000', '100000000000000000000'],
  ])('writes %s as %s', (text, json) => expect(JSON.stringify(toJsonNumber(toDecimal(text)))).toBe(json))

  it.each(['0.12345678901234567', '9007199254740993', '999999999999.99999', '1e400'])('throws for %s', text =>
    expect(() => toJsonNumber(new Decimal(text))).toThrow(RangeError),
  )

  it('never writes minus zero', () => expect(Object.is(toJsonNumber(toDecimal('-0')), 0)).toBe(true))

  it('keeps every amount of 15 significant digits', () => {
    const random = seeded(15)
    for (let count = 0; count < 5000; count += 1) {
      const amount = `${random(1_000_000)}${random(1_000_000)}.${String(random(1000)).padStart(3, '0')}`
      const back = JSON.parse(JSON.stringify(toJsonNumber(toDecimal(amount))))
      expect(toDecimal(back).equals(toDecimal(amount)), amount).toBe(true)
    }
  })
})

describe('toNearestNumber', () => {
  it.each([
    ['-0', 0],
    ['45.75', 45.75],
    ['-999999999964.254', -999999999964.254],
    ['1999999999999999.998', 2000000000000000],
  ])('DEC-90 shows %s', (text, shown) => expect(toNearestNumber(toDecimal(text))).toBe(shown))
})
