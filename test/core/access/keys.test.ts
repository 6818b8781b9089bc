/** The signing keys: one for all processes, private halves encrypted, old ones still good for verifying. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CipherError, createCipher } from '#core/access/cipher.ts'
import { createKeys, listSigningKeys, rotateSigningKey } from '#core/access/signing-keys.ts'
import { type Database, openDatabase } from '#core/data/db.ts'
import { config, createClock, deadPrisma, refusal } from './support.ts'

const cipher = createCipher(Buffer.alloc(32, 1))
let database: Database
beforeAll(async () => {
  database = await openDatabase(config)
})
beforeEach(() => database.db.signingKey.deleteMany())
afterAll(() => database.close())

const keys = (now?: () => number) => createKeys(database.db, cipher, now)

test('KEY-01 processes that start at once make one key and all use it', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => keys().signingKey()))
  expect(new Set(all.map(({ kid }) => kid)).size).toBe(1)
  expect(await database.db.signingKey.count()).toBe(1)
})

test('KEY-02 the public keys hold nothing private and name their use', async () => {
  const { keys: published } = await keys().publicJwks()
  expect(published).toHaveLength(1)
  expect(Object.keys(published[0]!).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  expect(published[0]).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' })
})

test('KEY-03 the private key is encrypted at rest; another SECRETS_KEY says so', async () => {
  await keys().signingKey()
  const [row] = await database.db.signingKey.findMany()
  expect(row!.privateJwk).toMatch(/^v1\./)
  expect(JSON.parse(cipher.decrypt(row!.privateJwk))).toHaveProperty('d')
  const others = createKeys(database.db, createCipher(Buffer.alloc(32, 2)))
  await expect(others.signingKey()).rejects.toThrow(CipherError)
})

test('KEY-04 a newer key signs within a minute, the older one stays published', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  const first = await mine.signingKey()
  const another = await openDatabase(config)
  await createKeys(another.db, cipher).signingKey()
  const [second] = await another.db.signingKey.findMany()
  await another.close()
  await database.db.signingKey.create({ data: { ...second!, publicJwk: second!.publicJwk as object } })
  expect((await mine.signingKey()).kid).toBe(first.kid)
  clock.pass(60_000)
  expect((await mine.signingKey()).kid).toBe(second!.kid)
  expect((await mine.publicJwks()).keys.map(({ kid }) => kid)).toEqual([second!.kid, first.kid])
})

test('KEY-05 database out of reach: 503 before the keys were ever read, no trouble afterwards', async () => {
  expect((await refusal(createKeys(deadPrisma, cipher).publicJwks())).code).toBe('SERVICE_UNAVAILABLE')
  const clock = createClock()
  let db = database.db
  const mine = createKeys(
    new Proxy({} as typeof db, { get: (_, name) => Reflect.get(db, name) }),
    cipher,
    clock.now,
  )
  const before = await mine.publicJwks()
  db = deadPrisma
  clock.pass(60_000)
  expect(await mine.publicJwks()).toEqual(before)
})

const nothing = async () => undefined
const HOUR_MS = 3_600_000

test('KEY-06 a rotated key is published at once and signs ten minutes later; the one before ends after its last token', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  const first = await mine.signingKey()
  const [made, old] = await rotateSigningKey(database.db, cipher, false, nothing)
  expect(old).toMatchObject({ kid: first.kid })
  clock.pass(60_000)
  expect((await mine.publicJwks()).keys.map(({ kid }) => kid)).toEqual([made!.kid, first.kid])
  expect((await mine.signingKey()).kid).toBe(first.kid)
  clock.pass(600_000)
  expect((await mine.signingKey()).kid).toBe(made!.kid)
  clock.pass(24 * HOUR_MS)
  expect((await mine.publicJwks()).keys).toHaveLength(2)
  clock.pass(HOUR_MS)
  expect((await mine.publicJwks()).keys.map(({ kid }) => kid)).toEqual([made!.kid])
})

test('KEY-07 of a stolen key nothing is verified any more a minute later', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  const { kid } = await mine.signingKey()
  const header = { alg: 'ES256', kid }
  const token = { payload: '', signature: '' }
  await expect(mine.verificationKey(header, token)).resolves.toBeDefined()
  const [made] = await rotateSigningKey(database.db, cipher, true, nothing)
  clock.pass(61_000)
  expect((await mine.signingKey()).kid).toBe(made!.kid)
  await expect(mine.verificationKey(header, token)).rejects.toThrow('no applicable key')
})

test('KEY-08 a process that only verifies reads the keys again by itself', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  const { kid } = await mine.signingKey()
  const verify = async () => mine.verificationKey({ alg: 'ES256', kid }, { payload: '', signature: '' })
  await verify()
  await rotateSigningKey(database.db, cipher, true, nothing)
  clock.pass(61_000)
  await expect.poll(() => verify().then(() => 'verified', String)).toContain('no applicable key')
})

test('KEY-09 the next rotation removes keys that have ended', async () => {
  await keys().signingKey()
  await rotateSigningKey(database.db, cipher, true, nothing)
  const listed = await rotateSigningKey(database.db, cipher, false, nothing)
  expect(listed).toHaveLength(2)
  expect(await listSigningKeys(database.db)).toEqual(listed)
})

test('KEY-10 a process that verified nothing for minutes reads the keys first', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  const { kid } = await mine.signingKey()
  await rotateSigningKey(database.db, cipher, true, nothing)
  clock.pass(121_000)
  const found = mine.verificationKey({ alg: 'ES256', kid }, { payload: '', signature: '' })
  await expect(found).rejects.toThrow('no applicable key')
})

test('KEY-11 keys of before an outage verify during it, for which requests wait half a second at most', async () => {
  const clock = createClock()
  let readings = 0
  let never = false
  const silent = new Promise<never>(() => undefined)
  const signingKey = new Proxy(database.db.signingKey, {
    get:
      (table, name) =>
      (...args: unknown[]) => {
        readings++
        return never ? silent : Reflect.get(table, name)(...args)
      },
  })
  const db = new Proxy(database.db, {
    get: (all, name) => (name === 'signingKey' ? signingKey : Reflect.get(all, name)),
  })
  const mine = createKeys(db, cipher, clock.now)
  const { kid } = await mine.signingKey()
  const verify = async () => mine.verificationKey({ alg: 'ES256', kid }, { payload: '', signature: '' })
  never = true
  clock.pass(121_000)
  const before = readings
  await expect(verify()).resolves.toBeDefined()
  clock.pass(1_000)
  await expect(verify()).resolves.toBeDefined()
  expect(readings).toBe(before + 1)
})
