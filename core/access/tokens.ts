/** Access tokens: issued as JWTs (RFC 9068), verified by signature and claims, once per token. */
import { hash, randomUUID } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config/config.ts'
import { showPhone } from '../values/phone.ts'
import { bearerToken, type Identity, identityOf, invalidToken, principalOf } from './claims.ts'
import type { ClientRecord, Clients } from './clients.ts'
import { SIGNING_ALGORITHM } from './key-table.ts'
import type { Keys } from './keys.ts'
import type { Principal } from './principal.ts'
import type { TrustedIssuer } from './token-issuers.ts'

type Settings = Pick<Config, 'auth' | 'tokenLifetimeSeconds'>

const claimsOf = ({ id, role, phoneNumber }: ClientRecord): JWTPayload => ({
  client_id: id,
  role,
  ...(phoneNumber && { phone_number: showPhone(phoneNumber) }),
})

/** Makes the function that gives a client a token of `TOKEN_LIFETIME_SECONDS`. */
export const createIssue =
  ({ auth, tokenLifetimeSeconds }: Settings, keys: Keys, now: () => number = Date.now) =>
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

/** Tokens may have 8 KiB, and an identity a name as long: the bound is in bytes. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024
/** What an entry takes beside its texts. */
const ENTRY_BYTES = 512

const bytesOf = ({ identity }: Known) => ENTRY_BYTES + 2 * identity.clientId.length

/** How nearly everybody writes it; another case or more spaces mean the same. */
const USUAL = 'Bearer '

/** In place of the token itself: short, and no memory dump shows a token. */
const digestOf = (token: string) => hash('sha256', token, 'base64url')

interface Known {
  readonly until: number
  readonly identity: Identity
}

/** After which a token is verified anew, so that those of a withdrawn key end. */
const FRESH_MS = 300_000

/** How `jose` and Web Crypto tell of a key that is too short, or is not of its algorithm's kind. */
const isUnusableKey = (error: unknown): boolean => error instanceof TypeError || error instanceof DOMException

const refusal = (error: unknown) => {
  if (error instanceof errors.JWTExpired) return invalidToken('The access token has expired', error)
  if (error instanceof errors.JWTClaimValidationFailed)
    return invalidToken(`The access token is not for this service: its ${error.claim} is not accepted`, error)
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return invalidToken('The access token is not signed with a key of its issuer', error)
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalidToken('The access token is signed with an algorithm that is not accepted', error)
  if (error instanceof errors.JOSEError) return invalidToken('The access token is malformed', error)
  return isUnusableKey(error)
    ? invalidToken(
        'The access token is signed with a key that is not accepted (RSA has 2048 bits or more)',
        error,
      )
    : error
}

const check = ({ key, options }: TrustedIssuer, token: string, now: number) =>
  jwtVerify(token, key, { ...options, currentDate: new Date(now) }).catch(error => {
    throw refusal(error)
  })

/** Verifies each token once: a signature costs a hundred times as much as finding it in a map. */
const createIdentify = (issuer: TrustedIssuer, countryCode: string, now: () => number) => {
  const known = new LRUCache<string, Known>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: bytesOf })
  const find = (token: string) => {
    const found = known.get(digestOf(token))
    return found && found.until > now() ? found.identity : undefined
  }
  const verify = async (token: string) => {
    const { payload } = await check(issuer, token, now())
    const identity = identityOf(payload, countryCode)
    const until = Math.min(identity.expiresAt.getTime(), now() + FRESH_MS)
    known.set(digestOf(token), { until, identity })
    return identity
  }
  return {
    /** What is known has been read before: only what is not is looked at letter by letter. */
    known: (authorization: string | undefined): Identity | undefined =>
      authorization?.startsWith(USUAL) ? find(authorization.slice(USUAL.length)) : undefined,
    async identify(authorization: string | undefined): Promise<Identity> {
      const token = bearerToken(authorization)
      return find(token) ?? verify(token)
    },
  }
}

/** How a token is verified that is not known yet: `work` does it. */
export type AdmitNew = (work: () => Promise<Principal>) => Promise<Principal>

/**
 * Who presents this `Authorization` value (`Bearer <token>`). Missing, malformed, expired, not signed by the
 * issuer, not for this audience, or of a disabled client: ServiceError UNAUTHORIZED with `www-authenticate`
 * (RFC 6750 §3). Keys or clients out of reach: SERVICE_UNAVAILABLE.
 * @param admitNew is handed the work for a token that this process does not know yet, or that is missing.
 */
export type Verify = (authorization: string | undefined, admitNew?: AdmitNew) => Promise<Principal>

export interface VerifierOptions {
  issuer: TrustedIssuer
  clients: Pick<Clients, 'find'>
  countryCode: string
  now?: () => number
}

/** Makes the verification; what a client may do is looked up each time, so that changes work at once. */
export function createVerifier({ issuer, clients, countryCode, now = Date.now }: VerifierOptions): Verify {
  const { known, identify } = createIdentify(issuer, countryCode, now)
  const toPrincipal = async (identity: Identity) => {
    const record = await clients.find(identity.clientId)
    if (!record && issuer.knownClientsOnly) throw invalidToken('The client is not known')
    return principalOf(identity, record)
  }
  return async (authorization, admitNew = work => work()) => {
    const identity = known(authorization)
    if (identity) return toPrincipal(identity)
    return admitNew(async () => toPrincipal(await identify(authorization)))
  }
}
