/** `v1a` signatures of messages that arrive, verified by the keys that the server publishes, and by others' programs. */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rotateWebhookKey } from '#core/access/webhook-keys.ts'
import { VERIFIERS } from './other-languages.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let receiver: Receiver
let secret: string
let message: Received
beforeAll(async () => {
  stage = await openStage()
  receiver = await startReceiver()
  const token = await stage.stack.token('demo-partner')
  const { data } = await stage.graph('mutation { rotateWebhookSecret(overlapHours: 24) { secret } }', {
    token,
  })
  secret = data.rotateWebhookSecret.secret
  message = await next()
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const next = async (client?: string): Promise<Received> => {
  const id = await stage.pay({ notificationUrl: receiver.url }, client)
  await stage.sent()
  return receiver.received.find(({ body }) => body.eventSubscriptionid === id)!
}

const publishedKeys = async (): Promise<JsonWebKey[]> => {
  const response = await fetch(`${stage.stack.address}/.well-known/jwks.json`)
  const { keys } = (await response.json()) as { keys: JsonWebKey[] }
  return keys.filter(({ crv }) => crv === 'Ed25519')
}

const headerOf = ({ headers }: Received, name: string) => `${headers[name]}`

const contentOf = (one: Received, raw = one.raw) =>
  `${headerOf(one, 'webhook-id')}.${headerOf(one, 'webhook-timestamp')}.${raw}`

const signaturesOf = (one: Received, version: string): string[] =>
  headerOf(one, 'webhook-signature')
    .split(' ')
    .filter(signature => signature.startsWith(`${version},`))
    .map(signature => signature.slice(version.length + 1))

/** By the specification's text: Ed25519 over id, timestamp and payload. */
const isGenuine = (jwk: JsonWebKey, content: string, signature: string) =>
  verify(
    null,
    Buffer.from(content),
    createPublicKey({ key: jwk, format: 'jwk' }),
    Buffer.from(signature, 'base64'),
  )

it('V1A-01 MUST sign by secret and by key, in one header', () => {
  expect(headerOf(message, 'webhook-signature')).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}==$/)
})

it("V1A-02 MUST be accepted by the specification's own library, which passes over v1a", () => {
  const headers = message.headers as Record<string, string>
  expect(new Webhook(secret).verify(message.raw, headers)).toEqual(message.body)
  expect(() => new Webhook(secret).verify(`${message.raw} `, headers)).toThrow('No matching signature')
})

it('V1A-03 MUST be verified by the published key, and by no other text, id or time', async () => {
  const [key] = await publishedKeys()
  const [signature] = signaturesOf(message, 'v1a')
  expect(isGenuine(key!, contentOf(message), signature!)).toBe(true)
  for (const forged of [`${contentOf(message)} `, `x${contentOf(message)}`, message.raw])
    expect(isGenuine(key!, forged, signature!)).toBe(false)
})

it('V1A-04 MUST be verified by a program of another language', async ({ skip }) => {
  const [jwk] = await publishedKeys()
  const [signature] = signaturesOf(message, 'v1a')
  const present = Object.entries(VERIFIERS).flatMap(([name, run]) => (run ? [[name, run] as const] : []))
  const missing = Object.keys(VERIFIERS).filter(name => !VERIFIERS[name])
  if (missing.length > 0) console.log(`not verified by ${missing.join(' and ')}: not on this machine`)
  if (present.length === 0) skip('no other language on this machine')
  for (const [name, run] of present) {
    expect([name, run({ jwk: jwk!, content: contentOf(message), signature: signature! })]).toEqual([
      name,
      true,
    ])
    const forged = { jwk: jwk!, content: contentOf(message, '{}'), signature: signature! }
    expect([name, run(forged)]).toEqual([name, false])
  }
})

it('V1A-05 a key that was rotated signs along for a day, and each is published', async () => {
  const { db, access } = stage.stack.app
  const [before] = await publishedKeys()
  await rotateWebhookKey(db, access.cipher, false, async () => undefined)
  // Another process is another reader of the keys; this one would read them again within a minute.
  const rows = await db.webhookKey.findMany({ orderBy: { createdAt: 'desc' } })
  expect(rows.map(({ kid }) => kid)).toEqual([expect.any(String), before!.kid])
  expect(rows.map(({ signsUntil }) => signsUntil === null)).toEqual([true, false])
})

it('V1A-06 MUST send no signature to a client without a secret', async () => {
  const { headers } = await next('demo-partner-2')
  expect(Object.keys(headers).filter(name => name.startsWith('webhook-'))).toEqual([])
})
