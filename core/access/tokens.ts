/** Access tokens: JWTs (RFC 9068). Each is verified once, by its signature and claims, and then looked up. */
import { hash, randomUUID } from 'node:crypto'
import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config/config.ts'
import { showPhone } from '../values/phone.ts'
import {
  bearerToken,
  type Identity,
  identityOf,
  invalidToken,
  principalFrom,
  type TokenFault,
  TokenRefusal,
} from './claims.ts'
import type { ClientRecord, Clients } from './clients.ts'
import type { Principal } from './principal.ts'
import { OWN_ROLE_CLAIM, type RoleClaim } from './role-claim.ts'
import { type Keys, SIGNING_ALGORITHM } from './signing-keys.ts'

/** The token issuer that is trusted: the built-in one, or the external one that is configured. */
export interface TrustedIssuer {
  /** Place and meaning of roles in its tokens. */
  readonly roles: RoleClaim
  readonly key: JWTVerifyGetKey
  readonly options: JWTVerifyOptions
  /** Whether a token of a client without a record is refused; the built-in issuer knows its clients. */
  readonly knownClientsOnly: boolean
}

/** Trusts its own keys, and tokens marked as access tokens (RFC 9068 §4). */
export const builtInIssuer = ({ auth }: Pick<Config, 'auth'>, keys: Keys): TrustedIssuer => ({
  key: keys.verificationKey,
  options: {
    issuer: auth.issuer,
    audience: auth.audience,
    algorithms: [SIGNING_ALGORITHM],
    typ: 'at+jwt',
    requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id'],
  },
  roles: OWN_ROLE_CLAIM,
  knownClientsOnly: true,
})

const claimsOf = ({ id, role, phoneNumber }: ClientRecord): JWTPayload => ({
  client_id: id,
  role,
  ...(phoneNumber && { phone_number: showPhone(phoneNumber) }),
})

/** Makes the function that issues a client's token, valid for `TOKEN_LIFETIME_SECONDS`. */
export const createIssue =
  (
    { auth, tokenLifetimeSeconds }: Pick<Config, 'auth' | 'tokenLifetimeSeconds'>,
    keys: Keys,
    now: () => number = Date.now,
  ) =>
  async (client: ClientRecord): Promise<string> => {
    const { kid, key } = await keys.signingKey()
    const issuedAt = Math.floor(now() / 1_000)
    return new SignJWT(claimsOf(client))
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid })
      .setIssuer(auth.issuer)
      .setAudience(auth.audience)
      .setSubject(client.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + tokenLifetimeSeconds)
      .setJti(randomUUID())
      .sign(key)
  }

/** Most bytes of kept identities. A token may have 8 KiB, and the name in it nearly as many. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024
/** Bytes of an entry without its texts. */
const ENTRY_BYTES = 512

const bytesOf = ({ identity: { clientId, user = '' } }: KnownToken) =>
  ENTRY_BYTES + 2 * (clientId.length + user.length)

/** Usual form of the scheme. Other forms (another case, more spaces) take the slower way. */
const USUAL_SCHEME = 'Bearer '

/** Makes the key of a kept token: it is short, and no memory dump shows the token itself. */
const digestOf = (token: string) => hash('sha256', token, 'base64url')

interface KnownToken {
  readonly until: number
  readonly identity: Identity
}

/** Time in milliseconds after which a token is verified again, so that tokens of a withdrawn key end. */
const FRESH_MS = 300_000

/** Tells whether `jose` or Web Crypto rejected a key that is too short, or not of its algorithm's kind. */
const isUnusableKey = (error: unknown): boolean => error instanceof TypeError || error instanceof DOMException

const refusal = (error: unknown) => {
  if (error instanceof errors.JWTExpired)
    return invalidToken('expired', 'The access token has expired', error)
  if (error instanceof errors.JWTClaimValidationFailed)
    return invalidToken(
      'audience',
      `The access token is not for this service: its ${error.claim} is not accepted`,
      error,
    )
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return invalidToken('signature', 'The access token is not signed with a key of its issuer', error)
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalidToken(
      'signature',
      'The access token is signed with an algorithm that is not accepted',
      error,
    )
  if (error instanceof errors.JOSEError)
    return invalidToken('malformed', 'The access token is malformed', error)
  return isUnusableKey(error)
    ? invalidToken(
        'signature',
        'The access token is signed with a key that is not accepted (RSA has 2048 bits or more)',
        error,
      )
    : error
}

const check = ({ key, options }: TrustedIssuer, token: string, now: number) =>
  jwtVerify(token, key, { ...options, currentDate: new Date(now) }).catch(error => {
    throw refusal(error)
  })

/** Identifies tokens. Each is verified once, since a signature costs a hundred times as much as a look-up. */
const createIdentify = (issuer: TrustedIssuer, countryCode: string, now: () => number) => {
  const known = new LRUCache<string, KnownToken>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: bytesOf })
  const find = (token: string) => {
    const found = known.get(digestOf(token))
    return found && found.until > now() ? found.identity : undefined
  }
  const verify = async (token: string) => {
    const { payload } = await check(issuer, token, now())
    const identity = identityOf(payload, countryCode, issuer.roles)
    const until = Math.min(identity.expiresAt.getTime(), now() + FRESH_MS)
    known.set(digestOf(token), { until, identity })
    return identity
  }
  return {
    /** Looks up a known token without parsing the header. */
    known: (authorization: string | undefined): Identity | undefined =>
      authorization?.startsWith(USUAL_SCHEME) ? find(authorization.slice(USUAL_SCHEME.length)) : undefined,
    async identify(authorization: string | undefined): Promise<Identity> {
      const token = bearerToken(authorization)
      return find(token) ?? verify(token)
    },
  }
}

/** Runs the verification of a token that is not known yet, where that is admitted. */
type AdmitNew = (work: () => Promise<Principal>) => Promise<Principal>

/**
 * Finds the client of an `Authorization` value (`Bearer <token>`).
 * @param admitNew runs the verification of a token that this process does not know yet, or that is missing.
 * @throws ServiceError UNAUTHORIZED with `www-authenticate` (RFC 6750 §3) for a token that is missing, malformed, expired,
 * not signed by the issuer, not for this audience, or of a disabled client; SERVICE_UNAVAILABLE without keys or clients.
 */
export type Verify = (authorization: string | undefined, admitNew?: AdmitNew) => Promise<Principal>

interface VerifierOptions {
  issuer: TrustedIssuer
  clients: Pick<Clients, 'find'>
  countryCode: string
  /** Called with the fault of each token that is refused. */
  onRefused?: (fault: TokenFault) => void
  now?: () => number
}

/** Makes the verification. The rights of a client are looked up each time, so that changes take effect at once. */
export function createVerifier(options: VerifierOptions): Verify {
  const { issuer, clients, countryCode, onRefused, now = Date.now } = options
  const { known, identify } = createIdentify(issuer, countryCode, now)
  /** Principal of each token's last request, and the record that it was made from. */
  const made = new WeakMap<
    Identity,
    { readonly record: ClientRecord | undefined; readonly principal: Principal }
  >()
  const toPrincipal = async (identity: Identity) => {
    const record = await clients.find(identity.clientId)
    if (!record && issuer.knownClientsOnly) throw invalidToken('client', 'The client is not known')
    const last = made.get(identity)
    if (last && last.record === record) return last.principal
    const principal = principalFrom(identity, record)
    made.set(identity, { record, principal })
    return principal
  }
  return async (authorization, admitNew = work => work()) => {
    try {
      const identity = known(authorization)
      if (identity) return await toPrincipal(identity)
      return await admitNew(async () => toPrincipal(await identify(authorization)))
    } catch (error) {
      if (error instanceof TokenRefusal) onRefused?.(error.fault)
      throw error
    }
  }
}
