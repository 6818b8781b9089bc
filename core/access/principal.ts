/** Principals and callers: the verified client of a request, its role, and the phone number that its token is bound to. */
import { ServiceError } from '../errors/catalogue.ts'
import type { Decimal } from '../values/money.ts'
import type { Quotas } from './quotas.ts'

/** A client has exactly one role; docs/decisions.md, "Identity and access", says what each may do. */
export type Role = 'partner' | 'portal' | 'analyst'

export const ROLES: readonly Role[] = ['partner', 'portal', 'analyst']

/** Roles that see the transactions of every client. */
export const READERS: readonly Role[] = ['portal', 'analyst']

/** Limits on transactions that a client posts; an absent one does not bind. */
export interface Limits {
  readonly currencies: readonly string[]
  readonly maxAmount?: Decimal
  readonly monthlyAmount?: Decimal
  readonly maxPoints?: Decimal
  readonly monthlyPoints?: Decimal
  /** "Dummy card values agreed": card numbers need not pass the Luhn check. */
  readonly dummyCards: boolean
}

/** Identity of a client by its verified token, with its limits. */
export interface Principal {
  readonly clientId: string
  readonly name: string
  readonly role: Role
  /** The one phone number the token is bound to (claim `phone_number`), as digits with country code. */
  readonly phoneNumber?: string
  readonly limits: Limits
  /** Limits on its use of this process. */
  readonly quotas: Quotas
  /** End of the token. */
  readonly expiresAt: Date
}

/** One request as a service sees it. */
export interface Caller {
  readonly principal: Principal
  /** `x-correlator`: the request's own, or a new one. */
  readonly correlator: string
  /** Aborted when the request's time is up; a change that is not committed by then must not be. */
  readonly signal: AbortSignal
}

/** @throws ServiceError PERMISSION_DENIED unless the caller's role is among `roles`, naming the operation. */
export function requireRole({ role }: Principal, roles: readonly Role[], operation: string): void {
  if (roles.includes(role)) return
  throw new ServiceError('PERMISSION_DENIED', `A client of role ${role} may not call ${operation}`)
}

/**
 * Refuses a token that is bound to a number: it speaks for that number, not for its client or for other clients.
 * @throws ServiceError PERMISSION_DENIED, naming the operation.
 */
export function requireUnbound({ phoneNumber }: Principal, operation: string): void {
  if (phoneNumber === undefined) return
  throw new ServiceError(
    'PERMISSION_DENIED',
    `A token that is bound to a phone number may not call ${operation}`,
  )
}

/**
 * Compares the number that a request names with the one that its token is bound to.
 * @param path of the number in the request.
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
