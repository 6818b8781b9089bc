/** Keys that sign webhooks: one for all processes, encrypted at rest, old ones published until they are no longer needed. */
import { createPublicKey, sign, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCipher } from '#core/access/cipher.ts'
import {
  countUnreadableWebhookKeys,
  createWebhookKeys,
  listWebhookKeys,
  rotateWebhookKey,
} from '#core/access/webhook-keys.ts'
import { type Database, openDatabase } from '#core/data/db.ts'
import { config, createClock, deadPrisma, refusal } from './support.ts'

const cipher = createCipher(Buffer.alloc(32, 1))
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const nothing = async () => undefined

let database: Database
beforeAll(async () => {
  database = await openDatabase(config)
})
beforeEach(() => database.db.webhookKey.deleteMany())
afterAll(() => database.close())

const keys = (now?: () => number, readOnly = false) =>
  createWebhookKeys(database.db, cipher, { readOnly, now })

type Keys = ReturnType<typeof keys>

const published = async (mine: Keys) => (await mine.publicJwks()).keys.map(({ kid }) => kid)

/** The ids of the published keys that verify what is signed at an instant, in the order of the signatures. */
const signersOf = async (mine: Keys, at: number) => {
  const { keys: all } = await mine.publicJwks()
  const signatures = (await mine.signing(at)).map(key => sign(null, Buffer.from('text'), key))
  return signatures.map(
    signature =>
      all.find(jwk =>
        verify(null, Buffer.from('text'), createPublicKey({ key: jwk, format: 'jwk' }), signature),
      )?.kid,
  )
}

test('WHKEY-01 MUST make one key for processes that need it at once, which signs from then on', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => published(keys())))
  expect(new Set(all.flat()).size).toBe(1)
  expect(await database.db.webhookKey.count()).toBe(1)
  expect(await signersOf(keys(), Date.now())).toEqual(all[0])
})

test('WHKEY-02 MUST publish nothing private, and keep the private half encrypted', async () => {
  const { keys: all } = await keys().publicJwks()
  expect(all).toEqual([
    {
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      kid: expect.any(String),
      x: expect.stringMatching(/^[\w-]{43}$/),
    },
  ])
  const [row] = await database.db.webhookKey.findMany()
  expect(row!.privateJwk).toMatch(/^v1\./)
  expect(JSON.parse(cipher.decrypt(row!.privateJwk))).toHaveProperty('d')
})

test('WHKEY-03 a rotated key is published at once and signs ten minutes later, the one before along with it for a day', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  const [first] = await published(mine)
  const [made] = await rotateWebhookKey(database.db, cipher, false, nothing)
  clock.pass(MINUTE_MS)
  expect(await published(mine)).toEqual([made!.kid, first])
  expect(await signersOf(mine, clock.now())).toEqual([first])
  clock.pass(10 * MINUTE_MS)
  expect(await signersOf(mine, clock.now())).toEqual([made!.kid, first])
  clock.pass(DAY_MS)
  expect(await signersOf(mine, clock.now())).toEqual([made!.kid])
  expect(await published(mine)).toEqual([made!.kid, first])
  clock.pass(7 * DAY_MS)
  expect(await published(mine)).toEqual([made!.kid])
})

test('WHKEY-04 a stolen key neither signs nor is published a minute later', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  await published(mine)
  const [made] = await rotateWebhookKey(database.db, cipher, true, nothing)
  clock.pass(MINUTE_MS + 1_000)
  expect(await published(mine)).toEqual([made!.kid])
  expect(await signersOf(mine, clock.now())).toEqual([made!.kid])
})

test('WHKEY-05 MUST sign by the three newest at the most, and remove at a rotation what has ended', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  await published(mine)
  for (let rotation = 0; rotation < 4; rotation++) await rotateWebhookKey(database.db, cipher, false, nothing)
  clock.pass(11 * MINUTE_MS)
  const listed = await listWebhookKeys(database.db)
  expect(await signersOf(mine, clock.now())).toEqual(listed.slice(0, 3).map(({ kid }) => kid))
  await rotateWebhookKey(database.db, cipher, true, nothing)
  await rotateWebhookKey(database.db, cipher, false, nothing)
  expect(await listWebhookKeys(database.db)).toHaveLength(2)
})

test('WHKEY-06 MUST leave out a key that SECRETS_KEY does not read, and count it', async () => {
  await published(keys())
  const other = createCipher(Buffer.alloc(32, 2))
  const mine = createWebhookKeys(database.db, other, { readOnly: false })
  expect(await mine.signing(Date.now())).toEqual([])
  expect(await countUnreadableWebhookKeys(database.db, other)).toBe(1)
  await rotateWebhookKey(database.db, other, true, nothing)
  const renewed = createWebhookKeys(database.db, other, { readOnly: false })
  expect(await renewed.signing(Date.now() + MINUTE_MS)).toHaveLength(1)
})

test('WHKEY-07 a replica makes no key; an outage is 503 before the first reading, and no trouble afterwards', async () => {
  const replica = keys(undefined, true)
  expect(await published(replica)).toEqual([])
  expect(await replica.signing(Date.now())).toEqual([])
  expect(await database.db.webhookKey.count()).toBe(0)

  const lost = createWebhookKeys(deadPrisma, cipher, { readOnly: false })
  expect((await refusal(lost.publicJwks())).code).toBe('SERVICE_UNAVAILABLE')
  const clock = createClock()
  let db = database.db
  const mine = createWebhookKeys(
    new Proxy({} as typeof db, { get: (_, name) => Reflect.get(db, name) }),
    cipher,
    { readOnly: false, now: clock.now },
  )
  const before = await published(mine)
  db = deadPrisma
  clock.pass(2 * MINUTE_MS)
  expect(await published(mine)).toEqual(before)
})
