/** Secrets of clients: generated here, stored only as a scrypt hash (RFC 7914). */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import type { Client } from '#prisma/generated/client.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../async/limits.ts'

const SECRET_BYTES = 32
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Cost of each guess: 32 MiB and some 60 ms. */
const COST = { ln: 15, r: 8, p: 1 }

/**
 * Limit of hashes at a time: each takes 32 MiB and one of the four threads that also verify signatures and look up host
 * names. Two leave half of the threads free, and a flood of token requests waits or is refused instead of filling
 * memory.
 */
const limitConcurrency = createConcurrencyLimit({ running: 2, waiting: 100, waitingPerKey: 50 })

/** Limit of hashes for unknown ids, which wait apart, so that a flood of them keeps no client from its token. */
const limitUnknown = createConcurrencyLimit({ running: 1, waiting: 20 })

interface Parameters {
  ln: number
  r: number
  p: number
  salt: Buffer
}

const derive = (
  secret: string,
  { ln, r, p, salt }: Parameters,
  gate: ConcurrencyLimit,
  key?: string,
): Promise<Buffer> => {
  const N = 2 ** ln
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  return gate(
    () =>
      new Promise((done, fail) => {
        scrypt(secret, salt, HASH_BYTES, options, (error, hash) => (error ? fail(error) : done(hash)))
      }),
    key,
  )
}

const write = ({ ln, r, p, salt }: Parameters, hash: Buffer) =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

const read = (text: string): { parameters: Parameters; hash: Buffer } => {
  const [, ln, r, p, salt, hash] = FORM.exec(text) ?? []
  if (!salt || !hash) throw new Error('a secret hash in the database is not in the form this program writes')
  const parameters = { ln: Number(ln), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64url') }
  return { parameters, hash: Buffer.from(hash, 'base64url') }
}

/** Makes a secret: 256 random bits, in characters that need no encoding anywhere (RFC 6749 §2.3.1). */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** The hash to store, with its salt and parameters. @throws ServiceError SERVICE_UNAVAILABLE for too many at once. */
export async function hashSecret(secret: string): Promise<string> {
  const parameters = { ...COST, salt: randomBytes(SALT_BYTES) }
  return write(parameters, await derive(secret, parameters, limitConcurrency))
}

/**
 * Whether the hash is this secret's; the time it takes reveals nothing.
 * @param clientId owner of the secret: no client may take all slots.
 * @throws ServiceError SERVICE_UNAVAILABLE for too many at once.
 */
export async function verifySecret(secret: string, stored: string, clientId?: string): Promise<boolean> {
  const { parameters, hash } = read(stored)
  return timingSafeEqual(await derive(secret, parameters, limitConcurrency, clientId), hash)
}

/** Hash of no secret: verifying against it takes as long for an unknown client as for a known one. */
export const DECOY_HASH = write({ ...COST, salt: randomBytes(SALT_BYTES) }, randomBytes(HASH_BYTES))

/**
 * Takes as long as `verifySecret`, for an unknown id, and verifies nothing.
 * @throws ServiceError SERVICE_UNAVAILABLE for too many at once.
 */
export async function verifyNothing(secret: string): Promise<false> {
  await derive(secret, read(DECOY_HASH).parameters, limitUnknown)
  return false
}

type Secrets = Pick<Client, 'id' | 'secretHash' | 'previousSecretHash' | 'previousSecretEnds'>

/**
 * Whether a secret is the client's newest, or within the overlap of a rotation the one before; the time it takes reveals
 * nothing.
 * @param now milliseconds since 1970.
 * @throws ServiceError SERVICE_UNAVAILABLE for too many at once.
 */
export async function isSecretOf(client: Secrets, secret: string, now: number): Promise<boolean> {
  if (await verifySecret(secret, client.secretHash, client.id)) return true
  const { previousSecretHash, previousSecretEnds } = client
  if (!previousSecretHash || !previousSecretEnds || previousSecretEnds.getTime() <= now) return false
  return verifySecret(secret, previousSecretHash, client.id)
}
