/** What a verified token says, and the caller it makes together with the client's record. */
import type { JWTPayload } from 'jose'
import { toDecimal } from '../values/decimal.ts'
import { parsePhone } from '../values/phone.ts'
import { invalidToken } from './bearer.ts'
import { DEFAULT_CURRENCIES } from './client-input.ts'
import { type ClientRecord, limitsOf } from './clients.ts'
import { type Limits, type Principal, ROLES, type Role } from './principal.ts'
import { quotasOf } from './quotas.ts'

/** The part of a principal that stands in the token. */
export type Identity = Pick<Principal, 'clientId' | 'role' | 'phoneNumber' | 'expiresAt'>

/** For a client that only an outside issuer knows: what a kiosk may need, and no more than an operator can bear. */
const UNREGISTERED_LIMITS: Limits = {
  currencies: DEFAULT_CURRENCIES,
  maxAmount: toDecimal('1000'),
  monthlyAmount: toDecimal('5000'),
  maxPoints: toDecimal('10000'),
  monthlyPoints: toDecimal('50000'),
  dummyCards: false,
}

/** `client_id` (RFC 9068 §2.2); `azp` and `sub` for issuers that do not send it. */
const clientIdOf = ({ client_id, azp, sub }: JWTPayload) => {
  const id = client_id ?? azp ?? sub
  if (typeof id !== 'string' || id === '') throw invalidToken('The access token names no client')
  return id
}

const roleOf = ({ role }: JWTPayload) => {
  if (!ROLES.includes(role as Role)) throw invalidToken(`The role claim must be one of ${ROLES.join(', ')}`)
  return role as Role
}

const phoneOf = ({ phone_number }: JWTPayload, countryCode: string) => {
  if (phone_number === undefined || phone_number === null) return undefined
  try {
    return parsePhone('phone_number', String(phone_number), countryCode)
  } catch (error) {
    throw invalidToken('The phone_number claim is not a phone number', error)
  }
}

/** Reads the claims of a token whose signature holds. One that is missing or wrong: 401. */
export const identityOf = (claims: JWTPayload, countryCode: string): Identity => ({
  clientId: clientIdOf(claims),
  role: roleOf(claims),
  phoneNumber: phoneOf(claims, countryCode),
  expiresAt: new Date(claims.exp! * 1_000),
})

/** The caller. The token's phone number, else the one its client is bound to, binds. Disabled: 401. */
export function principalOf(identity: Identity, record: ClientRecord | undefined): Principal {
  if (record?.disabledAt) throw invalidToken('The client is disabled')
  return {
    ...identity,
    name: record?.name ?? identity.clientId,
    phoneNumber: identity.phoneNumber ?? record?.phoneNumber ?? undefined,
    limits: record ? limitsOf(record) : UNREGISTERED_LIMITS,
    quotas: quotasOf(record?.quotas),
  }
}
