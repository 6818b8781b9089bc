/** Webhooks that the process which writes them sends without a claim, and those that it leaves to one. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DECOY_HASH } from '#core/access/secrets.ts'
import type { Statements } from '#core/data/db.ts'
import { originOf } from '#core/egress/callback-policy.ts'
import type { FirstLeases } from '#core/events/append.ts'
import { type Deliverer, startDeliverer } from '#core/webhooks/deliverer.ts'
import { EndpointHealth } from '#core/webhooks/endpoint-health.ts'
import { createFirstAttempts } from '#core/webhooks/first-attempts.ts'
import { setPaused } from '#core/webhooks/health-record.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'
import { commitFirst, eventTo, hostsOf, loopbackAgent, queue } from './queued.ts'
import { type Receiver, startReceiver, status } from './receiver.ts'

const CLIENT = 'demo-partner'
const IDS = new Map([['PAYMENT', 'paymentId']])

describe('first attempts', () => {
  let opened: TestApp
  let deliverer: Deliverer
  let receiver: Receiver
  let ahead: number
  /** Whether the deliverer is woken by commits, so that it claims. */
  let unlisten: () => void

  beforeEach(async () => {
    ahead = 0
    opened = await openTestApp({ env: { LOG_LEVEL: 'silent' } })
    receiver = await startReceiver()
    const { app } = opened
    deliverer = startDeliverer(app, {
      idFields: IDS,
      dispatcher: loopbackAgent(),
      clockOffsetMs: () => ahead,
    })
    await deliverer.idle()
    unlisten = app.eventsWritten.listen(deliverer.wake)
  })
  afterEach(async () => {
    unlisten()
    await receiver[Symbol.asyncDispose]()
    await deliverer.stop()
    await opened[Symbol.asyncDispose]()
  })

  const rows = (db: Pick<Statements, '$queryRaw'> = opened.app.db) =>
    db.$queryRaw<
      { leased: boolean; status: string; attempts: number }[]
    >`SELECT lease IS NOT NULL AS leased, status, attempts FROM events.delivery WHERE client_id <> 'demo' AND url LIKE '%/hooks' ORDER BY position`
  const leased = async (tx: Statements) => (await rows(tx)).filter(row => row.leased).length
  const write = (urls: readonly string[], before?: (tx: Statements) => Promise<unknown>) =>
    commitFirst(opened.app, CLIENT, urls, before)

  it('FIRST-01 a delivery is written with its lease, is sent after the commit and not before, and nobody claims it', async () => {
    let written = 0
    await write([receiver.url], async tx => {
      written = await leased(tx)
      expect(receiver.received).toEqual([])
    })
    expect(written).toBe(1)
    const wakes = vi.fn()
    unlisten()
    opened.app.eventsWritten.listen(wakes)
    await write([receiver.url])
    expect(wakes.mock.calls).toEqual([['begun']])
    await receiver.count(2)
    await deliverer.idle()
    const sent = { leased: false, status: 'DELIVERED', attempts: 1 }
    expect(await rows()).toEqual([sent, sent])
  })

  it('FIRST-02 of a transaction that is rolled back nothing is sent, and its places are free again', async () => {
    const broken = write(Array<string>(20).fill(receiver.url), async tx => {
      expect(await leased(tx)).toBe(8)
      throw new Error('rolled back')
    })
    await expect(broken).rejects.toThrow('rolled back')
    await deliverer.idle()
    await write([receiver.url], async tx => expect(await leased(tx)).toBe(1))
    await deliverer.idle()
    expect(receiver.received).toHaveLength(1)
  })

  it('FIRST-03 a burst takes half of an endpoint’s places at once, and the rest is claimed', async () => {
    await write(Array<string>(60).fill(receiver.url), async tx => expect(await leased(tx)).toBe(8))
    await receiver.count(60)
    await deliverer.idle()
    expect(new Set(receiver.received.map(one => one.body.eventSubscriptionid)).size).toBe(60)
    expect((await rows()).every(row => row.status === 'DELIVERED' && row.attempts === 1)).toBe(true)
  })

  it('FIRST-04 nothing is sent to a paused endpoint', async () => {
    const { db } = opened.app
    await db.$transaction(tx => setPaused(tx, { clientId: CLIENT, origin: originOf(receiver.url) }, true))
    await write([receiver.url], async tx => expect(await leased(tx)).toBe(0))
    await deliverer.idle()
    expect(receiver.received).toEqual([])
    await db.$transaction(tx => setPaused(tx, { clientId: CLIENT, origin: originOf(receiver.url) }, false))
    await deliverer.idle()
    expect(receiver.received).toHaveLength(1)
  })

  it('FIRST-05 a client’s quota holds, and half of it is left to claims', async () => {
    const record = { role: 'partner', name: 'Small', secretHash: DECOY_HASH, quotas: { webhooksInFlight: 4 } }
    await opened.app.db.client.create({ data: { id: 'small', ...record } })
    receiver.answer = () => undefined
    const { port } = new URL(receiver.url)
    await commitFirst(opened.app, 'small', hostsOf('small', port, 10), async tx =>
      expect(await leased(tx)).toBe(2),
    )
    await receiver.count(4)
  })

  it('FIRST-06 what waits for an endpoint comes before what is new, and one that failed gets none', async () => {
    receiver.answer = () => undefined
    await queue(opened.app, CLIENT, Array<string>(40).fill(receiver.url))
    await receiver.count(16)
    await write([receiver.url], async tx => expect(await leased(tx)).toBe(16))
    const failing = await startReceiver()
    failing.answer = status(500)
    await write([failing.url])
    await failing.count(1)
    await vi.waitFor(async () => expect((await rows()).at(-1)).toMatchObject({ leased: false, attempts: 1 }))
    await write([failing.url], async tx => expect(await leased(tx)).toBe(16))
    await failing[Symbol.asyncDispose]()
  })

  it('FIRST-07 what a process has committed and not sent is another’s once the lease is over', async () => {
    unlisten()
    const own = opened.app.webhookSenders.begin()!
    const leases: FirstLeases = {
      take: (events, now) => own.take(events, now),
      written: (kept, waiting) => own.written(kept, waiting),
      isComplete: true,
      send: () => undefined,
      giveBack: () => own.giveBack(),
    }
    vi.spyOn(opened.app.webhookSenders, 'begin').mockReturnValueOnce(leases)
    await write([receiver.url])
    own.giveBack()
    await deliverer.idle()
    expect(receiver.received).toEqual([])
    ahead = 21_000
    await deliverer.idle()
    expect(receiver.received).toHaveLength(1)
  })
})

describe('leases of first attempts', () => {
  const URL = 'https://r.example/hooks'
  const target = { clientId: CLIENT, origin: originOf(URL) }
  const open = () => {
    const endpoints = new EndpointHealth({ perOrigin: 16, now: Date.now })
    const start = vi.fn()
    const clients = { known: () => ({ quotas: null }) } as never
    const isOpen = vi.fn(() => true)
    const kinds = new Set(['PAYMENT'])
    const begin = createFirstAttempts({ access: { clients }, endpoints, capacity: 100, kinds, isOpen, start })
    const take = (leases = begin(), times = 1) => {
      const events = Array.from({ length: times }, () => eventTo(CLIENT, URL))
      const taken = leases.take(events, new Date())
      leases.written(new Set(taken.keys()), times - taken.size)
      return { leases, taken }
    }
    return { endpoints, start, isOpen, take }
  }

  it('FIRST-08 one that is committed late is left to a claim, since its lease might end before the attempt', () => {
    const { endpoints, start, take } = open()
    const { leases } = take()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6_000)
    leases.send()
    clock.mockRestore()
    expect([start.mock.calls, endpoints.inFlight]).toEqual([[], 0])
  })

  it('FIRST-09 nothing gets a lease while nothing may be sent', () => {
    const { isOpen, take } = open()
    isOpen.mockReturnValue(false)
    expect(take().taken.size).toBe(0)
  })

  it('FIRST-10 an endpoint that a claim left deliveries of gets none until a claim has taken all', () => {
    const { endpoints, take } = open()
    const took = (isFull: boolean) => endpoints.claimed(CLIENT, new Map([[target.origin, isFull]]), false)
    took(true)
    expect(take().taken.size).toBe(0)
    took(false)
    expect(take().taken.size).toBe(1)
    endpoints.claimed(CLIENT, new Map(), true)
    expect(take().taken.size).toBe(0)
    endpoints.waiting([CLIENT])
    expect(take().taken.size).toBe(0)
    endpoints.waiting([])
    expect(take().taken.size).toBe(1)
  })

  it('FIRST-11 those of a client without places left are complete only where none waits', () => {
    const { take } = open()
    expect(take().leases.isComplete).toBe(true)
    const { leases, taken } = take(undefined, 20)
    expect([taken.size, leases.isComplete]).toEqual([7, false])
  })
})
