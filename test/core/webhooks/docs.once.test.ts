/** The commands that docs/webhooks.md tells partners to run do what it says. */

import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newWebhookSecret } from '#core/access/webhook-secrets.ts'
import { signatureHeaders } from '#core/webhooks/message.ts'

const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
const [SNIPPET, SNIPPET_BY_KEY] = [...DOCS.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!)

const load = (code: string | undefined) => import(`data:text/javascript,${encodeURIComponent(code!)}`)

it('HOOK-90 the snippet verifies genuine signatures, each of two, and nothing else', async () => {
  const { isGenuine } = await load(SNIPPET)
  const [secret, before] = [newWebhookSecret(), newWebhookSecret()]
  const headers = signatureHeaders('id-1', '{"a":1}', [secret, before], Date.now())
  expect([secret, before].map(one => isGenuine(one, headers, '{"a":1}'))).toEqual([true, true])
  expect(isGenuine(newWebhookSecret(), headers, '{"a":1}')).toBe(false)
  expect(isGenuine(secret, headers, '{"a":2}')).toBe(false)
  expect(isGenuine(secret, { ...headers, 'webhook-id': 'id-2' }, '{"a":1}')).toBe(false)
  const old = signatureHeaders('id-1', '{"a":1}', [secret], Date.now() - 600_000)
  expect(isGenuine(secret, old, '{"a":1}')).toBe(false)
  expect(isGenuine(secret, {}, '{"a":1}')).toBe(false)
})

it('HOOK-91 the snippet for public keys verifies by any of them, and nothing else', async () => {
  const { isSignedByKey } = await load(SNIPPET_BY_KEY)
  const [key, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const jwksOf = (...pairs: (typeof key)[]) => ({
    keys: [{ kty: 'EC', crv: 'P-256' }, ...pairs.map(({ publicKey }) => publicKey.export({ format: 'jwk' }))],
  })
  const [secret, now] = [newWebhookSecret(), Date.now()]
  const headers = signatureHeaders('id-1', '{"a":1}', [secret], now, [key.privateKey])
  expect(isSignedByKey(jwksOf(other, key), headers, '{"a":1}')).toBe(true)
  expect(isSignedByKey(jwksOf(other), headers, '{"a":1}')).toBe(false)
  expect(isSignedByKey(jwksOf(key), headers, '{"a":2}')).toBe(false)
  expect(isSignedByKey(jwksOf(key), { ...headers, 'webhook-id': 'id-2' }, '{"a":1}')).toBe(false)
  const old = signatureHeaders('id-1', '{"a":1}', [secret], now - 600_000, [key.privateKey])
  expect(isSignedByKey(jwksOf(key), old, '{"a":1}')).toBe(false)
  expect(isSignedByKey(jwksOf(key), {}, '{"a":1}')).toBe(false)
})
