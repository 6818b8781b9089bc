/**
 * Card numbers where none belongs: a free text that holds what looks like one, by issuer prefix, length and Luhn. Kept
 * libraries judge a number that stands alone; none finds one within a text, and in time that grows with the text alone.
 */

/** First digits and lengths of the large schemes (ISO/IEC 7812 issuer ranges, as the schemes publish them). */
const ISSUERS: readonly {
  readonly from: number
  readonly to: number
  readonly lengths: readonly number[]
}[] = [
  { from: 4000, to: 4999, lengths: [13, 16, 19] },
  { from: 5100, to: 5599, lengths: [16] },
  { from: 2221, to: 2720, lengths: [16] },
  { from: 3400, to: 3499, lengths: [15] },
  { from: 3700, to: 3799, lengths: [15] },
  { from: 6011, to: 6011, lengths: [16, 17, 18, 19] },
  { from: 6440, to: 6599, lengths: [16, 17, 18, 19] },
  { from: 3000, to: 3059, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 3600, to: 3699, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 3800, to: 3999, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 3528, to: 3589, lengths: [16, 17, 18, 19] },
  { from: 6200, to: 6299, lengths: [16, 17, 18, 19] },
  { from: 5018, to: 5018, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { from: 5020, to: 5038, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { from: 6304, to: 6304, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { from: 6759, to: 6763, lengths: [13, 14, 15, 16, 17, 18, 19] },
]

const SHORTEST = 13

/** Digits that only single spaces and dashes part, and where its groups begin and end. */
class Run {
  readonly #digits: number[] = []
  /** Sums up to each digit, with every second one doubled: the even ones, or the odd ones. */
  readonly #sums: [even: number[], odd: number[]] = [[0], [0]]
  readonly #starts = new Set<number>()

  add(digit: number, startsGroup: boolean): void {
    const at = this.#digits.push(digit) - 1
    if (startsGroup) this.#starts.add(at)
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    for (const parity of [0, 1] as const)
      this.#sums[parity].push(this.#sums[parity][at]! + (at % 2 === parity ? doubled : digit))
  }

  /** ISO/IEC 7812-1, annex B: from the right, every second digit doubled. */
  #passesLuhn(from: number, to: number): boolean {
    const sums = this.#sums[to % 2 === 0 ? 0 : 1]
    return (sums[to]! - sums[from]!) % 10 === 0
  }

  #isCard(from: number, length: number): boolean {
    const to = from + length
    const endsGroup = to === this.#digits.length || this.#starts.has(to)
    return to <= this.#digits.length && endsGroup && this.#passesLuhn(from, to)
  }

  /** Whether whole groups of it are a card number. */
  holdsCard(): boolean {
    if (this.#digits.length < SHORTEST) return false
    return [...this.#starts].some(from => {
      const prefix = Number(this.#digits.slice(from, from + 4).join(''))
      const issuer = ISSUERS.find(one => prefix >= one.from && prefix <= one.to)
      return issuer?.lengths.some(length => this.#isCard(from, length)) ?? false
    })
  }
}

const isDigit = (code: number) => code >= 48 && code <= 57
const isSeparator = (code: number) => code === 32 || code === 45

const findsCard = (text: string): boolean => {
  let run = new Run()
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) run.add(code - 48, !isDigit(text.charCodeAt(at - 1)))
    else if (!isSeparator(code) || !isDigit(text.charCodeAt(at - 1))) {
      if (run.holdsCard()) return true
      run = new Run()
    }
  }
  return run.holdsCard()
}

/** RFC 9562, section 4. One in 2,700 random ones has digits that could be a card's, and ids are often such. */
const UUIDS = /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/gi

/**
 * Whether a text holds what looks like a card number; groups of digits may be parted by one space or dash each. Digits of a
 * UUID are none.
 */
export const holdsCardNumber = (text: string): boolean =>
  text.length >= SHORTEST && findsCard(text) && findsCard(text.replaceAll(UUIDS, 'uuid'))
