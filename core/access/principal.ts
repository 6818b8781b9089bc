/** Who is calling: what a verified token says, with the limits of the client it belongs to. */
import type { Decimal } from '../values/decimal.ts'
import type { Quotas } from './quotas.ts'

/** A client has exactly one role; what each may do stands in docs/decisions.md, "Identity and access". */
export type Role = 'partner' | 'portal' | 'analyst'

export const ROLES: readonly Role[] = ['partner', 'portal', 'analyst']

/** Those who see what every client posted. */
export const READERS: readonly Role[] = ['portal', 'analyst']

/** What a client may post; an absent limit does not bind. */
export interface Limits {
  readonly currencies: readonly string[]
  readonly maxAmount?: Decimal
  readonly monthlyAmount?: Decimal
  readonly maxPoints?: Decimal
  readonly monthlyPoints?: Decimal
  /** "Dummy card values agreed": card numbers need not pass the Luhn check. */
  readonly dummyCards: boolean
}

export interface Principal {
  readonly clientId: string
  readonly name: string
  readonly role: Role
  /** The one phone number the token is bound to (claim `phone_number`), as digits with country code. */
  readonly phoneNumber?: string
  readonly limits: Limits
  /** What it may use of this process. */
  readonly quotas: Quotas
  /** When the token ends. */
  readonly expiresAt: Date
}
