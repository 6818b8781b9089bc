/** The mobile number that a recharge, a reward or a redemption is for: the token's own, and in use. */

import type { Caller } from '../access/caller.ts'
import { phoneInContext } from '../access/phone-context.ts'
import type { App } from '../context/app.ts'
import type { LineRecord } from '../directory/directory.ts'
import { invalid } from '../errors/catalogue.ts'
import { parsePhone } from '../values/phone.ts'

/**
 * The number as digits with country code.
 * @throws ServiceError INVALID_ARGUMENT, or CARRIER_BILLING.INVALID_TOKEN_CONTEXT for one that is not the token's.
 */
export const numberInContext = (
  { config }: App,
  { principal }: Caller,
  path: string,
  mobileNumber: string,
): string => {
  const digits = parsePhone(path, mobileNumber, config.countryCode)
  phoneInContext(principal, digits)
  return digits
}

/** @throws ServiceError INVALID_ARGUMENT unless it is a line of this operator that is in use. */
export function requireActive(path: string, line: LineRecord | null | undefined): LineRecord {
  if (line?.active) return line
  throw invalid(`${path} is not an active mobile number of this operator`)
}

/** The line of an active mobile number. */
export const activeLine = async ({ directory }: App, path: string, digits: string): Promise<LineRecord> =>
  requireActive(path, await directory.line('phone', digits))
