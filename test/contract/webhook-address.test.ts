/** Callback addresses as far as they can be judged when they are posted (docs/decisions.md, "Webhooks"). */
import { afterAll, beforeAll, expect } from 'vitest'
import { auditInterfaces } from '../support/audit.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { WEBHOOK } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack({ env: { WEBHOOK_ALLOW: '127.0.0.1,receiver.test' } })
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Addresses that can be judged when they are posted; names are judged when connecting. */
const ADDRESSES: [address: string, accepted: boolean][] = [
  ['https://hooks.example.com/base', true],
  ['https://hooks.example.com:8443/base?tenant=1', true],
  ['https://93.184.216.34/hook', true],
  ['http://127.0.0.1:9000/hook', true],
  ['http://receiver.test/hook', true],
  ['http://hooks.example.com/base', false],
  ['ftp://hooks.example.com', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['hooks.example.com', false],
  ['/relative', false],
  ['', false],
  ['https://', false],
  ['https://user:secret@hooks.example.com', false],
  ['https://user@hooks.example.com', false],
]

auditInterfaces('WEBHOOK', FIXTURES, [
  [
    '01',
    'MUST refuse callback addresses that are not https, or carry credentials, naming the field',
    async (fixture, client) => {
      for (const [address, accepted] of ADDRESSES) {
        const body = withField(fixture.body(), 'webhook.notificationUrl', address)
        const created = await client.create(stack, fixture, token, body)
        expect(created, address).toMatchObject({ status: accepted ? 201 : 400 })
        if (!accepted) expect(created.message).toContain('webhook.notificationUrl must')
      }
    },
  ],
  [
    '02',
    'MUST accept a webhook without a token, and a request without a webhook',
    async (fixture, client) => {
      for (const webhook of [{ notificationUrl: WEBHOOK.notificationUrl }, undefined]) {
        const body = withField(fixture.body(), 'webhook', webhook)
        expect(await client.create(stack, fixture, token, body)).toMatchObject({ status: 201 })
      }
    },
  ],
])
