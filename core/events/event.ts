/** An event as it is read from the log, and the filters of events: in memory, in the database, and of a caller. */
import { type Caller, phoneInContext } from '../access/principal.ts'
import { visibleClient } from '../access/visibility.ts'
import { Prisma } from '../data/db.ts'
import { invalidField } from '../errors/catalogue.ts'
import { isId } from '../values/id.ts'
import { checkReference } from '../values/text.ts'
import { type Moment, withInstants, withinCalendar } from '../values/time.ts'
import { TRANSACTION_EVENT_TYPES } from './account.ts'
import type { NewEvent } from './append.ts'

/** A row of the event log; `position` is dense and in commit order. Phone numbers are digits with country code. */
export interface EventRow extends NewEvent {
  readonly position: bigint
  /** Further members of its `eventDetail`, of an event of the account. */
  readonly detail?: object | null
}

/** The part of an event by which its delivery is linked to the request that posted the transaction. */
export type EventOrigin = Pick<EventRow, 'eventid' | 'transactionId' | 'trace'>

/** The extension of a result by which a subgraph tells the gateway in another process of the event's origin. */
export const EVENT_ORIGIN = 'partnerGraphEvent'

/** The columns of the event log, under the names of `EventRow`. */
export const EVENT_COLUMNS = Prisma.raw(`
  e.position, e.eventid, e.kind, e.event_type AS "eventType", e.event_time AS "eventTime",
  e.transaction_id AS "transactionId", e.operation_status AS "operationStatus", e.status, e.description,
  e.client_correlator_id AS "clientCorrelatorId", e.payment_date AS "paymentDate", e.client_id AS "clientId",
  e.account_number AS "accountNumber", e.mobile_number AS "mobileNumber", e.trace, e.detail`)

/** The bytes of a row beside its texts: ids, dates and the object itself. */
const ROW_BYTES = 512

/**
 * Approximate size of an event in memory, in bytes: two for each character of the texts that a client or a system
 * wrote.
 */
export const sizeOfEvent = ({ description, clientCorrelatorId, accountNumber, clientId }: EventRow): number =>
  ROW_BYTES +
  2 *
    (description.length + clientId.length + (clientCorrelatorId?.length ?? 0) + (accountNumber?.length ?? 0))

/** A filter of events; all conditions that it has must hold. Those of the caller's own events are among them. */
export interface EventFilter {
  readonly clientId?: string
  readonly mobileNumber?: string
  readonly accountNumber?: string
  readonly transactionId?: string
  /** Start of the transaction's correlator, followed by nothing but a number. */
  readonly numberedAfter?: string
  readonly kinds?: readonly string[]
  readonly eventTypes?: readonly string[]
  /** Earliest time of the event; both ends are inclusive. */
  readonly from?: Date
  readonly to?: Date
}

type Single = 'clientId' | 'mobileNumber' | 'accountNumber' | 'transactionId'

const SINGLE: Record<Single, Prisma.Sql> = {
  clientId: Prisma.raw('e.client_id'),
  mobileNumber: Prisma.raw('e.mobile_number'),
  accountNumber: Prisma.raw('e.account_number'),
  transactionId: Prisma.raw('e.transaction_id'),
}

const singles = (filter: EventFilter) =>
  (Object.keys(SINGLE) as Single[]).filter(name => filter[name] !== undefined)

const isWithin = (instant: Date, { from, to }: EventFilter) =>
  (from === undefined || instant >= from) && (to === undefined || instant <= to)

const isNumberedAfter = (correlator: string | null, prefix: string) =>
  correlator?.startsWith(prefix) === true && /^\d+$/.test(correlator.slice(prefix.length))

/** Makes the filter for events in memory, with the same conditions as `eventConditions`. */
export const eventMatcher = (filter: EventFilter): ((event: EventRow) => boolean) => {
  const names = singles(filter)
  const { kinds, eventTypes, numberedAfter } = filter
  return event =>
    names.every(name => event[name] === filter[name]) &&
    (numberedAfter === undefined || isNumberedAfter(event.clientCorrelatorId, numberedAfter)) &&
    (kinds === undefined || kinds.includes(event.kind)) &&
    (eventTypes === undefined || eventTypes.includes(event.eventType)) &&
    isWithin(event.eventTime, filter)
}

/** Makes the filter for events in the database. */
export const eventConditions = (filter: EventFilter): Prisma.Sql => {
  const { kinds, eventTypes, numberedAfter, from, to } = filter
  const conditions = singles(filter).map(name =>
    name === 'transactionId'
      ? Prisma.sql`${SINGLE[name]} = ${filter[name]}::uuid`
      : Prisma.sql`${SINGLE[name]} = ${filter[name]}`,
  )
  if (numberedAfter !== undefined)
    conditions.push(
      Prisma.sql`starts_with(e.client_correlator_id, ${numberedAfter}::text)
        AND substr(e.client_correlator_id, length(${numberedAfter}::text) + 1) ~ '^[0-9]+$'`,
    )
  if (kinds !== undefined) conditions.push(Prisma.sql`e.kind = ANY (${kinds}::text[])`)
  if (eventTypes !== undefined) conditions.push(Prisma.sql`e.event_type = ANY (${eventTypes}::text[])`)
  if (from !== undefined) conditions.push(Prisma.sql`e.event_time >= ${withinCalendar(from)}::timestamptz`)
  if (to !== undefined) conditions.push(Prisma.sql`e.event_time <= ${withinCalendar(to)}::timestamptz`)
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join(conditions, ' AND ')
}

/** The graph's filters of events; the own id has another name in each. */
export interface EventFilterInput {
  readonly mobileNumber?: string | null
  readonly customerAccountNumber?: string | null
  readonly eventTypes?: readonly string[] | null
  readonly kinds?: readonly string[] | null
  readonly from?: Moment | null
  readonly to?: Moment | null
  readonly [ownId: string]: unknown
}

const ownId = (idField: string, input: EventFilterInput): string | undefined => {
  const id = input[idField] ?? undefined
  if (id === undefined) return undefined
  if (!isId(String(id)))
    throw invalidField(`filter.${idField}`, 'BAD_FORMAT', 'must be an id that a create returned')
  return String(id).toLowerCase()
}

/**
 * The filter for a caller: a partner's own events, and with a token that is bound to a number the events of that number.
 * @param idField the name of the own id in the input, e.g. `paymentId`.
 * @throws ServiceError INVALID_ARGUMENT, or CARRIER_BILLING.INVALID_TOKEN_CONTEXT for a number that is not the token's.
 */
export function eventFilterFor(
  caller: Caller,
  idField: string,
  input: EventFilterInput | null | undefined,
): EventFilter {
  const { mobileNumber, customerAccountNumber, eventTypes, kinds } = input ?? {}
  if (customerAccountNumber != null) checkReference('filter.customerAccountNumber', customerAccountNumber)
  const { from, to } = withInstants({ from: input?.from, to: input?.to })
  return {
    clientId: visibleClient(caller),
    mobileNumber: phoneInContext(caller.principal, 'filter.mobileNumber', mobileNumber?.slice(1)),
    accountNumber: customerAccountNumber ?? undefined,
    transactionId: ownId(idField, input ?? {}),
    // Events of accounts concern no transaction, and are read elsewhere.
    eventTypes: eventTypes ?? (kinds == null ? TRANSACTION_EVENT_TYPES : undefined),
    kinds: kinds ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
  }
}
