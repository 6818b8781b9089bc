/**
 * Client authentication by a signed assertion (private-key JWT: RFC 7523 §2.2, §3). Faults of its claims are told to
 * holders of a client's key alone: the signature is verified first.
 */
import { createLocalJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { readsOnly, ServiceError } from '../errors/catalogue.ts'
import type { Proof } from './client-authentication.ts'
import type { ClientRecord } from './clients.ts'
import { ASYMMETRIC_ALGORITHMS, usableKeys } from './public-keys.ts'
import type { PublishedKeys } from './published-keys.ts'
import type { UseOnce } from './used-assertions.ts'

/** Difference of clocks that is tolerated. */
const SKEW_SECONDS = 30
/** Longest time that an assertion may still be valid: some libraries write ten minutes. */
const MAX_LIFETIME_SECONDS = 600
/** Most characters of a `jti`. */
const MAX_JTI = 256

/**
 * Answer for an unknown and a disabled client, one without keys, and a wrong signature alike. A client whose `jwks_uri` cannot
 * be read is told so (503), which shows that it exists.
 */
const WRONG = 'Unknown client, or an assertion that none of its keys has signed'
const USED = 'The assertion was used before: sign a new one, with a jti of its own, for each request'

interface AssertionOptions {
  readonly published: PublishedKeys
  readonly useOnce: UseOnce
  /** Values of `aud`, any of which an assertion must name. */
  readonly audiences: readonly string[]
  readonly readOnly: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Makes the proof by an assertion. @param local address of the token endpoint where it is asked on the same machine. */
export type ProveByAssertion = (assertion: string, local?: string) => Proof

const findKeys = ({ jwks, jwksUri }: ClientRecord, published: PublishedKeys): JWTVerifyGetKey | undefined => {
  if (jwksUri !== null) return published(jwksUri)
  const set = usableKeys(jwks)
  return set && createLocalJWKSet(set)
}

type VerifyOptions = Parameters<typeof jwtVerify>[2]

/** Tries each of several keys that fit, where the assertion names none by `kid`. */
const verifyByEach = async (
  assertion: string,
  several: errors.JWKSMultipleMatchingKeys,
  options: VerifyOptions,
): Promise<JWTPayload> => {
  for await (const key of several)
    try {
      return (await jwtVerify(assertion, key, options)).payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  throw new errors.JWSSignatureVerificationFailed()
}

const verify = (assertion: string, find: JWTVerifyGetKey, options: VerifyOptions): Promise<JWTPayload> =>
  jwtVerify(assertion, find, options).then(
    ({ payload }) => payload,
    error => {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyByEach(assertion, error, options)
      throw error
    },
  )

/** Sentence for a refused assertion. @throws the error itself where it says nothing about the assertion. */
const refusalOf = (error: unknown, audiences: readonly string[]): string => {
  if (error instanceof errors.JWTExpired)
    return 'The assertion has expired: compare the clocks, and sign a new one'
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'aud'
      ? `The aud of the assertion must be ${audiences.join(' or ')}`
      : `The claim ${error.claim} of the assertion is missing or wrong`
  // Web Crypto and `jose` answer so to a key that does not fit the algorithm.
  const isOfKey = error instanceof TypeError || error instanceof DOMException
  if (error instanceof ServiceError || !(error instanceof errors.JOSEError || isOfKey)) throw error
  return WRONG
}

const claimFault = ({ exp = 0, jti }: JWTPayload, now: number): string | undefined => {
  if (exp - now / 1_000 > MAX_LIFETIME_SECONDS + SKEW_SECONDS)
    return `The exp of the assertion must be at most ${MAX_LIFETIME_SECONDS} seconds ahead`
  // Some libraries write a number.
  return typeof jti !== 'string' || jti.length > MAX_JTI || jti === ''
    ? `The jti of the assertion must have 1 to ${MAX_JTI} characters`
    : undefined
}

/** Makes the function that proves who a client is by assertions. */
export const createProveByAssertion =
  ({ published, useOnce, audiences, readOnly, now }: AssertionOptions): ProveByAssertion =>
  (assertion, local) => ({
    kind: 'assertion',
    async refute(record) {
      // Only the database knows what other processes have seen.
      if (readOnly) throw readsOnly()
      const find = record && !record.disabledAt ? findKeys(record, published) : undefined
      if (!record || !find) return WRONG
      const accepted = local === undefined ? audiences : [...audiences, local]
      const options = {
        issuer: record.id,
        subject: record.id,
        audience: [...accepted],
        algorithms: [...ASYMMETRIC_ALGORITHMS],
        clockTolerance: SKEW_SECONDS,
        requiredClaims: ['exp', 'jti'],
        currentDate: new Date(now()),
      }
      try {
        const payload = await verify(assertion, find, options)
        const fault = claimFault(payload, now())
        if (fault !== undefined) return fault
        const use = { clientId: record.id, jti: payload.jti!, endsAt: (payload.exp! + SKEW_SECONDS) * 1_000 }
        return (await useOnce(use)) ? undefined : USED
      } catch (error) {
        return refusalOf(error, accepted)
      }
    },
  })
