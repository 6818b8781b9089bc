/** Texts as octets: what the library and sms-segments-calculator make of them is what was meant. */
import { SegmentedMessage } from 'sms-segments-calculator'
import { describe, expect, it } from 'vitest'
import { encodeText } from '#connectors/smpp/encode.ts'
import { decodeGsm } from '#connectors/third-party/smpp.ts'
import { smsParts } from '#core/values/sms.ts'

const HEADER = 6
const isGsm = (dataCoding: number) => (dataCoding & 0x0f) === 0

/** As a phone reads them: GSM 03.38 by the library's own table, which is another than the one that wrote it. */
const read = (text: string, reference = 7) => {
  const { dataCoding, parts } = encodeText(text, reference, false)
  const texts = parts.map(({ octets, hasHeader }) => {
    const body = hasHeader ? octets.subarray(HEADER) : octets
    return isGsm(dataCoding) ? decodeGsm(body) : Buffer.from(body).swap16().toString('utf16le')
  })
  return { dataCoding, texts, lengths: parts.map(({ octets }) => octets.length), parts }
}

const ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà\f^{}\\[~]|€'

const TEXTS: [string, string][] = [
  ['the whole alphabet', ALPHABET],
  ['a long Latin text', 'Your bill of 12.500 OMR is due. '.repeat(20)],
  ['extension characters at every end', '€'.repeat(400)],
  ['a long Arabic text', 'فاتورتك بمبلغ ١٢٫٥٠٠ ريال مستحقة. '.repeat(20)],
  ['emoji at every end', `${'م'.repeat(66)}😀`.repeat(9)],
  ['half a surrogate pair', `\ud800${'م'.repeat(100)}`],
]

describe('encodeText', () => {
  it.each(TEXTS)('SMPP-30 loses nothing and agrees with the count of parts: %s', (_, text) => {
    const { texts, lengths, dataCoding } = read(text)
    expect(texts.join('')).toBe(text)
    expect(texts).toHaveLength(smsParts(text))
    const most = isGsm(dataCoding) ? 160 : 140
    for (const length of lengths) expect(length).toBeLessThanOrEqual(most)
    for (const part of texts.slice(0, -1)) expect(part).not.toMatch(/[\ud800-\udbff]$/)
  })

  it('SMPP-31 knows each character of the alphabet as the counter does, and no other', () => {
    const codes = [...Array(0x700).keys(), ...Array.from({ length: 0x100 }, (_, index) => 0x2000 + index)]
    for (const code of codes) {
      const char = String.fromCharCode(code)
      const isKnown = new SegmentedMessage(char).getEncodingName() === 'GSM-7'
      expect(isGsm(read(char).dataCoding), `U+${code.toString(16)}`).toBe(isKnown)
      if (isKnown) expect(read(char).texts, `U+${code.toString(16)}`).toEqual([char])
    }
  })

  it('SMPP-32 puts 153 septets or 67 units into a part, behind its header', () => {
    const latin = read('a'.repeat(307), 0xab)
    expect(latin.lengths).toEqual([159, 159, 7])
    expect(latin.parts.map(({ octets }) => [...octets.subarray(0, HEADER)])).toEqual([
      [5, 0, 3, 0xab, 3, 1],
      [5, 0, 3, 0xab, 3, 2],
      [5, 0, 3, 0xab, 3, 3],
    ])
    expect(read('م'.repeat(135)).lengths).toEqual([140, 140, 8])
  })

  it.each([
    ['GSM', 'Hello', false, 0x00],
    ['GSM, flash', 'Hello', true, 0x10],
    ['UCS-2', 'مرحبا', false, 0x08],
    ['UCS-2, flash', 'مرحبا', true, 0x18],
  ])(
    'SMPP-33 says which alphabet it is, and whether it is shown at once: %s',
    (_, text, flash, dataCoding) => {
      expect(encodeText(text, 0, flash).dataCoding).toBe(dataCoding)
    },
  )
})
