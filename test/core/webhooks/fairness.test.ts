/** Places are shared by client first: whoever has many receivers that never answer keeps nobody else waiting. */
import { check, constantFrom, integer, property, record, uniqueArray } from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DECOY_HASH } from '#core/access/secret-hash.ts'
import { type Deliverer, startDeliverer } from '#core/webhooks/deliverer.ts'
import { sharePlaces } from '#core/webhooks/fair-shares.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'
import { hostsOf, loopbackAgent, queue, queueAll } from './queued.ts'
import { type Receiver, startReceiver, status } from './receiver.ts'

const QUOTA = 256

describe('fairness', () => {
  let opened: TestApp
  let deliverer: Deliverer
  let receiver: Receiver
  let port: string

  beforeEach(async () => {
    opened = await openTestApp({ env: { LOG_LEVEL: 'silent' } })
    receiver = await startReceiver()
    receiver.answer = (response, one) => {
      if (one.headers.host!.includes('answering')) status(204)(response, one)
    }
    port = new URL(receiver.url).port
    deliverer = startDeliverer(opened.app, {
      idFields: new Map([['PAYMENT', 'paymentId']]),
      dispatcher: loopbackAgent(),
      timeLimitMs: 60_000,
    })
    opened.app.eventsWritten.listen(deliverer.wake)
  })
  afterEach(async () => {
    // Nobody waits for those who never answer: the stop breaks their attempts off.
    await receiver[Symbol.asyncDispose]()
    await deliverer.stop()
    await opened[Symbol.asyncDispose]()
  })

  const underWay = () => opened.app.db.delivery.count({ where: { lease: { not: null } } })
  const arrived = (name: string) => receiver.received.filter(one => one.headers.host!.includes(name)).length

  it('FAIR-01 a client holds its quota of places and no more, and another is served at once', async () => {
    await queue(opened.app, 'silent', hostsOf('silent', port, 600))
    await receiver.count(QUOTA)
    await queue(opened.app, 'other', hostsOf('answering', port, 20))
    await receiver.count(QUOTA + 20)
    expect([arrived('silent'), arrived('answering')]).toEqual([QUOTA, 20])
    const delivered = () =>
      opened.app.db.delivery.count({ where: { clientId: 'other', status: 'DELIVERED' } })
    await vi.waitFor(async () => expect(await delivered()).toBeGreaterThan(0), { timeout: 10_000 })
    expect(await underWay()).toBeGreaterThanOrEqual(QUOTA)
  })

  it('FAIR-02 five clients with silent receivers leave a sixth as much room as each of them has', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map(name => `silent-${name}`)
    await queueAll(opened.app, Object.fromEntries(names.map(name => [name, hostsOf(name, port, 180)])))
    await receiver.count(850)
    await queue(opened.app, 'other', hostsOf('answering', port, 30))
    await receiver.count(880)
    expect(arrived('answering')).toBe(30)
    expect(names.map(arrived)).toEqual([170, 170, 170, 170, 170])
  })

  it('FAIR-03 the quota is the one of the client’s record', async () => {
    const record = { role: 'partner', name: 'Small', secretHash: DECOY_HASH, quotas: { webhooksInFlight: 3 } }
    await opened.app.db.client.create({ data: { id: 'small', ...record } })
    await queue(opened.app, 'small', hostsOf('silent', port, 10))
    await receiver.count(3)
    await queue(opened.app, 'other', hostsOf('answering', port, 1))
    await receiver.count(4)
    expect([arrived('silent'), arrived('answering')]).toEqual([3, 1])
  })

  it('FAIR-04 a client with more receivers than one claim looks at comes to all of them', async () => {
    receiver.answer = status(204)
    await queue(opened.app, 'many', hostsOf('answering', port, 600))
    await receiver.count(600)
    expect(new Set(receiver.received.map(one => one.headers.host)).size).toBe(600)
  })
})

const WAITING = uniqueArray(
  record({
    clientId: integer({ min: 0, max: 1_000 }).map(String),
    underWay: integer({ min: 0, max: 300 }),
    quota: constantFrom(1, 16, 256, 5_000),
  }),
  { selector: ({ clientId }) => clientId, maxLength: 60 },
)

describe('places', () => {
  it('FAIR-10 are never given out twice, beyond a quota, or to one while another with less gets none', () => {
    const holds = property(integer({ min: -5, max: 1_024 }), WAITING, (free, waiting) => {
      const shares = sharePlaces(free, waiting)
      const given = [...shares].filter(([id]) => waiting.find(one => one.clientId === id)!.underWay > 0)
      expect(given.reduce((sum, [, { places }]) => sum + places, 0)).toBeLessThanOrEqual(Math.max(0, free))
      for (const { clientId, underWay, quota } of waiting) {
        const share = shares.get(clientId)
        if (underWay === 0) expect(share?.places).toBeGreaterThanOrEqual(1)
        if (!share) continue
        expect(share.most).toBeLessThanOrEqual(quota)
        const poorer = waiting.filter(one => one.underWay < Math.min(underWay, one.quota))
        for (const one of poorer) expect(shares.has(one.clientId)).toBe(true)
      }
    })
    expect(check(holds, { numRuns: 500 }).counterexample).toBeNull()
  })

  it('FAIR-11 leave the next client room, however many came before it', () => {
    const held = new Map<string, number>()
    const free = () => 1_024 - [...held.values()].reduce((sum, one) => sum + one, 0)
    for (let count = 1; count <= 8; count++) {
      held.set(`client-${count}`, 0)
      const waiting = [...held].map(([clientId, underWay]) => ({ clientId, underWay, quota: 256 }))
      for (const [id, { most }] of sharePlaces(free(), waiting)) held.set(id, most)
      expect(held.get(`client-${count}`)).toBeGreaterThan(0)
      expect(free()).toBeGreaterThan(0)
    }
    const together = Array.from({ length: 4 }, (_, index) => ({
      clientId: `${index}`,
      underWay: 0,
      quota: 256,
    }))
    expect([...sharePlaces(1_024, together).values()].map(({ places }) => places)).toEqual([
      204, 204, 204, 204,
    ])
  })
})
