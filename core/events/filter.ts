/** Which events someone gets: those asked for, among those the caller may see. */

import { type Caller, phoneInContext } from '../access/principal.ts'
import { visibleClient } from '../access/visibility.ts'
import { invalidField } from '../errors/catalogue.ts'
import { isId } from '../values/id.ts'
import { type Moment, withInstants } from '../values/time.ts'
import type { EventFilter } from './event.ts'

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
 * The filter for a caller: a partner's own events, and of a token that is bound to a number those of the number.
 * @param idField what the own id is called in the input, e.g. `paymentId`.
 * @throws ServiceError INVALID_ARGUMENT, or CARRIER_BILLING.INVALID_TOKEN_CONTEXT for a number that is not the token's.
 */
export function eventFilterFor(
  caller: Caller,
  idField: string,
  input: EventFilterInput | null | undefined,
): EventFilter {
  const { mobileNumber, customerAccountNumber, eventTypes, kinds } = input ?? {}
  const { from, to } = withInstants({ from: input?.from, to: input?.to })
  return {
    clientId: visibleClient(caller),
    mobileNumber: phoneInContext(caller.principal, 'filter.mobileNumber', mobileNumber?.slice(1)),
    accountNumber: customerAccountNumber ?? undefined,
    transactionId: ownId(idField, input ?? {}),
    eventTypes: eventTypes ?? undefined,
    kinds: kinds ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
  }
}
