/** What the parts of a message come to together. */
import type { ChargeResult } from '#core/charging/charging.ts'
import type { FinalState } from './receipts.ts'

/** `waiting` is known not to have been taken; of `sending` nobody knows unless its response comes; `accepted` has been taken. */
export type PartState = 'waiting' | 'sending' | 'accepted' | FinalState

/** A part as it stands in its table. */
export interface PartRow {
  readonly transactionId: string
  /** Counted from 1. */
  readonly number: number
  readonly total: number
  readonly state: PartState
  readonly reason: string | null
  /** The message centre's, once it has taken the part. */
  readonly messageId: string | null
  readonly smsc: string
  /** Whether it was tried so long ago that no response can be on its way. */
  readonly isStale: boolean
}

const OPEN: readonly PartState[] = ['waiting', 'sending', 'accepted']

const OUTCOMES = { error: 'invalid', failed: 'failed', declined: 'declined', expired: 'expired' } as const

/** What says the most about what is wrong comes first. */
const WORST = ['error', 'failed', 'declined', 'expired'] as const

const isFinal = ({ state }: PartRow) => !OPEN.includes(state)

/** Of parts that are wrong the worst, as the result of the message. */
const worstOf = (rows: readonly PartRow[]): ChargeResult | undefined => {
  const worst = WORST.find(state => rows.some(row => row.state === state))
  if (!worst) return undefined
  const reason = rows.find(({ state }) => state === worst)!.reason ?? ''
  return { outcome: OUTCOMES[worst], reason }
}

/**
 * The result of a message, once it is known: when every part has its own, or when one was not taken, without which the
 * text would not be whole.
 */
export function resultOf(rows: readonly PartRow[]): ChargeResult | undefined {
  const notTaken = worstOf(rows.filter(row => isFinal(row) && row.messageId === null))
  if (notTaken) return notTaken
  const isWhole = rows.length > 0 && rows.length === rows[0]!.total && rows.every(isFinal)
  return isWhole ? (worstOf(rows) ?? { outcome: 'done' }) : undefined
}

/** Whether a part is to be sent, or sent again. */
const mayBeSent = ({ state, isStale }: PartRow) => state === 'waiting' || (state === 'sending' && isStale)

/** The numbers of the parts that are to be sent, or sent again. */
export const toSend = (rows: readonly PartRow[], total: number): number[] => {
  const known = new Map(rows.map(row => [row.number, row]))
  const numbers = Array.from({ length: total }, (_, index) => index + 1)
  return numbers.filter(number => {
    const row = known.get(number)
    return row === undefined || mayBeSent(row)
  })
}
