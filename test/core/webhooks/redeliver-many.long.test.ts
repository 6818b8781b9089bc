/** Many deliveries sent again by one call in the graph: whose, which, how many, and each but once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_REDELIVERED } from '#core/webhooks/redeliver.ts'
import { queueDead } from './queued.ts'
import { type Receiver, startReceiver, status } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

const REDELIVER = 'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { id } }'

describe('redelivering many', () => {
  let stage: Stage
  let receiver: Receiver
  const dead: string[] = []

  beforeAll(async () => {
    stage = await openStage()
    receiver = await startReceiver()
    receiver.answer = status(410)
    for (const client of ['demo-partner', 'demo-partner-2', 'demo-partner'])
      dead.push(await stage.pay({ notificationUrl: receiver.url }, client))
    await stage.sent()
    receiver.answer = status(204)
  })

  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const ask = async (client: string, query: string, variables: object = {}) =>
    stage.graph(query, { token: await stage.stack.token(client), variables })

  const redeliverMany = async (client: string, filter?: object) => {
    const query = 'mutation ($filter: RedeliverWebhooksFilter) { redeliverWebhooks(filter: $filter) }'
    const { data, errors } = await ask(client, query, { filter })
    return data.redeliverWebhooks ?? errors[0]!.extensions.code
  }

  const statuses = async () =>
    Promise.all(dead.map(async id => (await stage.deliveries(id)).map(one => one.status).join()))
  const createdAt = async (id: string) => (await stage.deliveries(id))[0].createdAt

  it('HOOK-95 an analyst may not; a partner does nothing to another', async () => {
    expect(await redeliverMany('demo-analyst')).toBe('PERMISSION_DENIED')
    expect(await redeliverMany('demo-partner', { partner: 'demo-partner-2' })).toBe(0)
    expect(await statuses()).toEqual(['DEAD', 'DEAD', 'DEAD'])
  })

  it('HOOK-96 a partner sends again what died since a time, and nothing of another', async () => {
    const since = await createdAt(dead[2]!)
    expect(await redeliverMany('demo-partner', { status: 'DEAD', since: '2999-01-01T00:00:00Z' })).toBe(0)
    expect(await redeliverMany('demo-partner', { status: 'DEAD', since })).toBe(1)
    await stage.sent()
    expect(await statuses()).toEqual(['DEAD', 'DEAD', 'DELIVERED'])
    expect(receiver.received.at(-1)!.body.eventSubscriptionid).toBe(dead[2])
  })

  it("HOOK-97 a portal sends one partner's again, or everyone's; what is dead unless it says otherwise", async () => {
    expect(await redeliverMany('demo-portal', { partner: 'demo-partner-2' })).toBe(1)
    const [from, until] = [await createdAt(dead[0]!), await createdAt(dead[0]!)]
    expect(await redeliverMany('demo-portal', { since: from, until })).toBe(1)
    await stage.sent()
    expect(await statuses()).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED'])
    expect(await redeliverMany('demo-portal', { since: from })).toBe(0)
  })

  it('HOOK-98 what waits is due at once, and what is due is not counted again', async () => {
    receiver.answer = status(500)
    const [delivery] = await stage.deliveries(dead[1]!)
    await ask('demo-portal', REDELIVER, { id: delivery.id })
    await stage.sent()
    const waiting = { status: 'PENDING', partner: 'demo-partner-2' }
    expect(await redeliverMany('demo-portal', waiting)).toBe(1)
    receiver.answer = status(204)
    await stage.sent()
    expect(await redeliverMany('demo-portal', waiting)).toBe(0)
    expect(
      (await stage.deliveries(dead[1]!))[0].attemptLog.map((one: { status: number }) => one.status),
    ).toEqual([410, 204, 500, 204])
  })

  it('HOOK-A0 what has arrived is sent again once, however often that is requested', async () => {
    const arrived = { since: await createdAt(dead[0]!), status: 'DELIVERED' }
    const lastAttemptUntil = new Date()
    for (const wrong of [undefined, '2999-01-01T00:00:00Z'])
      expect(await redeliverMany('demo-portal', { ...arrived, lastAttemptUntil: wrong })).toBe(
        'INVALID_ARGUMENT',
      )
    const before = receiver.received.length
    expect(await redeliverMany('demo-portal', { ...arrived, lastAttemptUntil })).toBe(3)
    await stage.sent()
    expect(await statuses()).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED'])
    expect(await redeliverMany('demo-portal', { ...arrived, lastAttemptUntil })).toBe(0)
    await stage.sent()
    expect(receiver.received).toHaveLength(before + 3)
  })

  it('HOOK-A1 what is refused for good at once, and what waits again, is sent again once too', async () => {
    const own = { since: await createdAt(dead[2]!), partner: 'demo-partner' }
    const answers = [
      ['DELIVERED', 410],
      ['DEAD', 410],
      ['DEAD', 500],
      ['PENDING', 500],
    ] as const
    for (const [from, answer] of answers) {
      receiver.answer = status(answer)
      const filter = { ...own, status: from, lastAttemptUntil: new Date() }
      expect(await redeliverMany('demo-partner', filter)).toBe(1)
      await stage.sent()
      expect(await redeliverMany('demo-partner', filter)).toBe(0)
    }
  })

  it('HOOK-99 a call does a bounded part, the oldest first', async () => {
    const urls = Array.from({ length: MAX_REDELIVERED + 2 }, (_, n) => `${receiver.url}/${n}`)
    const { db } = stage.stack.app
    const since = new Date()
    await queueDead(stage.stack.app, 'demo-partner', urls)
    const filter = { since, partner: 'demo-partner' }
    expect(await redeliverMany('demo-partner', filter)).toBe(MAX_REDELIVERED)
    const left = await db.delivery.findMany({
      where: { status: 'DEAD', clientId: 'demo-partner', createdAt: { gte: since } },
      orderBy: { position: 'asc' },
    })
    expect(left.map(({ url }) => url)).toEqual(urls.slice(-2))
    expect(await redeliverMany('demo-partner', filter)).toBe(2)
    expect(await redeliverMany('demo-partner', filter)).toBe(0)
  })
})
