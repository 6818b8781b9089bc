/** The commands that docs/webhooks.md tells partners to run do what it says. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newWebhookSecret } from '#core/access/webhook-secrets.ts'
import { signatureHeaders } from '#core/webhooks/message.ts'

const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
const SNIPPET = /```js\n(.*?)```/s.exec(DOCS)![1]!

it('HOOK-90 the snippet verifies genuine signatures, each of two, and nothing else', async () => {
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(SNIPPET)}`)
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
