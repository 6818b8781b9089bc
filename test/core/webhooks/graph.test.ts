/** Deliveries in the graph: who sees what, lists, redelivery. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, status } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

const LIST = `query ($filter: WebhookDeliveryFilter, $first: Int, $after: String, $orderBy: TransactionOrder) {
  webhookDeliveries(filter: $filter, first: $first, after: $after, orderBy: $orderBy) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor } nodes { id client { id name } transactionId status kind } } }`
const REDELIVER = 'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { id status } }'

describe('deliveries in the graph', () => {
  let stage: Stage
  let receiver: Receiver
  let ids: string[]

  beforeAll(async () => {
    stage = await openStage()
    receiver = await startReceiver()
    ids = []
    for (const client of ['demo-partner', 'demo-partner-2', 'demo-partner'])
      ids.push(
        await stage.pay({ notificationUrl: receiver.url, notificationAuthToken: 'token-8213' }, client),
      )
    await stage.sent()
    receiver.answer = status(410, 'gone')
    ids.push(await stage.pay({ notificationUrl: receiver.url }))
    await stage.sent()
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const ask = async (client: string, query: string, variables: object = {}) =>
    stage.graph(query, { token: await stage.stack.token(client), variables })
  const list = async (client: string, variables: object = {}) =>
    (await ask(client, LIST, variables)).data.webhookDeliveries

  it('HOOK-70 portal and analyst see all, a partner its own', async () => {
    for (const client of ['demo-portal', 'demo-analyst']) expect((await list(client)).totalCount).toBe(4)
    const mine = await list('demo-partner-2')
    expect(mine.totalCount).toBe(1)
    expect(mine.nodes[0]).toMatchObject({
      transactionId: ids[1],
      client: { id: 'demo-partner-2', name: 'Second demo partner' },
    })
    const posted = (await list('demo-analyst')).nodes.map((one: { client: { id: string } }) => one.client.id)
    expect(posted).toEqual(['demo-partner', 'demo-partner', 'demo-partner-2', 'demo-partner'])
    expect((await list('demo-partner', { filter: { clientId: 'demo-partner-2' } })).totalCount).toBe(0)
  })

  it('HOOK-71 pages, newest first unless requested otherwise', async () => {
    const first = await list('demo-portal', { first: 3 })
    expect(first.nodes.map((one: { transactionId: string }) => one.transactionId)).toEqual([
      ids[3],
      ids[2],
      ids[1],
    ])
    expect(first.pageInfo.hasNextPage).toBe(true)
    const second = await list('demo-portal', { first: 3, after: first.pageInfo.endCursor })
    expect(second.nodes).toMatchObject([{ transactionId: ids[0] }])
    expect(second.pageInfo.hasNextPage).toBe(false)
    const oldest = await list('demo-portal', { first: 1, orderBy: 'OLDEST_FIRST' })
    expect(oldest.nodes).toMatchObject([{ transactionId: ids[0] }])
  })

  it.each([
    ['status', () => ({ status: 'DEAD' }), [3]],
    ['client', () => ({ clientId: 'demo-partner-2' }), [1]],
    ['transaction', () => ({ transactionId: ids[2] }), [2]],
    ['kind', () => ({ kind: 'REWARD' }), []],
    ['time', () => ({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }), []],
    ['all of them', () => ({ status: 'DELIVERED', clientId: 'demo-partner', kind: 'PAYMENT' }), [2, 0]],
  ] as [string, () => object, number[]][])('HOOK-72 filters by %s', async (_, filter, wanted) => {
    const { nodes, totalCount } = await list('demo-portal', { filter: filter() })
    expect(nodes.map((one: { transactionId: string }) => one.transactionId)).toEqual(
      wanted.map(at => ids[at]),
    )
    expect(totalCount).toBe(wanted.length)
  })

  it('HOOK-73 an id that is none is an invalid argument', async () => {
    const { errors } = await ask('demo-portal', LIST, { filter: { transactionId: 'x' } })
    expect(errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
  })

  it('HOOK-74 an analyst sees no address: null and an error for that field', async () => {
    const query = '{ webhookDeliveries { nodes { id status notificationUrl } } }'
    const { data, errors } = await ask('demo-analyst', query)
    expect(data.webhookDeliveries.nodes).toHaveLength(4)
    expect(
      data.webhookDeliveries.nodes.every((one: { notificationUrl: null }) => one.notificationUrl === null),
    ).toBe(true)
    expect(errors[0]!.extensions.code).toBe('PERMISSION_DENIED')
    const portal = await ask('demo-portal', query)
    expect(portal.data.webhookDeliveries.nodes[0].notificationUrl).toBe(receiver.url)
  })

  it('HOOK-75 each transaction of a list has its deliveries', async () => {
    const query = '{ payments { nodes { paymentId webhookDeliveries { status lastError transactionId } } } }'
    const { data, errors } = await ask('demo-partner', query)
    expect(errors).toEqual([])
    const found = data.payments.nodes.filter((one: { paymentId: string }) => ids.includes(one.paymentId))
    expect(found).toMatchObject([
      {
        paymentId: ids[3],
        webhookDeliveries: [{ status: 'DEAD', lastError: 'gone', transactionId: ids[3] }],
      },
      { paymentId: ids[2], webhookDeliveries: [{ status: 'DELIVERED', lastError: null }] },
      { paymentId: ids[0], webhookDeliveries: [{ status: 'DELIVERED' }] },
    ])
  })

  it('HOOK-76 through the interface too', async () => {
    const query = 'query ($id: ID!) { transaction(id: $id) { id webhookDeliveries { status } } }'
    const { data } = await ask('demo-analyst', query, { id: ids[0] })
    expect(data.transaction).toEqual({ id: ids[0], webhookDeliveries: [{ status: 'DELIVERED' }] })
  })

  it('HOOK-77 an analyst may not redeliver, a partner its own alone', async () => {
    receiver.answer = status(204)
    const [delivery] = await stage.deliveries(ids[1]!)
    const redeliver = (client: string) => ask(client, REDELIVER, { id: delivery.id })
    const refused = await redeliver('demo-analyst')
    expect([refused.data.redeliverWebhook, refused.errors[0]!.extensions.code]).toEqual([
      null,
      'PERMISSION_DENIED',
    ])
    expect((await redeliver('demo-partner')).errors[0]!.extensions.code).toBe('NOT_FOUND')
    expect((await redeliver('demo-partner-2')).data.redeliverWebhook).toMatchObject({ status: 'PENDING' })
    await stage.sent()
  })

  it('HOOK-78 what is not there cannot be redelivered', async () => {
    for (const id of ['x', ids[0]!]) {
      const { errors } = await ask('demo-portal', REDELIVER, { id })
      expect(errors[0]!.extensions.code).toBe('NOT_FOUND')
    }
  })

  it('HOOK-79 a portal may send a delivered one again', async () => {
    const [delivery] = await stage.deliveries(ids[0]!)
    receiver.answer = status(204)
    const before = receiver.received.length
    expect((await ask('demo-portal', REDELIVER, { id: delivery.id })).data.redeliverWebhook.status).toBe(
      'PENDING',
    )
    await stage.sent()
    expect(receiver.received).toHaveLength(before + 1)
    expect(receiver.received.at(-1)!.body.event.eventid).toBe(delivery.eventid)
  })
})
