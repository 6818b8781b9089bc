/** The table of ISO 4217: its codes, minor units and edition. */
import { describe, expect, it } from 'vitest'
import { DECIMALS_OF, ISO_4217_EDITION } from '#core/values/currencies.ts'

const codesWith = (decimals: number) =>
  [...DECIMALS_OF].filter(([, of]) => of === decimals).map(([code]) => code)

describe('currencies', () => {
  it('CURRENCY-01 are 165 codes of three capital letters, each once and in order', () => {
    expect(ISO_4217_EDITION).toBe('2026-01-01')
    expect(DECIMALS_OF.size).toBe(165)
    for (const decimals of [0, 2, 3, 4]) {
      const codes = codesWith(decimals)
      expect(codes).toEqual([...new Set(codes)].toSorted())
      for (const code of codes) expect(code).toMatch(/^[A-Z]{3}$/)
    }
  })

  it('CURRENCY-02 have two decimals, but for these', () => {
    expect(codesWith(0).join(' ')).toBe('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF')
    expect(codesWith(3).join(' ')).toBe('BHD IQD JOD KWD LYD OMR TND')
    expect(codesWith(4).join(' ')).toBe('CLF UYW')
    expect(codesWith(2)).toHaveLength(139)
  })

  it.each('AED BOV CHE CUP EUR GBP MRU SLE USD USN UYU VED XCD XCG ZWG'.split(' '))(
    'CURRENCY-03 %s is one, with two decimals',
    code => expect(DECIMALS_OF.get(code)).toBe(2),
  )

  it.each('ANG BGN HRK SLL ZWL XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX omr'.split(' '))(
    'CURRENCY-04 %s is none: withdrawn, without a minor unit, or not in capitals',
    code => expect(DECIMALS_OF.has(code)).toBe(false),
  )
})
