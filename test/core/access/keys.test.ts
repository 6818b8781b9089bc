/** The signing keys: one for all processes, private halves encrypted, old ones still good for verifying. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CipherError, createCipher } from '#core/access/cipher.ts'
import { createKeys } from '#core/access/signing-keys.ts'
import { type Database, openDatabase } from '#core/data/db.ts'
import { config, createClock, deadPrisma, refusal } from './support.ts'

const cipher = createCipher(Buffer.alloc(32, 1))
let database: Database
beforeAll(async () => {
  database = await openDatabase(config)
})
beforeEach(() => database.prisma.signingKey.deleteMany())
afterAll(() => database.close())

const keys = (now?: () => number) => createKeys(database.prisma, cipher, now)

test('KEY-01 processes that start at once make one key and all use it', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => keys().signingKey()))
  expect(new Set(all.map(({ kid }) => kid)).size).toBe(1)
  expect(await database.prisma.signingKey.count()).toBe(1)
})

test('KEY-02 the public keys hold nothing private and name their use', async () => {
  const { keys: published } = await keys().publicJwks()
  expect(published).toHaveLength(1)
  expect(Object.keys(published[0]!).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  expect(published[0]).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' })
})

test('KEY-03 the private key is encrypted at rest; another SECRETS_KEY says so', async () => {
  await keys().signingKey()
  const [row] = await database.prisma.signingKey.findMany()
  expect(row!.privateJwk).toMatch(/^v1\./)
  expect(JSON.parse(cipher.decrypt(row!.privateJwk))).toHaveProperty('d')
  const others = createKeys(database.prisma, createCipher(Buffer.alloc(32, 2)))
  await expect(others.signingKey()).rejects.toThrow(CipherError)
})

test('KEY-04 a newer key signs within a minute, the older one stays published', async () => {
  const clock = createClock()
  const mine = keys(clock.now)
  const first = await mine.signingKey()
  const elsewhere = await openDatabase(config)
  await createKeys(elsewhere.prisma, cipher).signingKey()
  const [second] = await elsewhere.prisma.signingKey.findMany()
  await elsewhere.close()
  await database.prisma.signingKey.create({ data: { ...second!, publicJwk: second!.publicJwk as object } })
  expect((await mine.signingKey()).kid).toBe(first.kid)
  clock.pass(60_000)
  expect((await mine.signingKey()).kid).toBe(second!.kid)
  expect((await mine.publicJwks()).keys.map(({ kid }) => kid)).toEqual([second!.kid, first.kid])
})

test('KEY-05 database out of reach: 503 before the keys were ever read, no trouble afterwards', async () => {
  expect((await refusal(createKeys(deadPrisma, cipher).publicJwks())).code).toBe('SERVICE_UNAVAILABLE')
  const clock = createClock()
  let prisma = database.prisma
  const mine = createKeys(
    new Proxy({} as typeof prisma, { get: (_, name) => Reflect.get(prisma, name) }),
    cipher,
    clock.now,
  )
  const before = await mine.publicJwks()
  prisma = deadPrisma
  clock.pass(60_000)
  expect(await mine.publicJwks()).toEqual(before)
})
