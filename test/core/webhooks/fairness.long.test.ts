/** Slots are shared by client first: a client with many receivers that never answer keeps no other client waiting. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DECOY_HASH } from '#core/access/secrets.ts'
import { type Deliverer, startDeliverer } from '#core/webhooks/deliverer.ts'
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
    // The stop breaks off attempts to receivers that never answer.
    await receiver[Symbol.asyncDispose]()
    await deliverer.stop()
    await opened[Symbol.asyncDispose]()
  })

  const inFlight = () => opened.app.db.delivery.count({ where: { lease: { not: null } } })
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
    expect(await inFlight()).toBeGreaterThanOrEqual(QUOTA)
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
