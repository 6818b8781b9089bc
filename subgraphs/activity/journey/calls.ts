/** Calls of systems outside as steps: orders to charging systems, parts of messages, attempts of webhooks. */
import type { DeliveryRow } from '#core/webhooks/deliveries.ts'
import { type LoggedAttempt, MAX_ATTEMPTS_KEPT } from '#core/webhooks/outcomes.ts'
import { withoutAddress } from '#core/webhooks/response-excerpt.ts'
import { type Kinds, kindNamed } from '../kinds.ts'
import type { AttemptedDelivery, OrderRow, SentPartRow, TravelledRow } from './read.ts'
import { because, type Details, excerpt, type FoundStep, msBetween, timeText } from './step.ts'

const calls = (count: number): string => (count === 1 ? 'one call' : `${count} calls`)

const callsText = ({ attempts, lastError, nextAttemptAt }: OrderRow, { internals }: Details): string => {
  if (!internals || attempts === 0) return ''
  const next = nextAttemptAt ? `; the next is due at ${timeText(nextAttemptAt)}` : ''
  return `; ${calls(attempts)} brought no outcome${lastError ? `, the last: ${excerpt(lastError)}` : ''}${next}`
}

const ORDER_TEXTS = {
  waiting: 'waits to be put to the charging system',
  sent: 'was put to the charging system, which has not said what became of it',
  pending: 'is held by the charging system',
  reserved: 'is reserved by the charging system, and waits to be captured',
} as const

const orderText = (operation: string, order: OrderRow, details: Details): string => {
  const { state, outcome, reason } = order
  if (state === 'known' || state === 'concluded')
    return `The order ${operation} was put to the charging system, which answered ${outcome ?? 'nothing'}${because(reason)}.`
  return `The order ${operation} ${ORDER_TEXTS[state]}${callsText(order, details)}.`
}

/** Makes the step of a transaction's order. */
export const orderStep = (kinds: Kinds, row: TravelledRow, order: OrderRow, details: Details): FoundStep => {
  const at = order.submittedAt ?? row.createdAt
  return {
    at,
    kind: 'ORDERED',
    text: orderText(kindNamed(kinds, row.kind).charge.operation, order, details),
    durationMs: order.concludedAt ? msBetween(at, order.concludedAt) : undefined,
    transactionId: row.id,
    notBefore: row.createdAt,
  }
}

const PART_TEXTS: Readonly<Record<string, string>> = {
  waiting: 'was not taken, and is sent again',
  sending: 'was sent, and whether it was taken is not known yet',
  accepted: 'was taken, and its receipt is awaited',
}

/** Makes the step of a part of a message. */
export const partStep = (part: SentPartRow, { internals, addresses }: Details): FoundStep => {
  const centre = internals && addresses ? `the message centre ${part.smsc}` : 'the message centre'
  const became = PART_TEXTS[part.state] ?? `became ${part.state}${because(part.reason)}`
  return {
    at: part.triedAt,
    kind: 'ORDERED',
    text: `Part ${part.number} of ${part.total} was put to ${centre}: it ${became}.`,
    transactionId: part.transactionId,
  }
}

const attemptText = (
  delivery: DeliveryRow,
  attempt: LoggedAttempt,
  nth: string,
  details: Details,
): string => {
  const { url } = delivery
  const to = details.addresses && URL.canParse(url) ? ` to ${new URL(url).origin}` : ''
  const error = details.addresses ? attempt.error : withoutAddress(attempt.error, attempt.status, url)
  const became = attempt.status === null ? 'got no answer' : `was answered ${attempt.status}`
  return `${nth}${to} ${became}${because(error)}`
}

const endOf = ({ at, durationMs }: LoggedAttempt): Date => new Date(at.getTime() + durationMs)

/** Makes the steps of the attempts of a delivery. */
export const attemptSteps = ({ delivery, attempts }: AttemptedDelivery, details: Details): FoundStep[] => {
  const { createdAt, status, nextAttemptAt, transactionId } = delivery
  const isWhole = attempts.length < MAX_ATTEMPTS_KEPT
  return attempts.map((attempt, index) => {
    const nth = isWhole ? `Attempt ${index + 1} of the webhook` : 'An attempt of the webhook'
    const isLast = index === attempts.length - 1 && status === 'PENDING' && nextAttemptAt !== null
    const next = isLast ? `; the next is due at ${timeText(nextAttemptAt)}` : ''
    return {
      at: attempt.at,
      kind: 'ATTEMPTED',
      text: `${attemptText(delivery, attempt, nth, details)}${next}.`,
      durationMs: attempt.durationMs,
      transactionId,
      notBefore: createdAt,
    }
  })
}

const DEAD_TEXT = 'The webhook was given up: redeliverWebhook begins anew.'

/** The end of a delivery, behind its last attempt. */
export const endSteps = ({ delivery, attempts }: AttemptedDelivery): FoundStep[] => {
  const { status, createdAt, deliveredAt, transactionId } = delivery
  if (status === 'PENDING') return []
  const last = attempts.at(-1)
  const attempted = last ? endOf(last) : createdAt
  const at = status === 'DELIVERED' ? (deliveredAt ?? attempted) : attempted
  const text = status === 'DELIVERED' ? 'The webhook has the event.' : DEAD_TEXT
  const durationMs = msBetween(createdAt, at)
  return [{ at, kind: status, text, durationMs, transactionId, notBefore: last?.at ?? createdAt }]
}
