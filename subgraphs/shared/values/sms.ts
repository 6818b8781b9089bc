/** How many SMS a text becomes: GSM 03.38 (3GPP TS 23.038) where every character is in it, else UCS-2. */
import { SegmentedMessage } from 'sms-segments-calculator'

/** What one SMS holds (140 octets), and one part of several after its 6 octets of header (3GPP TS 23.040, 9.2.3.24). */
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
const partsOf = (sizes: number[], { alone, part }: Capacity): number => {
  if (sizes.reduce((total, size) => total + size, 0) <= alone) return 1
  let parts = 1
  let used = 0
  for (const size of sizes) {
    const fits = used + size <= part
    if (!fits) parts += 1
    used = fits ? used + size : size
  }
  return parts
}

/**
 * The number of parts, at least 1. sms-segments-calculator knows the alphabet, character by character; the packing
 * is done here, since the library keeps graphemes whole (flags, emoji families, Arabic letters with their vowel
 * signs), which phones do not, and takes milliseconds for a long text.
 */
export const smsParts = (text: string): number => {
  const chars = [...text]
  const septets = chars.map(septetsOf)
  if (!septets.includes(0)) return partsOf(septets, SEPTETS)
  return partsOf(
    chars.map(char => char.length),
    UTF16_UNITS,
  )
}
