/**
 * Keys that sign and verify access tokens: one table for all processes, with private halves encrypted, cached in memory.
 */
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
import type { SigningKey } from '#prisma/generated/client.ts'
import { withTimeout } from '../async/deadline.ts'
import type { Db, Transaction } from '../data/db.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { Cipher } from './cipher.ts'

/**
 * Algorithm of signatures: ECDSA on P-256. Every library knows it, and it verifies in 126 µs where Ed25519 takes 177 µs
 * (Node 24, OpenSSL 3.5).
 */
export const SIGNING_ALGORITHM = 'ES256'

/** Number of the advisory lock under which keys are made. Nothing else locks it. */
const KEY_LOCK = 7_517_001

/** Longest life of a token in seconds: the most that `TOKEN_LIFETIME_SECONDS` allows, and ten minutes for clocks that differ. */
const LONGEST_TOKEN_SECONDS = 86_400 + 600
/**
 * Time in seconds for which a new key is published before it signs: every process reads the keys each minute, and others
 * keep what they read of `/.well-known/jwks.json` for five.
 */
const ANNOUNCED_SECONDS = 600

const makeKey = async (cipher: Cipher) => {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const privateJwk = cipher.encrypt(JSON.stringify(await exportJWK(privateKey)))
  return { kid, publicJwk: { ...jwk, kid, use: 'sig', alg: SIGNING_ALGORITHM }, privateJwk }
}

const readRows = (tx: Pick<Transaction, 'signingKey'>) =>
  tx.signingKey.findMany({ orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }] })

/**
 * Reads the keys, or makes the first one: processes that start at the same time take turns here, and all but the first
 * find its key.
 */
const readOrMake = (db: Db, cipher: Cipher) =>
  db.$transaction(async tx => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${KEY_LOCK})`
    const rows = await readRows(tx)
    return rows.length > 0 ? rows : [await tx.signingKey.create({ data: await makeKey(cipher) })]
  })

/** Reads the keys, newest first, and makes the first one. @throws ServiceError SERVICE_UNAVAILABLE without a database. */
export const readSigningKeys = async (db: Db, cipher: Cipher) => {
  try {
    const rows = await readRows(db)
    return rows.length > 0 ? rows : await readOrMake(db, cipher)
  } catch (error) {
    throw unavailable('The signing keys cannot be read at the moment', { cause: error })
  }
}

/** Keys of an installation. The newest that may sign does; all that have not ended verify, so tokens outlast a rotation. */
export interface Keys {
  /** Finds the key that signs now. @throws ServiceError SERVICE_UNAVAILABLE if keys could never be read. */
  signingKey(): Promise<{ kid: string; key: CryptoKey }>
  /** Finds the key that a token names; an unknown one may be another process's, so the table is read again. */
  readonly verificationKey: JWTVerifyGetKey
  /** All public keys (RFC 7517 §5). @throws ServiceError SERVICE_UNAVAILABLE if they could never be read. */
  publicJwks(): Promise<JSONWebKeySet>
}

interface KeySet {
  readonly readAt: number
  readonly kid: string
  readonly key: CryptoKey
  readonly jwks: JSONWebKeySet
  readonly find: ReturnType<typeof createLocalJWKSet>
}

/** Age in milliseconds up to which keys are used without reading the table. */
const FRESH_MS = 60_000
/** Shortest interval in milliseconds between two readings of the table for key ids that are not known. */
const COOLDOWN_MS = 5_000
/**
 * Age in milliseconds from which keys are read again before one of them verifies. A process that verified nothing for a
 * while does not know of a key that was withdrawn meanwhile.
 */
const STALE_MS = 2 * FRESH_MS
/** Longest wait for this reading in milliseconds. During an outage the keys that were read before it verify. */
const STALE_WAIT_MS = 500

/** Finds the key that signs among rows from the newest to the oldest. */
export const signingAmong = <Row extends Pick<SigningKey, 'signsFrom'>>(
  rows: readonly Row[],
  now: number,
): Row => rows.find(({ signsFrom }) => signsFrom.getTime() <= now) ?? rows.at(-1)!

const keySetOf = async (all: SigningKey[], cipher: Cipher, readAt: number): Promise<KeySet> => {
  const rows = all.filter(({ endsAt }) => endsAt === null || endsAt.getTime() > readAt)
  const { kid, privateJwk } = signingAmong(rows, readAt)
  const key = (await importJWK(JSON.parse(cipher.decrypt(privateJwk)), SIGNING_ALGORITHM)) as CryptoKey
  const jwks = { keys: rows.map(row => row.publicJwk as JWK) }
  return { readAt, kid, key, jwks, find: createLocalJWKSet(jwks) }
}

/** Caches the keys of this database. Reading throws CipherError for a private key that the cipher cannot read. */
export function createKeys(db: Db, cipher: Cipher, now: () => number = Date.now): Keys {
  let keySet: KeySet | undefined
  let reading: Promise<KeySet> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  const read = async () => {
    triedAt = now()
    keySet = await keySetOf(await readSigningKeys(db, cipher), cipher, triedAt)
    return keySet
  }
  /** Gives keys that are no older, if they can be read; after a failure those from before it. */
  const current = async (maxAgeMs: number): Promise<KeySet> => {
    // A clock that was set back makes keys look as if they came from the future: they are read again too.
    if (keySet && Math.abs(now() - keySet.readAt) < maxAgeMs) return keySet
    reading ??= read().finally(() => {
      reading = undefined
    })
    return keySet ? reading.catch(() => keySet!) : reading
  }
  const verifying = async (): Promise<KeySet> => {
    const known = await current(Number.POSITIVE_INFINITY)
    const hasTried = !reading && now() - triedAt < COOLDOWN_MS
    const renewed = hasTried ? known : current(FRESH_MS).catch(() => known)
    // No request waits for the reading of keys that are merely not fresh. A key that has ended verifies for moments longer.
    if (now() - known.readAt < STALE_MS) return known
    return withTimeout(renewed, Math.max(0, triedAt + STALE_WAIT_MS - now()), () => known)
  }
  const verificationKey: JWTVerifyGetKey = async (header, token) => {
    const { find } = await verifying()
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

/** A key without its private half. */
export type PublicSigningKey = Pick<SigningKey, 'kid' | 'createdAt' | 'signsFrom' | 'endsAt'>

const PUBLIC = { kid: true, createdAt: true, signsFrom: true, endsAt: true } as const

/** Lists the keys, the newest first. */
export const listSigningKeys = (db: Pick<Transaction, 'signingKey'>): Promise<PublicSigningKey[]> =>
  db.signingKey.findMany({ select: PUBLIC, orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }] })

/**
 * Makes a new key. It signs once all processes know it; the ones before verify until the last token that they signed has
 * ended.
 * @param atOnce for a key that was stolen: the new one signs and the others end now, and so do all tokens.
 * @param record writes that it was done, in the same transaction.
 * @returns the keys, the newest first.
 */
export async function rotateSigningKey(
  db: Db,
  cipher: Cipher,
  atOnce: boolean,
  record: (tx: Transaction, kid: string) => Promise<void>,
): Promise<PublicSigningKey[]> {
  const made = await makeKey(cipher)
  return db.$transaction(async tx => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${KEY_LOCK})`
    const [times] = await tx.$queryRaw<{ signsFrom: Date; endsAt: Date; now: Date }[]>`
      SELECT now() AS now, now() + make_interval(secs => ${ANNOUNCED_SECONDS}) AS "signsFrom",
        now() + make_interval(secs => ${ANNOUNCED_SECONDS + LONGEST_TOKEN_SECONDS}) AS "endsAt"`
    const { now } = times!
    const { signsFrom, endsAt } = atOnce ? { signsFrom: now, endsAt: now } : times!
    await tx.signingKey.deleteMany({ where: { endsAt: { lt: now } } })
    const stillVerifying = { OR: [{ endsAt: null }, { endsAt: { gt: endsAt } }] }
    await tx.signingKey.updateMany({ where: stillVerifying, data: { endsAt } })
    await tx.signingKey.create({ data: { ...made, createdAt: now, signsFrom } })
    await record(tx, made.kid)
    return listSigningKeys(tx)
  })
}
