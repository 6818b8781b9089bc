/** Steps of a journey: each record of its requests and transactions as one sentence. */
import type { RequestRow } from '#core/requests/read.ts'
import type { InterventionRow } from '#core/transactions/settle/intervene.ts'
import { type Kinds, kindNamed } from '../kinds.ts'
import { describeEntry } from '../timeline/entry.ts'
import { attemptSteps, endSteps, orderStep, partStep } from './calls.ts'
import type { QuarantinedRow, Records, TravelledRow } from './read.ts'
import { because, type Details, excerpt, type FoundStep, msBetween, timeText } from './step.ts'

const WAYS: Readonly<Record<RequestRow['via'], string>> = {
  REST: 'by REST',
  GRAPH: 'to the graph',
  STREAM: 'to the graph as a stream',
  TOKEN: 'for a token',
  EXPORT: 'for an export',
  PAGE: 'for a page',
}

const endOf = ({ at, durationMs }: RequestRow): Date => new Date(at.getTime() + durationMs)

const hasPosted = ({ code, transactionId }: RequestRow): boolean => code === null && transactionId !== null

/** Words of a request; a row may stand for several that were alike. */
const receivedText = ({ clientId, operation, via, code, status, weight }: RequestRow): string => {
  const sender = clientId ?? 'A client without a valid token'
  const named = operation === null ? 'an operation without a name' : operation
  const alike = weight > 1 ? `, ${weight} times` : ''
  return `${sender} sent ${named} ${WAYS[via]}${alike}${code === null ? `; it was answered ${status}` : ''}.`
}

const refusedText = ({ status, code, reason, field }: RequestRow): string => {
  const why = [reason && reason !== code ? ` for ${reason}` : '', field ? ` at ${field}` : ''].join('')
  // The graph answers 200 where a field failed.
  if (status < 400) return `It was answered ${status} with the error ${code}${why}.`
  return `${status < 500 ? 'It was refused' : 'It failed'} with ${status} ${code}${why}.`
}

const requestSteps = (request: RequestRow): FoundStep[] => {
  const { at, durationMs, code, transactionId } = request
  const ofTransaction = hasPosted(request) ? transactionId : null
  const received: FoundStep = {
    at,
    kind: 'RECEIVED',
    text: receivedText(request),
    durationMs: Math.round(durationMs),
    transactionId: ofTransaction,
  }
  if (code === null) return [received]
  const refused = {
    at: endOf(request),
    kind: 'REFUSED',
    text: refusedText(request),
    transactionId: null,
  } as const
  return [received, { ...refused, notBefore: at }]
}

const postedStep = (kinds: Kinds, row: TravelledRow, { requests }: Records): FoundStep => ({
  at: row.createdAt,
  notBefore: requests.find(one => hasPosted(one) && one.transactionId === row.id)?.at,
  kind: 'POSTED',
  text: `${row.clientId} posted it: ${excerpt(describeEntry(kindNamed(kinds, row.kind), row))}.`,
  transactionId: row.id,
})

/** The first final status: an event has it; a reversal replaces it on the row. */
const settledStep = (row: TravelledRow, { events }: Records): FoundStep[] => {
  if (!row.completedAt) return []
  const first = events.find(({ transactionId }) => transactionId === row.id)
  const { status, reason } = first
    ? { status: first.operationStatus, reason: first.description }
    : { status: row.status, reason: row.reason }
  return [
    {
      at: row.completedAt,
      kind: 'SETTLED',
      text: `It became ${status}${because(reason)}.`,
      durationMs: msBetween(row.createdAt, row.completedAt),
      transactionId: row.id,
      notBefore: row.createdAt,
    },
  ]
}

const quarantinedStep = (row: TravelledRow, { failures, dueAt }: QuarantinedRow): FoundStep => ({
  at: row.createdAt,
  kind: 'ORDERED',
  text: `The ledger could not settle it ${failures === 1 ? 'once' : `${failures} times`}; it is tried again at ${timeText(dueAt)}.`,
  transactionId: row.id,
})

const VERBS = { CANCEL: 'cancelled', REVERSE: 'reversed' } as const

/** A partner learns what was done, and why; who of the operator's did it, or wanted it, is the operator's business. */
const interventionStep = (one: InterventionRow, { internals }: Details): FoundStep[] => {
  const { action, clientId, reason, requestedAt, carriedOutAt, refusal, transactionId } = one
  const verb = VERBS[action]
  const step = { kind: 'INTERVENED', transactionId } as const
  if (!internals)
    return carriedOutAt
      ? [{ ...step, at: carriedOutAt, text: `The operator ${verb} it${because(reason)}.` }]
      : []
  const durationMs = carriedOutAt ? msBetween(requestedAt, carriedOutAt) : undefined
  const wanted = `${clientId} wanted it ${verb}${because(reason)}`
  if (carriedOutAt)
    return [{ ...step, at: requestedAt, text: `${clientId} ${verb} it${because(reason)}.`, durationMs }]
  const answer = refusal === null ? 'has not answered' : `refused${because(refusal)}`
  return [{ ...step, at: requestedAt, text: `${wanted}; the charging system ${answer}.` }]
}

const eventSteps = ({ events }: Records): FoundStep[] =>
  events.map(({ eventTime, eventType, operationStatus, transactionId }) => ({
    at: eventTime,
    kind: 'EVENT',
    text: `The event ${eventType} was written, with the status ${operationStatus}.`,
    transactionId,
  }))

/** Makes the steps of what is recorded of transactions and requests. */
export function stepsOf(kinds: Kinds, records: Records, details: Details): FoundStep[] {
  const { transactions, orders, parts, quarantined, interventions, deliveries } = records
  const rows = new Map(transactions.map(row => [row.id, row]))
  return [
    ...records.requests.flatMap(requestSteps),
    ...transactions.flatMap(row => [postedStep(kinds, row, records), ...settledStep(row, records)]),
    ...orders.map(order => orderStep(kinds, rows.get(order.transactionId)!, order, details)),
    ...parts.map(part => partStep(part, details)),
    ...quarantined.map(one => quarantinedStep(rows.get(one.transactionId)!, one)),
    ...interventions.flatMap(one => interventionStep(one, details)),
    ...eventSteps(records),
    ...deliveries.flatMap(one => [...attemptSteps(one, details), ...endSteps(one)]),
  ]
}
