/** SMS parts, counted by hand and against the library. */
import { SegmentedMessage } from 'sms-segments-calculator'
import { describe, expect, it } from 'vitest'
import { smsParts } from '#core/values/sms.ts'
import { seeded } from './random.ts'

const a = (count: number) => 'a'.repeat(count)
const alef = (count: number) => 'ا'.repeat(count)
const FAMILY = '👨‍👩‍👧‍👦' // 4 surrogate pairs, 3 joiners: 11 UTF-16 units
const FLAG = '🇴🇲' // 2 surrogate pairs

/** GSM 03.38, 6.2.1 (basic, without the escape code) and 6.2.1.1 (extension), in the order of their codes. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENSION = '\f^{}\\[~]|€'

describe('smsParts by hand', () => {
  it.each([
    ['empty', '', 1],
    ['one character', 'a', 1],
    ['160 septets', a(160), 1],
    ['161 septets', a(161), 2],
    ['2 full parts', a(306), 2],
    ['one more', a(307), 3],
    ['7 full parts', a(1071), 7],
    ['the longest text allowed', a(1000), 7],
    ['80 extension characters', '€'.repeat(80), 1],
    ['81 extension characters', '€'.repeat(81), 2],
    ['76 escape pairs a part', '€'.repeat(152), 2],
    ['one pair more', '€'.repeat(153), 3],
    ['159 and an escape pair', `${a(159)}€`, 2],
    ['an escape pair that would be split', `${a(152)}€${a(152)}`, 3],
    ['and fits after all', `${a(152)}€${a(151)}`, 2],
    ['line ends count one each', '\r\n'.repeat(80), 1],
    ['70 units', alef(70), 1],
    ['71 units', alef(71), 2],
    ['2 full parts of UCS-2', alef(134), 2],
    ['one unit more', alef(135), 3],
    ['the longest Arabic text', alef(1000), 15],
    ['one Arabic letter among Latin', `${a(69)}ا`, 1],
    ['and one unit more', `${a(70)}ا`, 2],
    ['extension characters count one in UCS-2', `${'€'.repeat(69)}ا`, 1],
    ['line ends in UCS-2', `ا${'\r\n'.repeat(67)}`, 3],
    ['35 emoji', '😀'.repeat(35), 1],
    ['36 emoji', '😀'.repeat(36), 2],
    ['a surrogate pair that would be split', `${alef(66)}😀${alef(66)}`, 3],
    ['and fits after all', `${alef(66)}😀${alef(65)}`, 2],
    ['a flag over two parts', `${alef(65)}${FLAG}${alef(65)}`, 2],
    ['letters with vowel signs over two parts', 'بَ'.repeat(67), 2],
    ['one letter with 200 signs', `a${'\u0301'.repeat(200)}`, 3],
    ['6 families', FAMILY.repeat(6), 1],
    ['12 families, 132 units', FAMILY.repeat(12), 2],
    ['half a surrogate pair', '\ud800', 1],
    ['é is in the alphabet', `${a(159)}é`, 1],
    ['ç, á, ` and the tab are not', `${a(67)}çá\`\t`, 2],
  ])('%s', (_what, text, parts) => expect(smsParts(text)).toBe(parts))

  it('knows the whole alphabet and nothing else below U+FFFF', () => {
    expect([BASIC.length, EXTENSION.length]).toEqual([127, 10])
    for (const char of BASIC) expect(smsParts(char.repeat(160)), char).toBe(1)
    for (const char of EXTENSION)
      expect(
        [80, 81].map(count => smsParts(char.repeat(count))),
        char,
      ).toEqual([1, 2])
    const alphabet = new Set(BASIC + EXTENSION)
    for (let unit = 0; unit < 0x2100; unit += 1) {
      const char = String.fromCharCode(unit)
      if (!alphabet.has(char)) expect(smsParts(char.repeat(71)), `U+${unit.toString(16)}`).toBe(2)
    }
  })
})

describe('smsParts and the library', () => {
  it.each([
    ['GSM 03.38', [...BASIC, ...EXTENSION.repeat(5)]],
    ['UCS-2 without joined characters', [...'abcابت😀€', 'ж']],
  ])('agree on %s', (_what, alphabet) => {
    const random = seeded(160)
    for (let count = 0; count < 150; count += 1) {
      const text = Array.from({ length: 1 + random(400) }, () => alphabet[random(alphabet.length)]).join('')
      expect(smsParts(text), JSON.stringify(text)).toBe(new SegmentedMessage(text).segmentsCount)
    }
  })
})
