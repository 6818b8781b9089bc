/** A text as octets: GSM 03.38, a septet an octet, or UCS-2; in parts that say how they belong together. */
import { type SplitText, splitSms } from '#core/values/sms.ts'

/** GSM 03.38, 6.2.1, in the order of the codes; the place of the escape code is left empty. */
const BASIC = [
  ...'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ',
  '',
  ...'ÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
]

const ESCAPE = 0x1b

/** GSM 03.38, 6.2.1.1: what follows the escape code. */
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

/** A text in GSM 03.38, a septet an octet. @throws TypeError for a character that the alphabet lacks. */
export const octetsOfGsm = (text: string): Buffer =>
  Buffer.from([...text].flatMap(char => [...CODES.get(char)!]))

/** UTF-16, big end first: what phones do with surrogate pairs, though UCS-2 has none. */
const toUcs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const ENCODE = { GSM: octetsOfGsm, 'UCS-2': toUcs2 } as const

/** 3GPP TS 23.038, 4: the general group, and with a message class, of which 0 is shown at once. */
const DATA_CODING = { GSM: 0x00, 'UCS-2': 0x08 } as const
const FLASH = 0x10

/** 3GPP TS 23.040, 9.2.3.24.1: five octets follow; element 0, concatenation; of which three are reference, total, number. */
const header = (reference: number, total: number, number: number) =>
  Buffer.from([5, 0, 3, reference, total, number])

/** One part as it is put into a `submit_sm`. */
export interface EncodedPart {
  readonly octets: Buffer
  readonly hasHeader: boolean
}

export interface EncodedText {
  readonly dataCoding: number
  /** In the text's order; as many as `smsParts` says. */
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
 * @param reference 0 to 255, by which a phone knows the parts of one text.
 * @param flash whether it is to be shown at once, and not kept.
 */
export function encodeText(text: string, reference: number, flash: boolean): EncodedText {
  const split = splitSms(text)
  return {
    dataCoding: DATA_CODING[split.alphabet] | (flash ? FLASH : 0),
    parts: encodeParts(split, reference),
  }
}
