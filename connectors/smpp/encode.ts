/** Encodes a text as octets: GSM 03.38, a septet an octet, or UCS-2; long texts in parts with a concatenation header. */
import { type SplitText, splitSms } from '#core/values/sms.ts'

/** Default alphabet (GSM 03.38, 6.2.1) in the order of the codes; the escape code is empty. */
const BASIC = [
  ...'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ',
  '',
  ...'ÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
]

const ESCAPE = 0x1b

/** Codes that follow the escape code (GSM 03.38, 6.2.1.1). */
const EXTENSION: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
}

const CODES = new Map<string, readonly number[]>([
  ...BASIC.flatMap((char, code) => (char === '' ? [] : [[char, [code]] as const])),
  ...Object.entries(EXTENSION).map(([char, code]) => [char, [ESCAPE, code]] as const),
])

/** Encodes in GSM 03.38, a septet an octet. @throws TypeError for a character that the alphabet lacks. */
export const octetsOfGsm = (text: string): Buffer =>
  Buffer.from([...text].flatMap(char => [...CODES.get(char)!]))

/** Encodes in UTF-16, big-endian: phones read surrogate pairs, though UCS-2 has none. */
const toUcs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const ENCODE = { GSM: octetsOfGsm, 'UCS-2': toUcs2 } as const

/** Data coding of the general group (3GPP TS 23.038, 4); message class 0, `FLASH`, is shown at once. */
const DATA_CODING = { GSM: 0x00, 'UCS-2': 0x08 } as const
const FLASH = 0x10

/** Concatenation header (3GPP TS 23.040, 9.2.3.24.1): length 5, element 0 of 3 octets: reference, total, number. */
const header = (reference: number, total: number, number: number) =>
  Buffer.from([5, 0, 3, reference, total, number])

/** One part as `short_message` of a `submit_sm`. */
interface EncodedPart {
  readonly octets: Buffer
  readonly hasHeader: boolean
}

export interface EncodedText {
  readonly dataCoding: number
  /** Parts in the order of the text; their number is that of `smsParts`. */
  readonly parts: readonly EncodedPart[]
}

const encodeParts = ({ alphabet, parts }: SplitText, reference: number): EncodedPart[] => {
  if (parts.length === 1) return [{ octets: ENCODE[alphabet](parts[0]!), hasHeader: false }]
  return parts.map((part, index) => ({
    octets: Buffer.concat([header(reference, parts.length, index + 1), ENCODE[alphabet](part)]),
    hasHeader: true,
  }))
}

/**
 * Encodes a text.
 * @param reference number from 0 to 255 by which a phone joins the parts of one text.
 * @param flash shows the text at once, without keeping it.
 */
export function encodeText(text: string, reference: number, flash: boolean): EncodedText {
  const split = splitSms(text)
  return {
    dataCoding: DATA_CODING[split.alphabet] | (flash ? FLASH : 0),
    parts: encodeParts(split, reference),
  }
}
