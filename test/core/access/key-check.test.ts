/** Check of the encryption key: the rows it reads, and the detection of a wrong one before it encrypts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCipher } from '#core/access/cipher.ts'
import { checkEncryptionKey, claimEncryptionKey, unreadableClients } from '#core/access/key-check.ts'
import { createWebhookSecrets } from '#core/access/webhook-secrets.ts'
import { warnOfUnreadable } from '#core/open-app.ts'
import { newId } from '#core/values/id.ts'
import { openAccess } from './support.ts'

const [right, wrong] = [createCipher(Buffer.alloc(32, 1)), createCipher(Buffer.alloc(32, 2))]
const WRONG = /^SECRETS_KEY is not the one that this database was encrypted with/

let opened: Awaited<ReturnType<typeof openAccess>>
beforeAll(async () => {
  opened = await openAccess()
  await opened.db.signingKey.deleteMany()
  for (const id of ['a', 'b', 'c']) await opened.access.clients.add({ id, role: 'partner' })
})
afterAll(() => opened.close())

const secretsBy = (cipher: typeof right) => createWebhookSecrets(opened.db, cipher, opened.access.clients)

test('KEY-CHECK-01 any key does where nothing is encrypted', async () => {
  await checkEncryptionKey(opened.db, wrong)
})

test('KEY-CHECK-02 webhook secrets tell a wrong key where there is no signing key', async () => {
  await secretsBy(right).rotate('a', 0)
  await expect(claimEncryptionKey(opened.db, wrong)).rejects.toThrow(WRONG)
  expect(await opened.db.signingKey.count()).toBe(0)
})

test('KEY-CHECK-03 the first to encrypt leaves a signing key by which the next key is checked', async () => {
  await claimEncryptionKey(opened.db, right)
  await opened.db.client.update({ where: { id: 'a' }, data: { webhookSecrets: [] } })
  await expect(checkEncryptionKey(opened.db, wrong)).rejects.toThrow(WRONG)
  await checkEncryptionKey(opened.db, right)
})

test('KEY-CHECK-04 MUST warn once, of the clients and callback tokens that cannot be read', async () => {
  const { db } = opened
  const warnings: unknown[] = []
  const log = { warn: (fields: object) => void warnings.push(fields) }
  await secretsBy(right).rotate('a', 0)
  await warnOfUnreadable(db, { cipher: right }, log)
  expect(warnings).toEqual([])
  await secretsBy(wrong).rotate('b', 0)
  const url = { url: 'https://hooks.example.com/a', origin: 'https://hooks.example.com' }
  const at = new Date()
  const shared = { ...url, kind: 'PAYMENT', clientId: 'a', createdAt: at, nextAttemptAt: at }
  const tokens = [wrong.encrypt('1'), right.encrypt('2'), wrong.encrypt('3'), null]
  await db.delivery.createMany({
    data: tokens.map((token, index) => ({
      ...shared,
      id: newId(),
      eventid: newId(),
      transactionId: newId(),
      position: BigInt(index + 1),
      token,
    })),
  })
  await warnOfUnreadable(db, { cipher: right }, log)
  expect(warnings).toEqual([{ clients: ['b'], clientCount: 1, callbackTokens: 2 }])
})

test('KEY-CHECK-05 a rotation leaves out what cannot be read, and mends the client', async () => {
  await secretsBy(right).rotate('b', 24)
  expect(await unreadableClients(opened.db, right)).toEqual([])
})
