/** The change of the key that encrypts secrets: every value, in batches, stopped and gone on with, while others write. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCipher } from '#core/access/cipher.ts'
import { countKeyUse, encryptAnew, type KeyUse } from '#core/access/encrypt-anew.ts'
import { checkEncryptionKey } from '#core/access/key-check.ts'
import { createWebhookSecrets } from '#core/access/webhook-secrets.ts'
import type { Db } from '#core/data/db.ts'
import { newId } from '#core/values/id.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

const NEW_KEY = Buffer.alloc(32, 9)
const ROWS = 1_200

let opened: TestApp
let old: Buffer
beforeEach(async () => {
  old = Buffer.alloc(32, 5)
  opened = await openTestApp({ env: { SECRETS_KEY: old.toString('base64') } })
})
afterEach(() => opened[Symbol.asyncDispose]())

/** Deliveries with tokens, as posted transactions leave them. */
const addDeliveries = async (tokens: readonly string[], first = 1_000_000) => {
  const rows = tokens.map((token, index) => ({
    id: newId(),
    position: BigInt(first + index),
    eventid: newId(),
    kind: 'PAYMENT',
    transactionId: newId(),
    clientId: 'demo-partner',
    origin: 'https://hooks.test',
    url: 'https://hooks.test/',
    token,
    status: 'DEAD',
    createdAt: new Date(),
  }))
  await opened.app.db.delivery.createMany({ data: rows })
}

const tokens = async () =>
  (
    await opened.app.db.delivery.findMany({
      where: { token: { not: null } },
      orderBy: { position: 'asc' },
      select: { token: true },
    })
  ).map(({ token }) => token!)

const sum = (uses: readonly KeyUse[], name: 'current' | 'other' | 'unreadable') =>
  uses.reduce((total, use) => total + use[name], 0)

it('ANEW-01 MUST change every secret: callback tokens, webhook secrets, keys of both uses, each still the same text', async () => {
  const { db, access } = opened.app
  const [before, after] = [createCipher(old), createCipher(NEW_KEY)]
  const texts = Array.from({ length: ROWS }, (_, index) => `token ${index}`)
  await addDeliveries(texts.map(before.encrypt))
  await createWebhookSecrets(db, before, access.clients).rotate('demo-partner', 0)
  await createWebhookSecrets(db, before, access.clients).rotate('demo-partner', 24)
  const { webhookSecrets } = await db.client.findUniqueOrThrow({ where: { id: 'demo-partner' } })
  await opened.token('demo-partner')

  const { changed, uses } = await encryptAnew(db, { key: NEW_KEY, others: [old] })
  expect(changed).toBe(ROWS + 3)
  expect([sum(uses, 'other'), sum(uses, 'unreadable')]).toEqual([0, 0])
  expect(sum(uses, 'current')).toBe(ROWS + 4)
  expect((await tokens()).map(after.decrypt)).toEqual(texts)
  const client = await db.client.findUniqueOrThrow({ where: { id: 'demo-partner' } })
  expect(client.webhookSecrets.map(after.decrypt)).toEqual(webhookSecrets.map(before.decrypt))
  await checkEncryptionKey(db, after)
  await expect(checkEncryptionKey(db, before)).rejects.toThrow('SECRETS_KEY is not the one')
})

it('ANEW-02 MUST go on where it was stopped, and change nothing twice', async () => {
  const { db } = opened.app
  const before = createCipher(old)
  await addDeliveries(Array.from({ length: ROWS }, (_, index) => before.encrypt(`token ${index}`)))
  const keys = { key: NEW_KEY, others: [old] }
  const stop = (done: number) => {
    if (done >= 500) throw new Error('stopped')
  }
  await expect(encryptAnew(db, keys, stop)).rejects.toThrow('stopped')
  const half = await countKeyUse(db, keys)
  expect(sum(half, 'current')).toBe(500)
  const done = (await tokens()).slice(0, 500)
  const { changed } = await encryptAnew(db, keys)
  expect(changed).toBe(ROWS - 500 + (await db.signingKey.count()) + (await db.webhookKey.count()))
  expect((await tokens()).slice(0, 500)).toEqual(done)
  expect((await encryptAnew(db, keys)).changed).toBe(0)
})

it('ANEW-03 MUST leave what no key reads as it is, and count it', async () => {
  const { db } = opened.app
  const lost = createCipher(Buffer.alloc(32, 77)).encrypt('lost')
  await addDeliveries([lost, createCipher(old).encrypt('kept')])
  const { uses } = await encryptAnew(db, { key: NEW_KEY, others: [old] })
  expect(sum(uses, 'unreadable')).toBe(1)
  expect((await tokens())[0]).toBe(lost)
})

it('ANEW-04 MUST NOT write over a secret that is changed at the same time', async () => {
  const { db, access } = opened.app
  const cipher = createCipher(NEW_KEY, [old])
  const secrets = createWebhookSecrets(db, cipher, access.clients)
  await createWebhookSecrets(db, createCipher(old), access.clients).rotate('demo-partner', 0)
  let rotated: Promise<{ secret: string }> | undefined
  const result = await encryptAnew(db, { key: NEW_KEY, others: [old] }, () => {
    rotated ??= secrets.rotate('demo-partner', 0)
  })
  const { secret } = await rotated!
  expect(sum(result.uses, 'other')).toBe(0)
  const { webhookSecrets } = await db.client.findUniqueOrThrow({ where: { id: 'demo-partner' } })
  expect(webhookSecrets.map(createCipher(NEW_KEY).decrypt)).toEqual([secret])
})

/** Database to which another server writes before each statement. */
const writtenTo = (db: Db, write: () => Promise<void>): Db => {
  const $queryRaw = async (text: TemplateStringsArray, ...values: unknown[]) => {
    await write()
    return db.$queryRaw(text, ...values)
  }
  return new Proxy(db, {
    get: (target, name) => (name === '$queryRaw' ? $queryRaw : Reflect.get(target, name)),
  })
}

it('ANEW-05 MUST say that a server still encrypts with the other key, where one does', async () => {
  let next = 2_000_000
  const write = () => addDeliveries([createCipher(old).encrypt('late')], next++)
  const db = writtenTo(opened.app.db, write)
  await expect(encryptAnew(db, { key: NEW_KEY, others: [old] })).rejects.toThrow(
    /^A server still encrypts with the other key: /,
  )
})

it.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  'ANEW-06 MUST name the table whose rows others hold, instead of a server with the other key, and go on after them',
  async () => {
    const { db } = opened.app
    const keys = { key: NEW_KEY, others: [old] }
    await addDeliveries(['held', 'free'].map(createCipher(old).encrypt))
    await db.$transaction(async tx => {
      await tx.$queryRaw`SELECT id::text FROM events.delivery WHERE position = 1000000 FOR UPDATE`
      await expect(encryptAnew(db, keys, undefined, 0)).rejects.toThrow(
        /^All else is done, but other sessions hold 1 row\(s\) of events\.delivery: /,
      )
    })
    expect((await encryptAnew(db, keys)).changed).toBe(1)
    expect((await tokens()).map(createCipher(NEW_KEY).decrypt)).toEqual(['held', 'free'])
  },
)
