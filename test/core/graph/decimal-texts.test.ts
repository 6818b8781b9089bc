/** Decimals as the database writes them: a text gives the number that its decimal gives. */
import { describe, expect, it } from 'vitest'
import { DECODERS } from '#core/data/sql.ts'
import { DecimalScalar } from '#core/graph/scalars.ts'
import { toDecimal } from '#core/values/money.ts'

const INT8 = 20

const TEXTS = [
  '0',
  '-0',
  '-0.000',
  '5.250',
  '-12.3',
  '0.1',
  '0.30000000000000004',
  '100000000000000000000000',
  '9007199254740993',
  '1234567890123456789.123456789012345678',
  '0.000000000000000000000000000000000001',
  '99999999999999.995',
]

/** Decimal texts of any length, the same in each run. */
const made = Array.from({ length: 2_000 }, (_, index) => {
  const digits = String((index * 7_919) ** 3 % 1e15)
  const at = index % (digits.length + 3)
  const whole = digits.slice(0, at) || '0'
  const rest = digits.slice(at) + (index % 3 === 0 ? '000' : '')
  return `${index % 2 ? '-' : ''}${whole}${rest ? `.${rest}` : ''}`
})

describe('a decimal', () => {
  it('DECIMAL-TEXT-01 MUST be the same number from its text and from its value', () => {
    for (const text of [...TEXTS, ...made]) {
      const number = DecimalScalar.serialize(text)
      expect([text, number]).toEqual([text, DecimalScalar.serialize(toDecimal(text))])
      expect(Object.is(number, -0)).toBe(false)
    }
  })

  it.each(['NaN', 'Infinity', '', ' 1', '1 ', '0x10', '1_000', '.5', '5.', '--1'])(
    'DECIMAL-TEXT-02 MUST be refused where the text is none: "%s"',
    text => expect(() => DecimalScalar.serialize(text)).toThrow('not a decimal number'),
  )
})

describe('a whole number of 64 bits', () => {
  it('DECIMAL-TEXT-10 MUST be read exactly, however long it is', () => {
    const decode = DECODERS[INT8]!
    const texts = ['0', '-1', '999999999999999', '-99999999999999', '-999999999999999']
    const long = [
      '1000000000000000',
      '9007199254740993',
      '-9007199254740993',
      String(2n ** 63n - 1n),
      String(-(2n ** 63n)),
    ]
    for (const text of [...texts, ...long]) expect(decode(text)).toBe(BigInt(text))
  })
})
