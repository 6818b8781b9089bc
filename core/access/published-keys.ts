/**
 * Keys that clients publish at addresses of their own (`jwks_uri`, RFC 7591 §2), read by the rules of webhooks: allowed
 * addresses alone, no redirects, bounded in time and size.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, request } from 'undici'
import type { AllowList } from '../egress/callback-policy.ts'
import { createGuardedAgent } from '../egress/guarded-agent.ts'
import { unavailable } from '../errors/catalogue.ts'
import { usableKeys } from './public-keys.ts'

/** Limit of the time for reading a set, look-up and connecting included. */
const FETCH_TIMEOUT_MS = 2_000
/** Largest set in octets: twenty RSA keys with certificate chains have half of that. */
const MAX_OCTETS = 128 * 1024
/** Time in milliseconds for which an address that failed is not asked again, whoever sends assertions. */
const REST_MS = 5_000
/** Addresses whose keys are kept in memory. */
const MAX_KEPT = 1_000

const readText = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = []
  let octets = 0
  for await (const chunk of body) {
    octets += chunk.length
    if (octets > MAX_OCTETS) throw new Error(`the key set is larger than ${MAX_OCTETS} octets`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Makes the function by which sets are read. Keys that are not usable are left out. */
const fetchBy =
  (dispatcher: Dispatcher): FetchImplementation =>
  async (url, { signal }) => {
    const options = { dispatcher, signal, headers: { accept: 'application/jwk-set+json, application/json' } }
    const { statusCode, body } = await request(url, options)
    if (statusCode !== 200) {
      await body.dump({ limit: MAX_OCTETS })
      throw new Error(`the address of the keys answers with ${statusCode}`)
    }
    const set = usableKeys(JSON.parse(await readText(body)))
    if (!set) throw new Error('the address of the keys answers with no JWK set')
    return Response.json(set)
  }

/** Keys by the address where they are published. @throws ServiceError SERVICE_UNAVAILABLE where they cannot be read. */
export type PublishedKeys = (jwksUri: string) => JWTVerifyGetKey

interface PublishedKeysOptions {
  readonly allow: AllowList
  /** Whether this process itself listens there. */
  readonly isOwn?: ((ip: string, port: number) => boolean) | undefined
  readonly now?: (() => number) | undefined
}

/** Whether the set was read, and has no key for this header. */
const isMissing = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported

/** Makes the reader of published keys, which are read anew after ten minutes, or for a `kid` that is not among them. */
export function createPublishedKeys({ allow, isOwn, now = Date.now }: PublishedKeysOptions): PublishedKeys {
  const dispatcher = createGuardedAgent({ allow, ...(isOwn && { isOwn }) })
  const sets = new LRUCache<string, JWTVerifyGetKey>({ max: MAX_KEPT })
  const open = (jwksUri: string): JWTVerifyGetKey => {
    let failedUntil = 0
    const find = createRemoteJWKSet(new URL(jwksUri), {
      timeoutDuration: FETCH_TIMEOUT_MS,
      [customFetch]: fetchBy(dispatcher),
    })
    return async (header, token) => {
      if (now() < failedUntil) {
        // A failure is no reason to refuse a key that was read a moment ago.
        const kept = find.fresh ? find.jwks() : undefined
        if (!kept) throw unreadable()
        try {
          return await createLocalJWKSet(kept)(header, token)
        } catch (cause) {
          throw cause instanceof errors.JWKSMultipleMatchingKeys ? cause : unreadable()
        }
      }
      try {
        return await find(header, token)
      } catch (cause) {
        if (isMissing(cause)) throw cause
        failedUntil = now() + REST_MS
        throw unreadable(cause)
      }
    }
  }
  return jwksUri => {
    const found = sets.get(jwksUri) ?? open(jwksUri)
    sets.set(jwksUri, found)
    return found
  }
}

/** The cause is logged once for each attempt to read. */
const unreadable = (cause?: unknown) =>
  unavailable(
    "The client's keys cannot be read at its jwks_uri at the moment",
    cause === undefined ? {} : { cause },
  )
