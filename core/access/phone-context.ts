/** A token bound to one phone number: what a request that names another, or none, then means. */
import { ServiceError } from '../errors/catalogue.ts'
import type { Principal } from './principal.ts'

/**
 * Holds a number that a request names against the one its token is bound to.
 * @param path where the request names it.
 * @param named digits with country code; undefined when the request names none.
 * @returns the number that applies: the named one, or else the bound one.
 * @throws ServiceError CARRIER_BILLING.INVALID_TOKEN_CONTEXT when the two differ.
 */
export function phoneInContext(
  { phoneNumber }: Principal,
  path: string,
  named: string | undefined,
): string | undefined {
  if (phoneNumber === undefined || named === undefined || named === phoneNumber) return named ?? phoneNumber
  throw new ServiceError(
    'CARRIER_BILLING.INVALID_TOKEN_CONTEXT',
    `${path} is not the phone number that the token is bound to`,
    { field: path },
  )
}
