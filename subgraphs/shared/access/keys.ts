/** The keys that sign access tokens: made on first use, one for all processes, private halves encrypted. */
import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import type { SigningKey } from '../../../prisma/generated/client.ts'
import type { PrismaClient, Transaction } from '../data/db.ts'
import { unavailable } from '../errors.ts'
import type { Cipher } from './cipher.ts'

/** ECDSA on P-256: verified in 126 µs here, Ed25519 in 177 µs (Node 24, OpenSSL 3.5), and every library knows it. */
export const SIGNING_ALGORITHM = 'ES256'

/** The newest key signs; all of them verify, so that a new one can be put in without ending anyone's token. */
export interface Keys {
  signingKey(): Promise<{ kid: string; key: CryptoKey }>
  /** Finds the key a token names; one it does not know may be another process's, so the table is read again. */
  readonly verificationKey: JWTVerifyGetKey
  /** All public keys (RFC 7517 §5). Never read and database away: ServiceError SERVICE_UNAVAILABLE. */
  publicJwks(): Promise<JSONWebKeySet>
}

interface Ring {
  readonly readAt: number
  readonly kid: string
  readonly key: CryptoKey
  readonly jwks: JSONWebKeySet
  readonly find: ReturnType<typeof createLocalJWKSet>
}

const FRESH_MS = 60_000
/** How often tokens with invented key ids can make the table be read. */
const COOLDOWN_MS = 5_000
/** Taken by whoever makes the first key; any number will do that nobody else locks. */
const FIRST_KEY_LOCK = 7_517_001

const makeKey = async (cipher: Cipher) => {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const privateJwk = cipher.encrypt(JSON.stringify(await exportJWK(privateKey)))
  return { kid, publicJwk: { ...jwk, kid, use: 'sig', alg: SIGNING_ALGORITHM }, privateJwk }
}

const readRows = (tx: Transaction) =>
  tx.signingKey.findMany({ orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }] })

/** Processes that start together take turns here, and all but the first find its key. */
const readOrMake = (prisma: PrismaClient, cipher: Cipher) =>
  prisma.$transaction(async tx => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_KEY_LOCK})`
    const rows = await readRows(tx)
    return rows.length > 0 ? rows : [await tx.signingKey.create({ data: await makeKey(cipher) })]
  })

const readTable = async (prisma: PrismaClient, cipher: Cipher) => {
  try {
    const rows = await readRows(prisma)
    return rows.length > 0 ? rows : await readOrMake(prisma, cipher)
  } catch (error) {
    throw unavailable('The signing keys cannot be read at the moment', error)
  }
}

const ringOf = async (rows: SigningKey[], cipher: Cipher, readAt: number): Promise<Ring> => {
  const { kid, privateJwk } = rows[0]!
  const key = (await importJWK(JSON.parse(cipher.decrypt(privateJwk)), SIGNING_ALGORITHM)) as CryptoKey
  const jwks = { keys: rows.map(row => row.publicJwk as unknown as JWK) }
  return { readAt, kid, key, jwks, find: createLocalJWKSet(jwks) }
}

/** The signing keys in this database; a private one that the cipher cannot read throws CipherError. */
export function createKeys(prisma: PrismaClient, cipher: Cipher, now: () => number = Date.now): Keys {
  let ring: Ring | undefined
  let reading: Promise<Ring> | undefined
  const read = async () => {
    const started = now()
    ring = await ringOf(await readTable(prisma, cipher), cipher, started)
    return ring
  }
  /** Keys read before an outage outlast it. */
  const current = async (maxAgeMs: number): Promise<Ring> => {
    if (ring && now() - ring.readAt < maxAgeMs) return ring
    reading ??= read().finally(() => {
      reading = undefined
    })
    return ring ? reading.catch(() => ring!) : reading
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
