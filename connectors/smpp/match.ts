/**
 * Match of a receipt to the part it reports on. A receipt belongs to a part of its own message centre and its own recipient:
 * by our reference where the centre returns it, else by the message id. Where several parts remain it matches none, since a
 * receipt that waits does less harm than one that ends another message.
 */
import type { IdForm } from '#core/config/smpp.ts'
import type { PartState } from './parts.ts'
import type { Receipt } from './receipts.ts'

/** Relation of the id in a receipt to that in the response: the response's form, then the receipt's. */
export type Reading = Exclude<IdForm, 'any'>

/** Readings in the order in which they are tried. */
const READINGS: readonly Reading[] = ['text', 'decimal-hex', 'hex-decimal']

/** Most digits of an id that is a number; a longer one is a text. */
const MOST_DIGITS = 40

/** Id without padding and case, as in the index of parts: `ltrim(lower(message_id), '0')`. */
const keyOf = (id: string): string => id.toLowerCase().replace(/^0+/, '')

const inHex = (key: string): string | undefined =>
  key.length <= MOST_DIGITS && /^\d+$/.test(key) ? BigInt(key).toString(16) : undefined

const inDecimal = (key: string): string | undefined =>
  key.length <= MOST_DIGITS && /^[\da-f]+$/.test(key) ? BigInt(`0x${key}`).toString() : undefined

/** Key of the response's id under each reading; undefined where the receipt's id cannot be read so. */
const RESPONSE_KEY: Readonly<Record<Reading, (receiptKey: string) => string | undefined>> = {
  text: key => key,
  'decimal-hex': inDecimal,
  'hex-decimal': inHex,
}

/** Keys of all response ids that a receipt's id may mean, each once. */
export const responseKeys = (receiptId: string): string[] => {
  const key = keyOf(receiptId)
  return [...new Set(READINGS.flatMap(reading => RESPONSE_KEY[reading](key) ?? []))]
}

/** Readings under which a receipt's id is that of a response. */
export const readingsOf = (responseId: string, receiptId: string): Reading[] => {
  const [response, receipt] = [keyOf(responseId), keyOf(receiptId)]
  return READINGS.filter(reading => RESPONSE_KEY[reading](receipt) === response)
}

/** Most net observations that are counted for a reading; as many against it overturn it. */
const SUREST = 8

/**
 * Reading of each message centre, learned from receipts that can be read in one way alone. A centre writes its ids in one
 * form, so that unambiguous ids decide how to read ambiguous ones, e.g. `10`.
 */
export class LearnedReadings {
  readonly #seen = new Map<string, Map<Reading, number>>()

  /** Reading that this centre's receipts have shown; undefined before the first. */
  of(centre: string): Reading | undefined {
    const seen = this.#seen.get(centre)
    return READINGS.find(reading => (seen?.get(reading) ?? 0) > 0)
  }

  /** Records the reading that one receipt showed; returns true where the centre's reading has changed. */
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

/** Part that shares its reference or its message id with a receipt of the same message centre. */
export interface Candidate {
  readonly transactionId: string
  readonly number: number
  readonly recipient: string
  readonly reference: number
  readonly state: PartState
  readonly messageId: string | null
}

/** Result of the search for a receipt's part. */
export interface Match {
  /** Part that the receipt reports on; undefined where that is not certain. */
  readonly part?: Candidate
  /** Only reading of the id that leads to a part: it shows how the centre writes its ids. */
  readonly shown?: Reading
}

const OPEN: readonly PartState[] = ['waiting', 'sending', 'accepted']

/** Fewest digits by which one number can be recognised as the end of another. */
const SHORTEST_END = 7

const isOpen = ({ state }: Candidate) => OPEN.includes(state)

/** Compares two numbers, one of which may lack its country code; a receipt without number fits every recipient. */
const isSameRecipient = (ours: string, theirs: string): boolean => {
  const [one, other] = [ours, theirs].map(text => text.replace(/^0+/, '')) as [string, string]
  if (theirs === '' || one === other) return true
  const areLong = one.length >= SHORTEST_END && other.length >= SHORTEST_END
  return areLong && (one.endsWith(other) || other.endsWith(one))
}

/** Picks one of several parts that fit a receipt: the only open one, else any that has ended. */
const oneOf = (parts: readonly Candidate[]): Candidate | undefined => {
  const open = parts.filter(isOpen)
  if (open.length === 0) return parts[0]
  return open.length === 1 ? open[0] : undefined
}

/** Last octet of the transaction's id and the part's number, as in the header of a long text. */
const concatOf = ({ transactionId, number }: Candidate) => `${transactionId.slice(-2)} ${number}`

const hasReference = (part: Candidate, { reference, concat }: Receipt): boolean =>
  reference === null ? concat === concatOf(part) : part.reference === reference

const idsOf = ({ messageId, textId }: Receipt): string[] => [...new Set([messageId, textId])].filter(Boolean)

/** Readings under which the part has this id; none where it has no id yet. */
const readingsFor = ({ messageId }: Candidate, id: string): Reading[] =>
  messageId ? readingsOf(messageId, id) : []

const hasId = (part: Candidate, receipt: Receipt): boolean =>
  idsOf(receipt).some(id => readingsFor(part, id).length > 0)

const isNamedExactly = ({ messageId }: Candidate, receipt: Receipt): boolean =>
  messageId !== null && idsOf(receipt).includes(messageId)

/** Reading that the id of a part shows, where the part was found by its reference and there is only one. */
const shownBy = (part: Candidate, { messageId }: Receipt): Reading | undefined => {
  const readings = readingsFor(part, messageId)
  return readings.length === 1 ? readings[0] : undefined
}

const byReference = (parts: readonly Candidate[], receipt: Receipt): Match | undefined => {
  if (receipt.reference === null && receipt.concat === null) return undefined
  const named = parts.filter(part => hasReference(part, receipt))
  // References repeat after 65,536 parts; the id decides among several.
  const same = named.filter(part => hasId(part, receipt))
  // A centre that returns a foreign reference names another part by the exact text of its id.
  if (same.length === 0 && parts.some(part => isNamedExactly(part, receipt))) return undefined
  const part = oneOf(same.length > 0 ? same : named.filter(isOpen))
  return part && { part, shown: shownBy(part, receipt) }
}

/** Prefers parts whose id equals the receipt's exactly: some ids differ in case alone. */
const exactOr = (parts: readonly Candidate[], id: string): readonly Candidate[] => {
  const exact = parts.filter(({ messageId }) => messageId === id)
  return exact.length > 0 ? exact : parts
}

/** Parts by the readings under which they have the id. */
const byReading = (parts: readonly Candidate[], id: string) => {
  const found = READINGS.map(reading => {
    const read = parts.filter(part => readingsFor(part, id).includes(reading))
    return [reading, reading === 'text' ? exactOr(read, id) : read] as const
  })
  return new Map(found.filter(([, some]) => some.length > 0))
}

const byId = (parts: readonly Candidate[], id: string, form: Reading | undefined): Match => {
  const found = byReading(parts, id)
  const [shown] = found.size === 1 ? found.keys() : []
  if (form) return { part: oneOf(found.get(form) ?? []), shown }
  const all = [...new Set([...found.values()].flat())]
  // Read in several ways, it may be the second receipt of a part that has ended, or the first of one that is open.
  const isClear = shown !== undefined || all.length === 1 || !all.some(isOpen)
  return { part: isClear ? oneOf(all) : undefined, shown }
}

/**
 * Finds the part that a receipt reports on.
 * @param candidates parts of the receipt's message centre.
 * @param form the centre's way of writing ids by the settings; `any` where they leave it open.
 * @param learned reading that the centre's receipts have shown so far.
 */
export function matchOf(
  receipt: Receipt,
  candidates: readonly Candidate[],
  form: IdForm,
  learned: Reading | undefined,
): Match {
  const parts = candidates.filter(({ recipient }) => isSameRecipient(recipient, receipt.recipient))
  const named = byReference(parts, receipt)
  if (named) return named
  // A part with another reference belongs to another receipt, unless its id is exactly the receipt's.
  const others = parts.filter(
    part => receipt.reference === null || isNamedExactly(part, receipt) || hasReference(part, receipt),
  )
  const matches = idsOf(receipt).map(id => byId(others, id, form === 'any' ? learned : form))
  return matches.find(({ part }) => part) ?? matches[0] ?? {}
}
