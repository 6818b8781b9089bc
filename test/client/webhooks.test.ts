/** The receiver of webhooks: genuine messages of a running server, and everything that is none. */
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { webhookListener } from '#client/node.ts'
import {
  createWebhookReceiver,
  type EventNotification,
  memoryReplayStore,
  type ReceiverOptions,
  WebhookRefusal,
} from '#client/webhooks.ts'
import { rotateWebhookKey } from '#core/access/webhook-keys.ts'
import { openStage, type Stage } from '#test/core/webhooks/stage.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')
const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const PAIR = generateKeyPairSync('ed25519')

const bodyOf = (eventid = 'event-1') => JSON.stringify({ eventSubscriptionid: 'x', event: { eventid } })

const whpk = (key: KeyObject) =>
  `whpk_${Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url').toString('base64')}`

interface Options {
  readonly body?: string
  readonly at?: number
  readonly secret?: string
  readonly key?: KeyObject
  readonly id?: string
}

/** Headers as a sender signs them. */
const signedHeaders = ({ body = bodyOf(), at = NOW, secret, key, id = 'event-1' }: Options) => {
  const timestamp = `${Math.floor(at / 1_000)}`
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  const signatures = [
    ...(secret
      ? [
          `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
            .update(content)
            .digest('base64')}`,
        ]
      : []),
    ...(key ? [`v1a,${sign(null, content, key).toString('base64')}`] : []),
  ]
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const receiverOf = (options: ReceiverOptions) => createWebhookReceiver({ now: () => NOW, ...options })

const reasonOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    error => error,
  )
  if (!(error instanceof WebhookRefusal)) throw error ?? new Error('it was not refused')
  return error.reason
}

describe('signatures', () => {
  const bySecret = receiverOf({ secrets: [SECRET] })
  const byKey = receiverOf({ publicKeys: [whpk(PAIR.publicKey)] })

  it('CLIENT-HOOK-01 MUST accept v1 by a secret and v1a by a key, each alone and beside the other', async () => {
    const both = signedHeaders({ secret: SECRET, key: PAIR.privateKey })
    for (const receiver of [
      bySecret,
      byKey,
      receiverOf({ secrets: [SECRET], publicKeys: [whpk(PAIR.publicKey)] }),
    ])
      expect(await receiver.verify(both, bodyOf())).toEqual(JSON.parse(bodyOf()))
    await bySecret.verify(new Headers(signedHeaders({ secret: SECRET })), bodyOf())
    await byKey.verify(signedHeaders({ key: PAIR.privateKey }), bodyOf())
  })

  it('CLIENT-HOOK-02 MUST refuse another secret, key, body, id or version', async () => {
    const other = generateKeyPairSync('ed25519').privateKey
    const headers = signedHeaders({ secret: SECRET, key: PAIR.privateKey })
    const swapped = headers['webhook-signature'].replace('v1,', 'v2,').replace('v1a,', 'v1b,')
    for (const receiver of [bySecret, byKey]) {
      const refusals = [
        () => receiver.verify(signedHeaders({ secret: `${SECRET.slice(0, -5)}AAAA=`, key: other }), bodyOf()),
        () => receiver.verify(headers, `${bodyOf()} `),
        () => receiver.verify({ ...headers, 'webhook-id': 'event-2' }, bodyOf()),
        () => receiver.verify({ ...headers, 'webhook-signature': swapped }, bodyOf()),
        () =>
          receiver.verify({ ...headers, 'webhook-signature': 'v1,!!! v1a,%%% v1,AAAA v1a,AAAA' }, bodyOf()),
      ]
      for (const refused of refusals)
        expect(await reasonOf(refused())).toMatch(/^(WRONG_SIGNATURE|NOT_SIGNED)$/)
    }
  })

  it('CLIENT-HOOK-03 MUST refuse what is older or newer than the tolerance, and what has no time', async () => {
    const minute = 60_000
    const at = (offset: number) =>
      bySecret.verify(signedHeaders({ secret: SECRET, at: NOW + offset }), bodyOf())
    await at(-5 * minute)
    await at(5 * minute)
    expect(await reasonOf(at(-5 * minute - 1_000))).toBe('TOO_OLD')
    expect(await reasonOf(at(5 * minute + 1_000))).toBe('TOO_NEW')
    const headers = signedHeaders({ secret: SECRET })
    for (const time of ['', 'now', '-1', '1e3'])
      expect(await reasonOf(bySecret.verify({ ...headers, 'webhook-timestamp': time }, bodyOf()))).toBe(
        'NOT_SIGNED',
      )
    expect(await reasonOf(bySecret.verify({}, bodyOf()))).toBe('NOT_SIGNED')
  })

  it('CLIENT-HOOK-04 MUST refuse a body that is no notification, however well it is signed', async () => {
    for (const body of ['', '[]', 'null', '{"event":{}}'])
      expect(await reasonOf(bySecret.verify(signedHeaders({ secret: SECRET, body }), body))).toBe('NOT_JSON')
  })

  it('CLIENT-HOOK-05 MUST say what is wrong with a secret or a key, and refuse to be made without any', async () => {
    expect(() => createWebhookReceiver({})).toThrow('needs secrets, publicKeys or both')
    const headers = signedHeaders({ secret: SECRET })
    await expect(receiverOf({ secrets: ['whsec_short'] }).verify(headers, bodyOf())).rejects.toThrow(
      '24 to 64 octets',
    )
    await expect(receiverOf({ publicKeys: ['whpk_AAAA'] }).verify(headers, bodyOf())).rejects.toThrow(
      '32 octets',
    )
  })
})

describe('replays', () => {
  const headers = signedHeaders({ secret: SECRET })

  it('CLIENT-HOOK-06 MUST handle an event once, also where its copies come at the same time', async () => {
    const receiver = receiverOf({ secrets: [SECRET] })
    let calls = 0
    const gate = Promise.withResolvers<void>()
    const handler = () => {
      calls += 1
      return gate.promise
    }
    const all = Promise.all(Array.from({ length: 3 }, () => receiver.receive(headers, bodyOf(), handler)))
    gate.resolve()
    expect((await all).toSorted()).toEqual(['handled', 'known', 'known'])
    expect(calls).toBe(1)
  })

  it('CLIENT-HOOK-07 MUST hand an event out again whose handler failed', async () => {
    const receiver = receiverOf({ secrets: [SECRET] })
    const failing = () => Promise.reject(new Error('no room'))
    await expect(receiver.receive(headers, bodyOf(), failing)).rejects.toThrow('no room')
    expect(await receiver.receive(headers, bodyOf(), () => undefined)).toBe('handled')
    expect(await receiver.receive(headers, bodyOf(), failing)).toBe('known')
  })

  it('CLIENT-HOOK-08 keeps ids in memory for a while, and so many at the most', async () => {
    let now = NOW
    const store = memoryReplayStore({ max: 2, keepMs: 1_000, now: () => now })
    for (const id of ['a', 'b', 'c']) await store.add(id)
    expect([await store.has('a'), await store.has('b'), await store.has('c')]).toEqual([false, true, true])
    now += 1_000
    expect(await store.has('c')).toBe(false)
  })

  it('CLIENT-HOOK-09 answers a request: 204, 400 for what is refused, 500 for a handler that failed', async () => {
    const receiver = receiverOf({ secrets: [SECRET] })
    const request = (body = bodyOf()) => new Request('http://hooks.test/', { method: 'POST', headers, body })
    const statuses = [
      await receiver.respond(request(), () => Promise.reject(new Error('no room'))),
      await receiver.respond(request(), () => undefined),
      await receiver.respond(request(), () => undefined),
      await receiver.respond(request(bodyOf('forged')), () => undefined),
      await receiver.respond(request('x'.repeat(100_000)), () => undefined),
    ].map(({ status }) => status)
    expect(statuses).toEqual([500, 204, 204, 400, 413])
  })

  it('CLIENT-HOOK-13 MUST hand on why a request was answered 400 or 500', async () => {
    const receiver = receiverOf({ secrets: [SECRET] })
    const faults: unknown[] = []
    const fail = (body = bodyOf()) =>
      receiver.respond(
        new Request('http://hooks.test/', { method: 'POST', headers, body }),
        () => Promise.reject(new Error('no room')),
        error => faults.push(error),
      )
    expect([(await fail()).status, (await fail(bodyOf('forged'))).status]).toEqual([500, 400])
    expect(faults).toEqual([new Error('no room'), expect.objectContaining({ reason: 'WRONG_SIGNATURE' })])
  })

  it('CLIENT-HOOK-14 MUST read no more of a body than may be taken', async () => {
    const receiver = receiverOf({ secrets: [SECRET] })
    let chunks = 0
    const endless = new ReadableStream({
      pull(controller) {
        chunks += 1
        if (chunks > 100) controller.error(new Error('all of it was read'))
        else controller.enqueue(new Uint8Array(10_000))
      },
    })
    const init = { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit
    const { status } = await receiver.respond(new Request('http://hooks.test/', init), () => undefined)
    expect(status).toBe(413)
    expect(chunks).toBeLessThan(20)
  })
})

describe('against a server', () => {
  let stage: Stage
  let secret: string
  const handled: EventNotification[] = []
  const faults: unknown[] = []
  const server = createServer()
  beforeAll(async () => {
    stage = await openStage()
    const token = await stage.stack.token('demo-partner')
    const { data } = await stage.graph('mutation { rotateWebhookSecret { secret } }', { token })
    secret = data.rotateWebhookSecret.secret
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await stage[Symbol.asyncDispose]()
  })

  /** Posts a payment to a receiver; what was handled of it. */
  const send = async (options: ReceiverOptions) => {
    const receiver = createWebhookReceiver(options)
    const listener = webhookListener(
      receiver,
      one => handled.push(one),
      fault => faults.push(fault),
    )
    server.removeAllListeners('request').on('request', listener)
    const id = await stage.pay({
      notificationUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    })
    await stage.sent()
    return handled
      .filter(({ event }) => event.eventDetail.paymentId === id)
      .map(({ event }) => event.eventType)
  }
  const jwks = () => `${stage.stack.address}/.well-known/jwks.json`

  it('CLIENT-HOOK-10 MUST verify webhooks of a running server by secret, and by its published keys', async () => {
    expect(await send({ secrets: [secret] })).toEqual(['PAYMENT_COMPLETED'])
    expect(await send({ publicKeys: jwks() })).toEqual(['PAYMENT_COMPLETED'])
    expect(faults).toEqual([])
    expect(await send({ secrets: [SECRET] })).toEqual([])
    expect(faults).toEqual([expect.objectContaining({ reason: 'WRONG_SIGNATURE' })])
  })

  it('CLIENT-HOOK-11 MUST read the published keys again for a signature that none of them made, once a minute', async () => {
    let now = Date.now()
    const readings: string[] = []
    const published = createServer((request, response) => {
      readings.push(`${request.url}`)
      response.end(JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256' }, ...keys] }))
    }).listen(0, '127.0.0.1')
    await once(published, 'listening')
    const [first, second] = [PAIR, generateKeyPairSync('ed25519')]
    let keys = [first.publicKey.export({ format: 'jwk' })]
    const publicKeys = `http://127.0.0.1:${(published.address() as AddressInfo).port}/jwks.json`
    const receiver = createWebhookReceiver({ publicKeys, now: () => now })
    const verify = (key: KeyObject) => receiver.verify(signedHeaders({ key, at: now }), bodyOf())
    await verify(first.privateKey)
    keys = [...keys, second.publicKey.export({ format: 'jwk' })]
    expect(await reasonOf(verify(second.privateKey))).toBe('WRONG_SIGNATURE')
    expect(readings).toHaveLength(1)
    now += 60_000
    await verify(second.privateKey)
    await verify(second.privateKey)
    expect(readings).toHaveLength(2)
    published.closeAllConnections()
    published.close()
    now += 300_000
    await verify(first.privateKey)
  })

  it('CLIENT-HOOK-12 goes on over a rotation of the keys', async () => {
    const { db, access } = stage.stack.app
    await rotateWebhookKey(db, access.cipher, false, async () => undefined)
    expect(await send({ publicKeys: jwks() })).toEqual(['PAYMENT_COMPLETED'])
  })
})
