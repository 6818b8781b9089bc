/**
 * Keys of the installation that sign webhooks (`v1a` of Standard Webhooks, Ed25519): receivers verify by the public halves,
 * without a secret. One table for all processes, private halves encrypted, cached in memory. Tokens have keys of their own
 * (`signing-keys.ts`), so that neither verifies what the other signed.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose'
import type { WebhookKey } from '#prisma/generated/client.ts'
import type { Db, Transaction } from '../data/db.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { Cipher } from './cipher.ts'
import { canRead } from './key-check.ts'

/** Algorithm of the specification's asymmetric signatures, as JWK sets name it (RFC 8037). */
const ALGORITHM = 'EdDSA'

/** Advisory lock for making the first key; any number that is not locked for another purpose. */
const FIRST_KEY_LOCK = 7_517_002

/** Time in seconds for which a new key is published before it signs: receivers may keep the set for five minutes. */
const ANNOUNCED_SECONDS = 600
/** Time in seconds for which the keys before a new one also sign, for receivers that were given one of them by hand. */
const OVERLAP_SECONDS = 86_400
/** Time in seconds for which a key is published after its last signature, for receivers that verify out of a queue. */
const PUBLISHED_AFTER_SECONDS = 7 * 86_400
/** Most keys that sign at the same time, so that a webhook's header stays short. */
const MAX_SIGNING = 3

const makeKey = async (cipher: Cipher) => {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const privateJwk = cipher.encrypt(JSON.stringify(await exportJWK(privateKey)))
  return { kid, publicJwk: { ...jwk, kid, use: 'sig', alg: ALGORITHM }, privateJwk }
}

const ORDER = [{ createdAt: 'desc' }, { kid: 'asc' }] as const satisfies object[]

const readRows = (tx: Pick<Transaction, 'webhookKey'>) => tx.webhookKey.findMany({ orderBy: [...ORDER] })

/** Reads the keys, or makes the first one: processes that need it at the same time take turns here. */
const readOrMake = (db: Db, cipher: Cipher) =>
  db.$transaction(async tx => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_KEY_LOCK})`
    const rows = await readRows(tx)
    return rows.length > 0 ? rows : [await tx.webhookKey.create({ data: await makeKey(cipher) })]
  })

/** The keys that sign webhooks. */
export interface WebhookKeys {
  /**
   * Private keys that sign at an instant, the newest first; none where a replica has no key yet. Keys that `SECRETS_KEY`
   * does not read are left out.
   * @param at milliseconds since 1970.
   * @throws ServiceError SERVICE_UNAVAILABLE if they could never be read.
   */
  signing(at: number): Promise<KeyObject[]>
  /** Public keys (RFC 8037). @throws ServiceError SERVICE_UNAVAILABLE if they could never be read. */
  publicJwks(): Promise<JSONWebKeySet>
}

interface KeySet {
  readonly readAt: number
  readonly rows: readonly WebhookKey[]
  /** Private halves by key id. */
  readonly privateKeys: ReadonlyMap<string, KeyObject>
}

/** Age in milliseconds from which the table is read again. */
const FRESH_MS = 60_000

const isOver = (end: Date | null, at: number) => end !== null && end.getTime() <= at

const keySetOf = (rows: readonly WebhookKey[], cipher: Cipher, readAt: number): KeySet => {
  const readable = rows.filter(({ privateJwk }) => canRead(cipher, privateJwk))
  const privateKeys = readable.map(({ kid, privateJwk }) => {
    const key = createPrivateKey({ key: JSON.parse(cipher.decrypt(privateJwk)), format: 'jwk' })
    return [kid, key] as const
  })
  return { readAt, rows, privateKeys: new Map(privateKeys) }
}

interface WebhookKeysOptions {
  /** Whether the database is not written to, so that no first key is made. */
  readonly readOnly: boolean
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** Caches the keys of this database. */
export function createWebhookKeys(
  db: Db,
  cipher: Cipher,
  { readOnly, now = Date.now }: WebhookKeysOptions,
): WebhookKeys {
  let keySet: KeySet | undefined
  let reading: Promise<KeySet> | undefined
  const read = async () => {
    try {
      const rows = await readRows(db)
      // A database that takes no writes for a while has no key until it does; it is asked again with the next reading.
      const all = rows.length > 0 || readOnly ? rows : await readOrMake(db, cipher).catch(() => [])
      keySet = keySetOf(all, cipher, now())
      return keySet
    } catch (error) {
      throw unavailable('The keys that sign webhooks cannot be read at the moment', { cause: error })
    }
  }
  /** Keys read before an outage outlast it. */
  const current = async (): Promise<KeySet> => {
    // A clock may be set back.
    if (keySet && Math.abs(now() - keySet.readAt) < FRESH_MS) return keySet
    reading ??= read().finally(() => {
      reading = undefined
    })
    return keySet ? reading.catch(() => keySet!) : reading
  }
  return {
    async signing(at) {
      const { rows, privateKeys } = await current()
      return rows
        .filter(({ signsFrom, signsUntil }) => signsFrom.getTime() <= at && !isOver(signsUntil, at))
        .flatMap(({ kid }) => privateKeys.get(kid) ?? [])
        .slice(0, MAX_SIGNING)
    },
    async publicJwks() {
      const { rows } = await current()
      const published = rows.filter(({ endsAt }) => !isOver(endsAt, now()))
      return { keys: published.map(({ publicJwk }) => publicJwk as JWK) }
    },
  }
}

/** A key without its halves. */
export type ListedWebhookKey = Pick<WebhookKey, 'kid' | 'createdAt' | 'signsFrom' | 'signsUntil' | 'endsAt'>

const LISTED = { kid: true, createdAt: true, signsFrom: true, signsUntil: true, endsAt: true } as const

/** Lists the keys, the newest first. */
export const listWebhookKeys = (db: Pick<Transaction, 'webhookKey'>): Promise<ListedWebhookKey[]> =>
  db.webhookKey.findMany({ select: LISTED, orderBy: [...ORDER] })

/** Counts the keys that this cipher cannot read, by which nothing is signed any more. */
export const countUnreadableWebhookKeys = async (db: Pick<Transaction, 'webhookKey'>, cipher: Cipher) =>
  (await readRows(db)).filter(({ privateJwk }) => !canRead(cipher, privateJwk)).length

/**
 * Makes a new key. It signs ten minutes later, the ones before sign along for a day more, and are published for a week
 * after that.
 * @param atOnce for a key that was stolen: the new one signs and the others end now.
 * @param record writes that it was done, in the same transaction.
 * @returns the keys, the newest first.
 */
export async function rotateWebhookKey(
  db: Db,
  cipher: Cipher,
  atOnce: boolean,
  record: (tx: Transaction, kid: string) => Promise<void>,
): Promise<ListedWebhookKey[]> {
  const made = await makeKey(cipher)
  return db.$transaction(async tx => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_KEY_LOCK})`
    const [times] = await tx.$queryRaw<{ now: Date; signsFrom: Date; signsUntil: Date; endsAt: Date }[]>`
      SELECT now() AS now, now() + make_interval(secs => ${ANNOUNCED_SECONDS}) AS "signsFrom",
        now() + make_interval(secs => ${ANNOUNCED_SECONDS + OVERLAP_SECONDS}) AS "signsUntil",
        now() + make_interval(secs => ${ANNOUNCED_SECONDS + OVERLAP_SECONDS + PUBLISHED_AFTER_SECONDS}) AS "endsAt"`
    const { now } = times!
    const { signsFrom, signsUntil, endsAt } = atOnce
      ? { signsFrom: now, signsUntil: now, endsAt: now }
      : times!
    await tx.webhookKey.deleteMany({ where: { endsAt: { lt: now } } })
    const goesOn = { OR: [{ endsAt: null }, { endsAt: { gt: endsAt } }] }
    await tx.webhookKey.updateMany({ where: goesOn, data: { signsUntil, endsAt } })
    await tx.webhookKey.create({ data: { ...made, createdAt: now, signsFrom } })
    await record(tx, made.kid)
    return listWebhookKeys(tx)
  })
}
