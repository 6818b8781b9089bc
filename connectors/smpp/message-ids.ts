/**
 * Message ids as message centres write them. SMPP says that the id of a receipt is that of the response; many centres
 * write the same number in decimal in one and in hexadecimal in the other, pad it with zeros, or change its case.
 */
import type { IdForm } from '#core/config/smpp.ts'

/** How the id of a receipt follows from that of the response: the response's form, then the receipt's. */
export type Reading = Exclude<IdForm, 'any'>

/** Readings in the order in which they are tried. */
export const READINGS: readonly Reading[] = ['text', 'decimal-hex', 'hex-decimal']

/** Longer than any number that a centre counts by; beyond it an id is a text. */
const MOST_DIGITS = 40

/** An id without what padding and case add to it, as the index of parts has it: `ltrim(lower(message_id), '0')`. */
const keyOf = (id: string): string => id.toLowerCase().replace(/^0+/, '')

const inHex = (key: string): string | undefined =>
  key.length <= MOST_DIGITS && /^\d+$/.test(key) ? BigInt(key).toString(16) : undefined

const inDecimal = (key: string): string | undefined =>
  key.length <= MOST_DIGITS && /^[\da-f]+$/.test(key) ? BigInt(`0x${key}`).toString() : undefined

/** The key that the response's id has where this reading holds; undefined where the id cannot be read so. */
const RESPONSE_KEY: Readonly<Record<Reading, (receiptKey: string) => string | undefined>> = {
  text: key => key,
  'decimal-hex': inDecimal,
  'hex-decimal': inHex,
}

/** Keys of the responses' ids that a receipt's id may belong to, each once. */
export const responseKeys = (receiptId: string): string[] => {
  const key = keyOf(receiptId)
  return [...new Set(READINGS.flatMap(reading => RESPONSE_KEY[reading](key) ?? []))]
}

/** The readings by which a receipt's id is that of a response. */
export const readingsOf = (responseId: string, receiptId: string): Reading[] => {
  const [response, receipt] = [keyOf(responseId), keyOf(receiptId)]
  return READINGS.filter(reading => RESPONSE_KEY[reading](receipt) === response)
}

/** Net observations after which a reading is as sure as it gets: so many against it overturn it. */
const SUREST = 8

/**
 * The reading of each message centre, learned from receipts that can be read in one way alone. A centre writes its ids
 * in one form, so that what some of them show decides the others, `10` for one.
 */
export class LearnedReadings {
  readonly #seen = new Map<string, Map<Reading, number>>()

  /** The reading that this centre's receipts have shown; undefined before. */
  of(centre: string): Reading | undefined {
    const seen = this.#seen.get(centre)
    return READINGS.find(reading => (seen?.get(reading) ?? 0) > 0)
  }

  /** Notes what one receipt showed; returns whether the centre's reading is another now. */
  observe(centre: string, shown: Reading): boolean {
    const before = this.of(centre)
    const seen = this.#seen.get(centre) ?? new Map<Reading, number>()
    this.#seen.set(centre, seen)
    const against = READINGS.find(reading => reading !== shown && (seen.get(reading) ?? 0) > 0)
    if (against) seen.set(against, seen.get(against)! - 1)
    else seen.set(shown, Math.min(SUREST, (seen.get(shown) ?? 0) + 1))
    return this.of(centre) !== before
  }
}
