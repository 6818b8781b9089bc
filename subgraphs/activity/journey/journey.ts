/** `journey`: everything that became of a request or a transaction, as far as its reader may see it. */

import type { Caller } from '#core/access/principal.ts'
import { visibleRows, visibleTo } from '#core/access/visibility.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import { type EventRow, eventFilterFor } from '#core/events/event.ts'
import type { RequestRow } from '#core/requests/read.ts'
import { isId } from '#core/values/id.ts'
import { checkReference } from '#core/values/text.ts'
import { type DeliveryRow, visibleDeliveries } from '#core/webhooks/deliveries.ts'
import type { Kinds } from '../kinds.ts'
import {
  idsByCorrelator,
  type JourneyVisibility,
  MAX_REQUESTS,
  MAX_TRANSACTIONS,
  readRecords,
  requestsByCorrelator,
  type TravelledRow,
} from './read.ts'
import { type Details, inOrder, type JourneyStepView } from './step.ts'
import { stepsOf } from './steps.ts'

/** Transaction of a journey, and whose it is. */
type JourneyTransaction = Pick<TravelledRow, 'id' | 'kind' | 'accountNumber' | 'mobileNumber'>

/** JourneyView of a request or a transaction. */
export interface JourneyView {
  readonly steps: readonly JourneyStepView[]
  /** The request that posted the newest transaction, or the newest one; null where the log keeps none. */
  readonly request: RequestRow | null
  /** Its requests, the newest first. */
  readonly requests: readonly RequestRow[]
  /** Its transactions, the newest first. */
  readonly transactions: readonly JourneyTransaction[]
  readonly events: readonly EventRow[]
  readonly deliveries: readonly DeliveryRow[]
  /** True where older transactions or requests with the correlator are left out. */
  readonly hasMore: boolean
}

/** Start of a journey: the correlator of a request or a transaction, or the id of a transaction. */
export type JourneyStart = { readonly correlator: string } | { readonly transactionId: string }

/** Reader of a journey. */
export interface JourneyReader {
  readonly visible: JourneyVisibility
  readonly details: Details
}

/** An administrator of the database, who sees everything. */
export const EVERYTHING: JourneyReader = {
  visible: { rows: {}, listed: {}, events: {}, deliveries: Prisma.sql`TRUE`, requests: Prisma.sql`TRUE` },
  details: { internals: true, addresses: true },
}

/** A client as the rest of the graph sees it. */
export const readerOf = (caller: Caller): JourneyReader => {
  const { role, phoneNumber } = caller.principal
  const rows = visibleRows(caller.principal)
  return {
    visible: {
      rows,
      listed: { ...rows, mobileNumber: phoneNumber },
      events: eventFilterFor(caller, 'id', undefined),
      deliveries: visibleDeliveries(caller),
      // A token that is bound to a number speaks for no client.
      requests: phoneNumber === undefined ? visibleTo({ clientId: rows.clientId }, 'r') : Prisma.sql`FALSE`,
    },
    details: { internals: role !== 'partner', addresses: role !== 'analyst' },
  }
}

export interface JourneyArgs {
  readonly correlator?: string | null
  readonly transactionId?: string | null
}

/**
 * Reads the start of a journey from its arguments.
 * @throws ServiceError INVALID_ARGUMENT where neither or both are given, or the correlator can be none.
 */
export function journeyStart({ correlator, transactionId }: JourneyArgs): JourneyStart {
  if (correlator != null && transactionId != null)
    throw invalidField('transactionId', 'CONTRADICTION', 'must not be given beside correlator')
  if (transactionId != null) return { transactionId }
  if (correlator == null) throw invalidField('correlator', 'REQUIRED', 'or transactionId must be given')
  checkReference('correlator', correlator)
  if (correlator === '') throw invalidField('correlator', 'TOO_SHORT', 'must not be empty')
  return { correlator }
}

/** Where a journey is told from: ids of transactions and requests, one more of each where there are more than it has. */
interface Found {
  readonly ids: readonly string[]
  readonly requests: readonly RequestRow[]
}

/** Requests lead to transactions too: to those that the timeline has not yet, and to those that stood in their way. */
const findByCorrelator = async (
  db: Statements,
  correlator: string,
  { listed, requests: visible }: JourneyVisibility,
): Promise<Found> => {
  const [ids, requests] = await Promise.all([
    idsByCorrelator(db, correlator, listed),
    requestsByCorrelator(db, correlator, visible),
  ])
  const posted = requests.flatMap(({ transactionId }) => transactionId ?? [])
  return { ids: [...new Set([...ids, ...posted])], requests }
}

const find = async (db: Statements, start: JourneyStart, { visible }: JourneyReader): Promise<Found> => {
  if ('correlator' in start) return findByCorrelator(db, start.correlator, visible)
  return { ids: isId(start.transactionId) ? [start.transactionId.toLowerCase()] : [], requests: [] }
}

const postedBy = (requests: readonly RequestRow[], id: string | undefined) =>
  requests.find(({ code, transactionId }) => code === null && id !== undefined && transactionId === id)

/** Reads a journey; undefined where there is nothing that the reader may see. */
export async function readJourney(
  db: Statements,
  kinds: Kinds,
  start: JourneyStart,
  reader: JourneyReader,
): Promise<JourneyView | undefined> {
  const found = await find(db, start, reader)
  const ids = found.ids.slice(0, MAX_TRANSACTIONS)
  const known = found.requests.slice(0, MAX_REQUESTS)
  const records = await readRecords(db, kinds, ids, known, reader.visible)
  const { transactions, requests, events, deliveries } = records
  if (transactions.length === 0 && requests.length === 0) return undefined
  return {
    steps: inOrder(stepsOf(kinds, records, reader.details)),
    request: postedBy(requests, transactions[0]?.id) ?? requests[0] ?? null,
    requests,
    transactions: transactions.map(({ id, kind, accountNumber, mobileNumber }) => ({
      id,
      kind,
      accountNumber,
      mobileNumber,
    })),
    events,
    deliveries: deliveries.map(({ delivery }) => delivery),
    hasMore: found.ids.length > MAX_TRANSACTIONS || found.requests.length > MAX_REQUESTS,
  }
}
