/** What a role may do: the one refusal that every interface gives (docs/decisions.md, "Identity and access"). */
import { ServiceError } from '../errors/catalogue.ts'
import type { Principal, Role } from './principal.ts'

/** @throws ServiceError PERMISSION_DENIED unless the caller's role is among `roles`, naming the operation. */
export function requireRole({ role }: Principal, roles: readonly Role[], operation: string): void {
  if (roles.includes(role)) return
  throw new ServiceError('PERMISSION_DENIED', `A client of role ${role} may not call ${operation}`)
}

/**
 * A token that is bound to a number speaks for that number, not for the client's set-up or of other clients.
 * @throws ServiceError PERMISSION_DENIED for one that is bound, naming the operation.
 */
export function requireUnbound({ phoneNumber }: Principal, operation: string): void {
  if (phoneNumber === undefined) return
  throw new ServiceError(
    'PERMISSION_DENIED',
    `A token that is bound to a phone number may not call ${operation}`,
  )
}
