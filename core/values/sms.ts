/** How many SMS a text becomes: GSM 03.38 (3GPP TS 23.038) where every character is in it, else UCS-2. */
import { SegmentedMessage } from 'sms-segments-calculator'

/** The capacity of one SMS (140 octets), and of one part of several after its 6 octets of header (3GPP TS 23.040, 9.2.3.24). */
interface Capacity {
  alone: number
  part: number
}

const SEPTETS: Capacity = { alone: 160, part: 153 }
const UTF16_UNITS: Capacity = { alone: 70, part: 67 }

/** A character's septets (1, or 2 from the extension table), 0 where GSM 03.38 lacks it; by UTF-16 unit. */
const known = new Map<string, number>()

const lookUp = (char: string): number => {
  const message = new SegmentedMessage(char)
  return message.getEncodingName() === 'GSM-7' ? message.numberOfCharacters : 0
}

const septetsOf = (char: string): number => {
  if (char.length > 1) return 0
  const septets = known.get(char) ?? lookUp(char)
  known.set(char, septets)
  return septets
}

/** Characters in order, each whole in one part: an escape pair or a surrogate pair is not split. */
const pack = (chars: readonly string[], sizes: readonly number[], { alone, part }: Capacity): string[] => {
  if (sizes.reduce((total, size) => total + size, 0) <= alone) return [chars.join('')]
  const parts = ['']
  let used = 0
  chars.forEach((char, index) => {
    const size = sizes[index]!
    const fits = used + size <= part
    if (!fits) parts.push('')
    used = fits ? used + size : size
    parts[parts.length - 1] += char
  })
  return parts
}

/** A text as it travels. */
export interface SplitText {
  /** GSM 03.38 with its extension table, or UCS-2 where a character is not in it. */
  readonly alphabet: 'GSM' | 'UCS-2'
  /** The text of each SMS, in order; at least one. */
  readonly parts: readonly string[]
}

/**
 * Splits a text into its parts. sms-segments-calculator knows the alphabet, character by character; the packing
 * is done here, since the library keeps graphemes whole (flags, emoji families, Arabic letters with their vowel
 * signs), which phones do not, and takes milliseconds for a long text.
 */
export const splitSms = (text: string): SplitText => {
  const chars = [...text]
  const septets = chars.map(septetsOf)
  if (!septets.includes(0)) return { alphabet: 'GSM', parts: pack(chars, septets, SEPTETS) }
  const units = chars.map(char => char.length)
  return { alphabet: 'UCS-2', parts: pack(chars, units, UTF16_UNITS) }
}

/** The number of parts, at least 1. */
export const smsParts = (text: string): number => splitSms(text).parts.length
