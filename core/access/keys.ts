/** The keys that sign access tokens and verify them, kept in memory and read anew from time to time. */
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import type { SigningKey } from '#prisma/generated/client.ts'
import type { PrismaClient } from '../data/db.ts'
import type { Cipher } from './cipher.ts'
import { readSigningKeys, SIGNING_ALGORITHM } from './key-table.ts'

/** The newest key signs; all of them verify, so that a new one can be put in without ending anyone's token. */
export interface Keys {
  signingKey(): Promise<{ kid: string; key: CryptoKey }>
  /** Finds the key a token names; one it does not know may be another process's, so the table is read again. */
  readonly verificationKey: JWTVerifyGetKey
  /** All public keys (RFC 7517 §5). Never read and database away: ServiceError SERVICE_UNAVAILABLE. */
  publicJwks(): Promise<JSONWebKeySet>
}

interface KeySet {
  readonly readAt: number
  readonly kid: string
  readonly key: CryptoKey
  readonly jwks: JSONWebKeySet
  readonly find: ReturnType<typeof createLocalJWKSet>
}

const FRESH_MS = 60_000
/** How often tokens with invented key ids can make the table be read. */
const COOLDOWN_MS = 5_000
const keySetOf = async (rows: SigningKey[], cipher: Cipher, readAt: number): Promise<KeySet> => {
  const { kid, privateJwk } = rows[0]!
  const key = (await importJWK(JSON.parse(cipher.decrypt(privateJwk)), SIGNING_ALGORITHM)) as CryptoKey
  const jwks = { keys: rows.map(row => row.publicJwk as JWK) }
  return { readAt, kid, key, jwks, find: createLocalJWKSet(jwks) }
}

/** The signing keys in this database; a private one that the cipher cannot read throws CipherError. */
export function createKeys(prisma: PrismaClient, cipher: Cipher, now: () => number = Date.now): Keys {
  let keySet: KeySet | undefined
  let reading: Promise<KeySet> | undefined
  const read = async () => {
    const started = now()
    keySet = await keySetOf(await readSigningKeys(prisma, cipher), cipher, started)
    return keySet
  }
  /** Keys read before an outage outlast it. */
  const current = async (maxAgeMs: number): Promise<KeySet> => {
    if (keySet && now() - keySet.readAt < maxAgeMs) return keySet
    reading ??= read().finally(() => {
      reading = undefined
    })
    return keySet ? reading.catch(() => keySet!) : reading
  }
  const verificationKey: JWTVerifyGetKey = async (header, token) => {
    const { find } = await current(Number.POSITIVE_INFINITY)
    return find(header, token).catch(async error => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return (await current(COOLDOWN_MS)).find(header, token)
    })
  }
  return {
    verificationKey,
    signingKey: () => current(FRESH_MS),
    publicJwks: async () => (await current(FRESH_MS)).jwks,
  }
}
