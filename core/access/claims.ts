/** Claims of an access token: from an `Authorization` value to the principal, and the refusals on the way. */
import type { JWTPayload } from 'jose'
import type { Prisma } from '../data/db.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { toDecimal } from '../values/money.ts'
import { parsePhone } from '../values/phone.ts'
import { toStorable } from '../values/text.ts'
import { DEFAULT_CURRENCIES } from './client-input.ts'
import type { ClientRecord } from './clients.ts'
import { type Limits, type Principal, quotasOf } from './principal.ts'
import { type RoleClaim, readRole } from './role-claim.ts'

export const REALM = 'partner-graph'

/** Bearer token (RFC 6750 §2.1, `b64token`), the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i
/** Most characters of a token: more than any needs, and few enough to parse at little cost. */
const MAX_LENGTH = 8_192

/** Fault of a token, as metrics name it: `client` is one that is unknown or disabled. */
export type TokenFault = 'missing' | 'malformed' | 'expired' | 'signature' | 'audience' | 'claims' | 'client'

/** 401 for a token, with its fault. */
export class TokenRefusal extends ServiceError {
  readonly fault: TokenFault

  constructor(fault: TokenFault, message: string, options: ConstructorParameters<typeof ServiceError>[2]) {
    super('UNAUTHORIZED', message, options)
    this.fault = fault
  }
}

/** 401 without an error code, since no token was presented (RFC 6750 §3.1). */
export const missingToken = () =>
  new TokenRefusal('missing', 'An access token is required: Authorization: Bearer <token>', {
    headers: { 'www-authenticate': `Bearer realm="${REALM}"` },
  })

/** 401 `invalid_token`; `message` may hold neither quotes nor backslashes (RFC 6750 §3). */
export const invalidToken = (fault: TokenFault, message: string, cause?: unknown) =>
  new TokenRefusal(fault, message, {
    headers: {
      'www-authenticate': `Bearer realm="${REALM}", error="invalid_token", error_description="${message}"`,
    },
    cause,
  })

/** Reads the token in `Bearer <token>`. @throws ServiceError UNAUTHORIZED for none, another scheme or a malformed one. */
export function bearerToken(authorization: string | undefined): string {
  if (!authorization || !/^bearer( |$)/i.test(authorization)) throw missingToken()
  const token = authorization.length > MAX_LENGTH ? undefined : BEARER.exec(authorization)?.[1]
  if (!token) throw invalidToken('malformed', 'The access token is malformed')
  return token
}

/** The part of a principal that comes from the token. */
export type Identity = Pick<Principal, 'clientId' | 'role' | 'user' | 'phoneNumber' | 'expiresAt'>

/** Limits of a client that only an external issuer knows: enough for a kiosk, and bearable for an operator. */
const UNREGISTERED_LIMITS: Limits = {
  currencies: DEFAULT_CURRENCIES,
  maxAmount: toDecimal('1000'),
  monthlyAmount: toDecimal('5000'),
  maxPoints: toDecimal('10000'),
  monthlyPoints: toDecimal('50000'),
  dummyCards: false,
}

/** `client_id` (RFC 9068 §2.2); `azp`, `appid` (Entra, version 1) and `sub` for issuers that do not send it. */
const clientIdOf = ({ client_id, azp, appid, sub }: JWTPayload) => {
  const id = client_id ?? azp ?? appid ?? sub
  if (typeof id !== 'string' || id === '') throw invalidToken('claims', 'The access token names no client')
  return id
}

/** More characters than any issuer's subjects have (RFC 7519 §4.1.2 sets no limit). */
const MAX_USER = 256

/** The person that a token belongs to; undefined for a client's own token. */
const userOf = ({ sub }: JWTPayload, clientId: string) =>
  typeof sub === 'string' && sub !== '' && sub !== clientId
    ? toStorable(sub.slice(0, MAX_USER)).replaceAll(/\p{Cc}/gu, '\uFFFD')
    : undefined

const phoneOf = ({ phone_number }: JWTPayload, countryCode: string) => {
  if (phone_number === undefined || phone_number === null) return undefined
  try {
    return parsePhone('phone_number', String(phone_number), countryCode)
  } catch (error) {
    throw invalidToken('claims', 'The phone_number claim is not a phone number', error)
  }
}

/** Reads the claims of a token with a valid signature. @throws ServiceError UNAUTHORIZED for a missing or wrong one. */
export function identityOf(claims: JWTPayload, countryCode: string, roles: RoleClaim): Identity {
  const clientId = clientIdOf(claims)
  return {
    clientId,
    role: readRole(claims, roles, message => invalidToken('claims', message)),
    user: userOf(claims, clientId),
    phoneNumber: phoneOf(claims, countryCode),
    expiresAt: new Date(claims.exp! * 1_000),
  }
}

const limit = (value: Prisma.Decimal | null) => (value === null ? undefined : toDecimal(value.toString()))

/** The limits that a client's record sets. */
export const limitsOf = (record: ClientRecord): Limits => ({
  currencies: record.currencies,
  maxAmount: limit(record.maxAmount),
  monthlyAmount: limit(record.monthlyAmount),
  maxPoints: limit(record.maxPoints),
  monthlyPoints: limit(record.monthlyPoints),
  dummyCards: record.dummyCards,
})

/** Rights of a client by its record; computed once for each reading of it. */
type Terms = Pick<Principal, 'limits' | 'quotas'>

const UNREGISTERED: Terms = { limits: UNREGISTERED_LIMITS, quotas: quotasOf(undefined) }

const known = new WeakMap<ClientRecord, Terms>()

const termsOf = (record: ClientRecord): Terms => {
  const terms = known.get(record) ?? { limits: limitsOf(record), quotas: quotasOf(record.quotas) }
  known.set(record, terms)
  return terms
}

/**
 * Makes the principal; it is bound to the token's phone number, or else to that of its client.
 * @throws ServiceError UNAUTHORIZED for a disabled client.
 */
export function principalFrom(identity: Identity, record: ClientRecord | undefined): Principal {
  if (record?.disabledAt) throw invalidToken('client', 'The client is disabled')
  const { limits, quotas } = record ? termsOf(record) : UNREGISTERED
  const { clientId, role, user, expiresAt } = identity
  return {
    clientId,
    role,
    ...(user !== undefined && { user }),
    expiresAt,
    name: record?.name ?? clientId,
    phoneNumber: identity.phoneNumber ?? record?.phoneNumber ?? undefined,
    limits,
    quotas,
  }
}
