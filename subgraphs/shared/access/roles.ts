/** What a role may do: the one refusal that every interface gives (docs/decisions.md, "Identity and access"). */
import { ServiceError } from '../errors/catalogue.ts'
import type { Principal, Role } from './principal.ts'

/** @throws ServiceError PERMISSION_DENIED unless the caller's role is among `roles`, naming the operation. */
export function requireRole({ role }: Principal, roles: readonly Role[], operation: string): void {
  if (roles.includes(role)) return
  throw new ServiceError('PERMISSION_DENIED', `A client of role ${role} may not call ${operation}`)
}
