/**
 * Who may see what; decided here alone (docs/decisions.md, "Who sees what"). What a caller may see of transactions is a
 * condition on their rows; of subscribers and customers it is decided where the entity is made (`graph/entities.ts`).
 */
import { ServiceError } from '../errors/catalogue.ts'
import type { Principal } from './principal.ts'

/** Whose transactions may be seen; what is given must all hold. */
export interface VisibleRows {
  /** The client that posted them. */
  readonly clientId?: string
  /** The number that they concern, as digits with country code. */
  readonly mobileNumber?: string
}

type Bound = Pick<Principal, 'phoneNumber'>

/** A partner sees what it posted; others see everything, or with a token bound to a number what concerns that number. */
export const visibleRows = ({
  role,
  clientId,
  phoneNumber,
}: Pick<Principal, 'role' | 'clientId' | 'phoneNumber'>): VisibleRows =>
  role === 'partner' ? { clientId } : { mobileNumber: phoneNumber }

/** Whether a row is one of those. */
export const isVisibleRow = (
  rows: VisibleRows,
  row: { readonly clientId: string; readonly mobileNumber: string | null },
): boolean =>
  (rows.clientId ?? row.clientId) === row.clientId &&
  (rows.mobileNumber ?? row.mobileNumber) === row.mobileNumber

/** A token that is bound to a number sees no other subscriber, whether there is one or not. */
export const maySeeSubscriber = ({ phoneNumber }: Bound, number: string): boolean =>
  phoneNumber === undefined || phoneNumber === number

/**
 * A token that is bound to a number sees the account of that number alone.
 * @param ownAccount the account that the bound number is a line of; undefined when it is a line of none.
 */
export const maySeeCustomer = (
  { phoneNumber }: Bound,
  accountNumber: string,
  ownAccount: string | undefined,
): boolean => phoneNumber === undefined || accountNumber === ownAccount

/** What a bound token names and may not see; the same whether it is there or not. */
export const foreignAccount = (path: string) =>
  new ServiceError(
    'CARRIER_BILLING.INVALID_TOKEN_CONTEXT',
    `${path} is not the account of the number that the token is bound to`,
    { field: path },
  )
