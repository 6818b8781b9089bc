/** Outside identity providers, whose tokens are trusted by the keys that they publish. */
import { createRemoteJWKSet, errors, type FlattenedJWSInput, type JWTVerifyGetKey } from 'jose'
import type { Config } from '../config/config.ts'
import type { OutsideIssuer } from '../config/sections.ts'
import { SetupError, unavailable } from '../errors/catalogue.ts'
import { ROLES, type Role } from './principal.ts'
import { ASYMMETRIC_ALGORITHMS } from './public-keys.ts'
import type { TrustedIssuer } from './tokens.ts'

const FETCH_TIMEOUT_MS = 2_000
/** Difference of the clocks of two machines that is tolerated. */
const CLOCK_TOLERANCE_SECONDS = 5

/** Whether an error is the token's fault, for good; any other error is the provider's, and may pass. */
const isTokensFault = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported

const remoteKey = (address: string): JWTVerifyGetKey => {
  const find = createRemoteJWKSet(new URL(address), { timeoutDuration: FETCH_TIMEOUT_MS })
  return (header, token) =>
    find(header, token).catch(error => {
      throw isTokensFault(error)
        ? error
        : unavailable('The keys of the token issuer cannot be read', { cause: error })
    })
}

/** Claim that names the issuer, before anything is verified: it only chooses the keys. */
const issuerNamedIn = ({ payload }: FlattenedJWSInput): unknown => {
  try {
    return JSON.parse(Buffer.from(String(payload), 'base64url').toString()).iss
  } catch {
    return undefined
  }
}

/** Finds keys by the issuer that a token names, so that none of several signs for another. */
const keysOf = (issuers: readonly OutsideIssuer[]): JWTVerifyGetKey => {
  const keys = new Map(issuers.map(({ issuer, jwksUrl }) => [issuer, remoteKey(jwksUrl)]))
  return (header, token) => {
    const find = keys.get(String(issuerNamedIn(token)))
    if (find) return find(header, token)
    throw new errors.JWTClaimValidationFailed('unexpected "iss" claim value', {}, 'iss', 'check_failed')
  }
}

/** @throws SetupError for a role that is none. */
const roleMapOf = (map: ReadonlyMap<string, string> | undefined): ReadonlyMap<string, Role> | undefined =>
  map &&
  new Map(
    [...map].map(([word, name]) => {
      const role = ROLES.find(one => one === name)
      if (role) return [word, role]
      throw new SetupError(`AUTH_ROLE_MAP must name roles, ${ROLES.join(', ')}: ${name} is none`)
    }),
  )

/** Trusts the keys at `AUTH_JWKS_URL`. `typ` is not required: many providers send none; the audience protects. */
export const externalIssuer = ({
  issuers,
  audience,
  registeredOnly,
  roleClaim,
  roleMap,
}: Config['auth']): TrustedIssuer => ({
  roles: { path: roleClaim, map: roleMapOf(roleMap) },
  key: keysOf(issuers),
  options: {
    issuer: issuers.map(({ issuer }) => issuer),
    audience: audience.split(',').map(one => one.trim()),
    algorithms: [...ASYMMETRIC_ALGORITHMS],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp'],
  },
  knownClientsOnly: registeredOnly,
})
