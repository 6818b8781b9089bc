/**
 * The part that a receipt is of. A receipt is of a part of its own message centre and to its own recipient: by our
 * reference where the centre gives it back, else by the message id. Where several parts remain it is of none, since a
 * receipt that waits does less harm than one that ends another's message.
 */
import type { IdForm } from '#core/config/smpp.ts'
import { READINGS, type Reading, readingsOf } from './message-ids.ts'
import type { PartState } from './outcome.ts'
import type { Receipt } from './receipts.ts'

/** A part that shares its reference or its message id with a receipt of the same message centre. */
export interface Candidate {
  readonly transactionId: string
  readonly number: number
  readonly recipient: string
  readonly reference: number
  readonly state: PartState
  readonly messageId: string | null
}

/** What is found for a receipt. */
export interface Match {
  /** The part that it is of; undefined where that is not sure. */
  readonly part?: Candidate
  /** The only reading of its id that leads to a part: it shows how the centre writes its ids. */
  readonly shown?: Reading
}

const OPEN: readonly PartState[] = ['waiting', 'sending', 'accepted']

/** Fewer digits than any subscriber has: too few to be the end of another's number. */
const SHORTEST_END = 7

const isOpen = ({ state }: Candidate) => OPEN.includes(state)

/** Whether two texts are the same number, of which one may lack its country code; a receipt may name none. */
const isSameRecipient = (ours: string, theirs: string): boolean => {
  const [one, other] = [ours, theirs].map(text => text.replace(/^0+/, '')) as [string, string]
  if (theirs === '' || one === other) return true
  const areLong = one.length >= SHORTEST_END && other.length >= SHORTEST_END
  return areLong && (one.endsWith(other) || other.endsWith(one))
}

/** Of parts that all answer to a receipt the one that it is of: the open one, else one that has its end already. */
const oneOf = (parts: readonly Candidate[]): Candidate | undefined => {
  const open = parts.filter(isOpen)
  if (open.length === 0) return parts[0]
  return open.length === 1 ? open[0] : undefined
}

/** The last octet of the id and the part's number, which stand in the header of a long text. */
const concatOf = ({ transactionId, number }: Candidate) => `${transactionId.slice(-2)} ${number}`

const hasReference = (part: Candidate, { reference, concat }: Receipt): boolean =>
  reference === null ? concat === concatOf(part) : part.reference === reference

const idsOf = ({ messageId, textId }: Receipt): string[] => [...new Set([messageId, textId])].filter(Boolean)

/** Readings by which the part has this id; none where it has no id yet. */
const readingsFor = ({ messageId }: Candidate, id: string): Reading[] =>
  messageId ? readingsOf(messageId, id) : []

const hasId = (part: Candidate, receipt: Receipt): boolean =>
  idsOf(receipt).some(id => readingsFor(part, id).length > 0)

const isNamedExactly = ({ messageId }: Candidate, receipt: Receipt): boolean =>
  messageId !== null && idsOf(receipt).includes(messageId)

/** Names the reading of a part that was found otherwise, where there is but one. */
const shownBy = (part: Candidate, { messageId }: Receipt): Reading | undefined => {
  const readings = readingsFor(part, messageId)
  return readings.length === 1 ? readings[0] : undefined
}

const byReference = (parts: readonly Candidate[], receipt: Receipt): Match | undefined => {
  if (receipt.reference === null && receipt.concat === null) return undefined
  const named = parts.filter(part => hasReference(part, receipt))
  // References repeat after 65,536 parts: of several the id says which.
  const same = named.filter(part => hasId(part, receipt))
  // A centre that gives another reference back than ours names another part by the very text of its id.
  if (same.length === 0 && parts.some(part => isNamedExactly(part, receipt))) return undefined
  const part = oneOf(same.length > 0 ? same : named.filter(isOpen))
  return part && { part, shown: shownBy(part, receipt) }
}

/** Of several under one text the one that is written as the receipt has it: there are ids that differ in case alone. */
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
  // Read in several ways, it may be the second receipt of a part that has its end, or the first of one that is open.
  const isClear = shown !== undefined || all.length === 1 || !all.some(isOpen)
  return { part: isClear ? oneOf(all) : undefined, shown }
}

/**
 * Finds the part.
 * @param candidates parts of the receipt's message centre.
 * @param form how the centre writes its ids, as the settings say; `any` where they do not.
 * @param learned what the centre's receipts have shown so far.
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
  // A part of another reference is another's, unless the id is its own to the letter.
  const others = parts.filter(
    part => receipt.reference === null || isNamedExactly(part, receipt) || hasReference(part, receipt),
  )
  const matches = idsOf(receipt).map(id => byId(others, id, form === 'any' ? learned : form))
  return matches.find(({ part }) => part) ?? matches[0] ?? {}
}
