/** A token bound to one phone number: what a request that names another, or none, then means. */
import { ServiceError } from '../errors/catalogue.ts'
import type { Principal } from './principal.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fills in the bound number where the body should name one and does not; groups that are missing stay missing. */
export function fillPhoneNumber({ phoneNumber }: Principal, body: unknown, path: readonly string[]): void {
  if (phoneNumber === undefined) return
  const group = path
    .slice(0, -1)
    .reduce<unknown>((node, name) => (isFields(node) ? node[name] : undefined), body)
  const name = path.at(-1)!
  if (isFields(group) && group[name] === undefined) group[name] = phoneNumber
}

/**
 * Holds a number that a request names against the one its token is bound to.
 * @param named digits with country code; undefined when the request names none.
 * @returns the number that applies: the named one, or else the bound one.
 * @throws ServiceError CARRIER_BILLING.INVALID_TOKEN_CONTEXT when the two differ.
 */
export function phoneInContext({ phoneNumber }: Principal, named: string | undefined): string | undefined {
  if (phoneNumber === undefined || named === undefined || named === phoneNumber) return named ?? phoneNumber
  throw new ServiceError(
    'CARRIER_BILLING.INVALID_TOKEN_CONTEXT',
    'The phone number of the request is not the one the token is bound to',
  )
}
