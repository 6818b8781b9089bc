/** What a connection can be narrowed to, as conditions on the table. */
import { visibleTo } from '../access/visible-to.ts'
import { Prisma } from '../data/db.ts'
import { checkReference } from '../values/text.ts'
import { withinCalendar } from '../values/time.ts'
import { type Outcome, statusesOf, type TransactionKind } from './kind.ts'

/** The graph's `TransactionFilter`; numbers are digits with country code, times are inclusive. */
export interface TransactionFilter {
  readonly mobileNumber?: string | null
  readonly customerAccountNumber?: string | null
  readonly clientCorrelatorId?: string | null
  readonly referenceCode?: string | null
  readonly clientId?: string | null
  readonly outcomes?: readonly Outcome[] | null
  readonly from?: Date | null
  readonly to?: Date | null
}

interface Filtered {
  readonly kind: TransactionKind
  readonly clientId: string | undefined
  readonly filter: TransactionFilter
}

/** Digits as the tables hold them: the graph's phone numbers carry a plus. */
const digits = (number: string) => number.replace(/^\+/, '')

const REFERENCES = ['customerAccountNumber', 'clientCorrelatorId', 'referenceCode', 'clientId'] as const

const checkReferences = (filter: TransactionFilter) => {
  for (const name of REFERENCES) if (filter[name] != null) checkReference(`filter.${name}`, filter[name])
}

/**
 * The conditions, joined by AND: first who may see, then what is asked for.
 * @throws ServiceError INVALID_ARGUMENT naming a text that is longer than any reference, or in no database.
 */
export function conditionsOf({ kind, clientId, filter }: Filtered): Prisma.Sql {
  checkReferences(filter)
  const { mobileNumber, customerAccountNumber, clientCorrelatorId, referenceCode, outcomes, from, to } =
    filter
  const conditions = [
    visibleTo({ clientId }, 't'),
    visibleTo({ clientId: filter.clientId ?? undefined }, 't'),
  ]
  if (mobileNumber != null) conditions.push(Prisma.sql`t.mobile_number = ${digits(mobileNumber)}`)
  if (customerAccountNumber != null) conditions.push(Prisma.sql`t.account_number = ${customerAccountNumber}`)
  if (clientCorrelatorId != null) conditions.push(Prisma.sql`t.client_correlator_id = ${clientCorrelatorId}`)
  if (referenceCode != null) conditions.push(Prisma.sql`t.reference_code = ${referenceCode}`)
  if (outcomes != null) conditions.push(Prisma.sql`t.status = ANY (${statusesOf(kind, outcomes)}::text[])`)
  if (from != null) conditions.push(Prisma.sql`t.created_at >= ${withinCalendar(from)}::timestamptz`)
  if (to != null) conditions.push(Prisma.sql`t.created_at <= ${withinCalendar(to)}::timestamptz`)
  return Prisma.join(conditions, ' AND ')
}
