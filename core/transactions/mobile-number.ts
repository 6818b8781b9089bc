/** The mobile number that a recharge, a reward or a redemption is for: the token's own, and in use. */

import type { Caller } from '../access/caller.ts'
import { phoneInContext } from '../access/phone-context.ts'
import type { App } from '../context/app.ts'
import type { LineRecord } from '../directory/directory.ts'
import { invalidField, ServiceError } from '../errors/catalogue.ts'
import { parsePhone } from '../values/phone.ts'

const phoneNumberRequired = (path: string) =>
  new ServiceError(
    'CARRIER_BILLING.PHONE_NUMBER_REQUIRED',
    `${path} is required: the access token is bound to no phone number that could stand in for it`,
    { field: path },
  )

/**
 * The number as digits with country code; the token's own where the request names none.
 * @throws ServiceError INVALID_ARGUMENT, CARRIER_BILLING.INVALID_TOKEN_CONTEXT for one that is not the token's, or
 * CARRIER_BILLING.PHONE_NUMBER_REQUIRED where there is neither.
 */
export const numberInContext = (
  { config }: App,
  { principal }: Caller,
  path: string,
  mobileNumber: string | undefined,
): string => {
  const named = mobileNumber === undefined ? undefined : parsePhone(path, mobileNumber, config.countryCode)
  const digits = phoneInContext(principal, path, named)
  if (digits === undefined) throw phoneNumberRequired(path)
  return digits
}

/** @throws ServiceError INVALID_ARGUMENT unless it is a line of this operator that is in use. */
export function requireActive(path: string, line: LineRecord | null | undefined): LineRecord {
  if (line?.active) return line
  throw invalidField(path, 'INACTIVE_NUMBER', 'is not an active mobile number of this operator')
}

/** The line of an active mobile number. */
export const activeLine = async ({ directory }: App, path: string, digits: string): Promise<LineRecord> =>
  requireActive(path, await directory.line('phone', digits))
