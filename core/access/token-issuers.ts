/** The token issuer that is trusted: the built-in one, or the outside one that is configured. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose'
import type { Config } from '../config/config.ts'
import { unavailable } from '../errors/catalogue.ts'
import { SIGNING_ALGORITHM } from './key-table.ts'
import type { Keys } from './keys.ts'

export interface TrustedIssuer {
  readonly key: JWTVerifyGetKey
  readonly options: JWTVerifyOptions
  /** Whether a token of a client without a record is refused; the built-in issuer knows its clients. */
  readonly knownClientsOnly: boolean
}

/** Asymmetric ones alone: with a shared-secret algorithm, the public key would do as the secret. */
const OUTSIDE_ALGORITHMS = 'ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512'.split(' ')
const FETCH_TIMEOUT_MS = 2_000
/** Two machines' clocks are never quite the same. */
const CLOCK_TOLERANCE_SECONDS = 5

/** Trusts the own keys, and tokens marked as access tokens (RFC 9068 §4). */
export const builtInIssuer = ({ auth }: Pick<Config, 'auth'>, keys: Keys): TrustedIssuer => ({
  key: keys.verificationKey,
  options: {
    issuer: auth.issuer,
    audience: auth.audience,
    algorithms: [SIGNING_ALGORITHM],
    typ: 'at+jwt',
    requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id'],
  },
  knownClientsOnly: true,
})

/** What is wrong with the token stays so; anything else is the provider's trouble, and another try may help. */
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

/** Trusts the keys at `AUTH_JWKS_URL`. `typ` is not asked for: many providers send none; the audience protects. */
export const outsideIssuer = (
  { issuer, audience, registeredOnly }: Config['auth'],
  jwksUrl: string,
): TrustedIssuer => ({
  key: remoteKey(jwksUrl),
  options: {
    issuer,
    audience,
    algorithms: OUTSIDE_ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp'],
  },
  knownClientsOnly: registeredOnly,
})
