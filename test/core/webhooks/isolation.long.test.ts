/** One receiver's trouble is its own; the events of one transaction stay in order; several senders share the queue. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#core/values/id.ts'
import { claim, type DeliveryLimits } from '#core/webhooks/claim.ts'
import { startDeliverer } from '#core/webhooks/deliverer.ts'
import { EndpointHealth } from '#core/webhooks/endpoint-health.ts'
import { recordOutcomes } from '#core/webhooks/outcomes.ts'
import { type Receiver, startReceiver, status } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

const CLIENT = 'demo-partner'
const LIMITS: DeliveryLimits = {
  clients: [{ clientId: CLIENT, slots: 100, most: 100, after: '' }],
  perOrigin: 16,
  known: [],
  kinds: ['PAYMENT'],
}
/** Away from what the running deliverer takes. */
const ORIGIN = 'https://order.example'

describe('isolation', () => {
  let stage: Stage
  let receiver: Receiver

  beforeAll(async () => {
    stage = await openStage({ timeLimitMs: 15_000 })
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  it('HOOK-60 receivers that hang delay no other, however much waits for them', async () => {
    const hung = await Promise.all(Array.from({ length: 4 }, startReceiver))
    for (const one of hung) one.answer = () => undefined
    await Promise.all(
      hung.flatMap(one => Array.from({ length: 20 }, () => stage.pay({ notificationUrl: one.url }))),
    )
    await Promise.all(hung.map(one => one.count(16)))
    const started = Date.now()
    await stage.pay({ notificationUrl: receiver.url })
    await receiver.count(1)
    expect(Date.now() - started).toBeLessThan(5_000)
    expect(hung.map(one => one.received.length)).toEqual([16, 16, 16, 16])
    for (const one of hung) await one[Symbol.asyncDispose]()
  })

  /** Two events of one transaction, as a success and its reversal would be; nothing is sent to them here. */
  const twoEvents = async (origin: string) => {
    const { db } = stage.stack.app
    const transactionId = randomUUID()
    const ids = [newId(), newId()]
    const [last] = await db.$queryRaw<
      { position: bigint }[]
    >`SELECT max(position) AS position FROM events.event`
    for (const [index, id] of ids.entries()) {
      const position = last!.position + 1_000_000n + BigInt(index)
      const shared = {
        position,
        eventid: randomUUID(),
        kind: 'PAYMENT',
        transactionId,
        clientId: CLIENT,
      }
      await db.event.create({
        data: {
          ...shared,
          eventType: 'PAYMENT_COMPLETED',
          eventTime: new Date(),
          operationStatus: 'succeeded',
          status: 'succeeded',
          description: 'x',
        },
      })
      const url = `${origin}/hooks`
      await db.delivery.create({
        data: { ...shared, id, url, origin, createdAt: new Date(), nextAttemptAt: new Date(2_100, 0) },
      })
    }
    return { transactionId, ids }
  }
  const future = Date.UTC(2101, 0) - Date.now()
  const claimAll = async (ahead: number) =>
    (await claim(stage.stack.app.db, LIMITS, ahead)).get(CLIENT)?.deliveries ?? []

  it('HOOK-61 a later event of a transaction waits until the earlier one has arrived or is given up', async () => {
    const { db } = stage.stack.app
    const { transactionId, ids } = await twoEvents(ORIGIN)
    const mine = async () => (await claimAll(future)).filter(one => one.transactionId === transactionId)
    const [first, ...none] = await mine()
    expect([first!.id, none]).toEqual([ids[0], []])
    expect(await mine()).toEqual([])
    const outcome = {
      ...{ id: first!.id, clientId: CLIENT, origin: ORIGIN, lease: first!.lease },
      lastStatus: 500,
      lastError: null,
      waitMs: 0,
      counts: true,
    }
    await recordOutcomes(db, [{ ...outcome, status: 'PENDING' }], future)
    const [again] = await mine()
    expect([again!.id, again!.attempts]).toEqual([ids[0], 1])
    await recordOutcomes(db, [{ ...outcome, lease: again!.lease, status: 'DEAD', waitMs: null }], future)
    expect((await mine()).map(one => one.id)).toEqual([ids[1]])
    await db.delivery.deleteMany({ where: { transactionId } })
  })

  it('HOOK-62 a lease that has run out frees the delivery, and its sender can no longer note a failure', async () => {
    const { db } = stage.stack.app
    const { transactionId } = await twoEvents(ORIGIN)
    const mine = async (ahead: number) =>
      (await claimAll(ahead)).find(one => one.transactionId === transactionId)!
    const late = await mine(future)
    expect(await mine(future + 19_000)).toBeUndefined()
    const next = await mine(future + 21_000)
    expect(next.id).toBe(late.id)
    const outcome = { id: late.id, clientId: CLIENT, origin: ORIGIN, lease: late.lease, counts: true }
    const failed = { ...outcome, lastStatus: 500, lastError: null, waitMs: null, status: 'DEAD' as const }
    expect((await recordOutcomes(db, [failed], future)).count).toBe(0)
    expect((await recordOutcomes(db, [{ ...failed, status: 'DELIVERED' }], future)).count).toBe(1)
    await db.delivery.deleteMany({ where: { transactionId } })
  })

  it('HOOK-63 several senders send each event once', async () => {
    const { app } = stage.stack
    const idFields = new Map([['PAYMENT', 'paymentId']])
    const others = [1, 2].map(() => startDeliverer(app, { idFields }))
    const unlisten = others.map(one => app.eventsWritten.listen(one.wake))
    const ids = await Promise.all(
      Array.from({ length: 60 }, () => stage.pay({ notificationUrl: receiver.url })),
    )
    await stage.sent()
    await Promise.all(others.map(one => one.idle()))
    for (const stop of unlisten) stop()
    await Promise.all(others.map(one => one.stop()))
    const came = receiver.received.map(one => one.body.eventSubscriptionid).filter(id => ids.includes(id))
    expect(came.toSorted()).toEqual(ids.toSorted())
  })

  it('HOOK-64 what is under way at a stop is given back, not counted, and sent by the next process', async () => {
    const silent = await startReceiver()
    silent.answer = () => undefined
    const id = await stage.pay({ notificationUrl: silent.url })
    await silent.count(1)
    await stage.deliverer.stop()
    const delivery = await stage.stack.app.db.delivery.findFirst({ where: { transactionId: id } })
    expect(delivery).toMatchObject({ status: 'PENDING', attempts: 0, lease: null, lastError: null })
    silent.answer = status(204)
    const next = startDeliverer(stage.stack.app, { idFields: new Map([['PAYMENT', 'paymentId']]) })
    await next.idle()
    await next.stop()
    expect(silent.received.map(one => one.body.eventSubscriptionid)).toEqual([id, id])
    await silent[Symbol.asyncDispose]()
  })
})

describe('endpoints', () => {
  const OTHER = 'https://a.example'
  const target = { clientId: CLIENT, origin: OTHER }
  const known = (endpoints: EndpointHealth) => endpoints.known([CLIENT])
  const start = () => {
    const clock = { now: 0 }
    return { clock, endpoints: new EndpointHealth({ perOrigin: 16, now: () => clock.now }) }
  }
  const fail = (endpoints: EndpointHealth, times: number) => {
    for (let i = 0; i < times; i++) {
      endpoints.started(target)
      endpoints.ended(target, false)
    }
  }

  it('HOOK-65 many failures in a short time pause no endpoint, nor do few in a long time', () => {
    const { clock, endpoints } = start()
    fail(endpoints, 100)
    expect(known(endpoints)).toEqual([])
    const few = start()
    fail(few.endpoints, 1)
    few.clock.now = 600_000
    fail(few.endpoints, 5)
    expect(known(few.endpoints)).toEqual([])
    clock.now = 130_000
    fail(endpoints, 1)
    expect(known(endpoints)).toMatchObject([{ most: 0 }])
  })

  it('HOOK-66 after a pause one attempt is a probe; its success ends the trouble', () => {
    const { clock, endpoints } = start()
    fail(endpoints, 30)
    clock.now = 130_000
    fail(endpoints, 1)
    clock.now += 11_000
    expect(known(endpoints)).toMatchObject([{ most: 1 }])
    endpoints.started(target)
    expect(known(endpoints)).toMatchObject([{ inFlight: 1, most: 1 }])
    endpoints.ended(target, true)
    expect([known(endpoints), endpoints.inFlight]).toEqual([[], 0])
  })

  it('HOOK-67 an endpoint that failed and was not heard of again is forgotten', () => {
    const { clock, endpoints } = start()
    fail(endpoints, 1)
    clock.now = 3_700_000
    expect(known(endpoints)).toEqual([])
  })
})
