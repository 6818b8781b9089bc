/** Public keys (RFC 7517) by which clients authenticate: asymmetric ones of sufficient strength, without private halves. */
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK } from 'jose'

/**
 * Algorithms of signatures that others make, asymmetric ones alone: with a shared-secret one, the public key would serve
 * as the secret.
 */
export const ASYMMETRIC_ALGORITHMS: readonly string[] =
  'ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512'.split(' ')

/** Most keys of a client: those of a few machines, each with its successor. */
export const MAX_KEYS = 20

/** Bits of RSA keys: fewer are too weak (RFC 7518 §3.3), and more take too long to verify with. */
const [MIN_RSA_BITS, MAX_RSA_BITS] = [2_048, 8_192]

/** Members of private and symmetric keys (RFC 7518 §6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Members that are kept; all others mean nothing here. */
const MEMBERS = ['kty', 'kid', 'use', 'alg', 'crv', 'x', 'y', 'n', 'e'] as const

const MAX_KID = 256
const CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const importKey = (jwk: Record<string, unknown>): KeyObject | undefined => {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  } catch {
    return undefined
  }
}

const strengthFault = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined => {
  if (asymmetricKeyType === 'rsa') {
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS
      ? undefined
      : `an RSA key has ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits, this one ${bits}`
  }
  if (asymmetricKeyType === 'ec' && CURVES.has(asymmetricKeyDetails?.namedCurve ?? '')) return undefined
  return asymmetricKeyType === 'ed25519'
    ? undefined
    : 'its kind or curve is not one of RSA, P-256, P-384, P-521, Ed25519'
}

/** Finds the reason for which a value is no key that a client may have; undefined where it is one. */
export const keyFault = (key: unknown): string | undefined => {
  if (!isObject(key)) return 'it is not a JSON object'
  if (PRIVATE_MEMBERS.some(name => key[name] !== undefined))
    return 'it has a private half, which must stay with the client: make a new pair, and give the public half alone'
  if (key['use'] !== undefined && key['use'] !== 'sig') return 'its use is not sig'
  if (key['alg'] !== undefined && !ASYMMETRIC_ALGORITHMS.includes(String(key['alg'])))
    return `its alg is not one of ${ASYMMETRIC_ALGORITHMS.join(', ')}`
  const { kid } = key
  if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > MAX_KID))
    return `its kid is not a text of 1 to ${MAX_KID} characters`
  const imported = importKey(key)
  return imported ? strengthFault(imported) : 'it is not a complete public key'
}

/** Copies the members of a public key that count, with its thumbprint (RFC 7638) as `kid` where it has none. */
export const publicMembers = async (key: JWK): Promise<JWK> => {
  const kept = Object.fromEntries(
    MEMBERS.flatMap(name => (key[name] === undefined ? [] : [[name, key[name]]])),
  ) as JWK
  return { ...kept, kid: kept.kid ?? (await calculateJwkThumbprint(kept)) }
}

/** Reads the list of a JWK set. @returns undefined for a value that is none. */
export const keysIn = (set: unknown): unknown[] | undefined =>
  isObject(set) && Array.isArray(set['keys']) ? set['keys'] : undefined

/** Reduces a set that a client publishes to its usable keys (RFC 7517 §5: others are ignored), the first ones. */
export const usableKeys = (set: unknown): JSONWebKeySet | undefined => {
  const keys = keysIn(set)?.slice(0, MAX_KEYS)
  return keys && { keys: keys.filter(key => keyFault(key) === undefined) as JWK[] }
}
