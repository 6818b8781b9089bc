/** Subscriptions over a subgraph's own WebSocket: what comes, where it resumes, how it ends. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { payment } from '#test/core/webhooks/support.ts'
import { createGraph } from '../../support/graph.ts'
import { type LoneSubgraph, type LoneSubgraphs, startSubgraphs } from '../../support/subgraph.ts'
import { bearer, connect, type Result } from '../../support/subscribe.ts'

let subgraphs: LoneSubgraphs
let billing: LoneSubgraph
let token: string
let other: string

beforeAll(async () => {
  subgraphs = await startSubgraphs(['postpaid-billing', 'activity'])
  billing = subgraphs.of('postpaid-billing')
  token = await subgraphs.token()
  other = await subgraphs.token('demo-partner-2')
})
afterAll(() => subgraphs?.[Symbol.asyncDispose]())

const pay = async (as = token, address = billing.address): Promise<string> => {
  const response = await fetch(`${address}/postpaid-billing/v1/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
    body: JSON.stringify(payment('100001')),
  })
  return ((await response.json()) as { paymentId: string }).paymentId
}

const EVENTS = `subscription ($after: String) {
  paymentEvents(after: $after) { cursor payment { paymentId outcome } } }`

const idsOf = (results: Result[]) => results.map(({ data }) => data.paymentEvents.payment.paymentId)

const listening = (count: number) =>
  vi.waitFor(() => expect(subgraphs.app.feed.subscribers).toBe(count), { interval: 5 })

describe('over WebSocket', () => {
  test('SUBGRAPH-SUB-01 events come as they happen, and can be resumed after a cursor', async () => {
    using socket = connect(billing.address, bearer(token))
    using events = socket.subscribe(EVENTS)
    await listening(1)
    const ids = [await pay(), await pay(), await pay()]
    const results = await events.take(3)
    expect(idsOf(results).toSorted()).toEqual(ids.toSorted())
    expect(results[0]!.data.paymentEvents.payment.outcome).toBe('COMPLETED')

    using resumed = socket.subscribe(EVENTS, { after: results[0]!.data.paymentEvents.cursor })
    expect(idsOf(await resumed.take(2))).toEqual(idsOf(results).slice(1))
  })

  test("SUBGRAPH-SUB-02 another client's events do not come", async () => {
    await listening(0)
    using socket = connect(billing.address, bearer(token))
    using events = socket.subscribe(EVENTS)
    await listening(1)
    await pay(other)
    await billing.server.service.settled()
    const own = await pay()
    expect(idsOf(await events.take(1))).toEqual([own])
  })

  test('SUBGRAPH-SUB-03 activity brings references that the owner resolves', async () => {
    await listening(0)
    using socket = connect(subgraphs.of('activity').address, bearer(token))
    using events = socket.subscribe(
      'subscription { transactionEvents { cursor transaction { __typename ... on Payment { paymentId } } } }',
    )
    await listening(1)
    const id = await pay()
    expect((await events.next()).data.transactionEvents.transaction).toEqual({
      __typename: 'Payment',
      paymentId: id,
    })
  })

  test('SUBGRAPH-SUB-04 queries and mutations are answered once', async () => {
    using socket = connect(billing.address, bearer(token))
    using query = socket.subscribe('{ payments(first: 1) { nodes { id } } }')
    expect((await query.next()).data.payments.nodes).toHaveLength(1)
    expect(await query.ended).toBeUndefined()
  })

  test.each([
    ['an unknown field', 'subscription { nothing }', {}],
    ['a cursor that is none', EVENTS, { after: 'x' }],
    ['a root field too many', 'subscription { a: paymentEvents { cursor } b: paymentEvents { cursor } }', {}],
  ])('SUBGRAPH-SUB-05 %s is refused with INVALID_ARGUMENT', async (_, query, variables) => {
    using socket = connect(billing.address, bearer(token))
    using events = socket.subscribe(query, variables)
    expect(await events.ended).toMatchObject([
      { extensions: { code: 'INVALID_ARGUMENT', http: { status: 400 } } },
    ])
  })

  test('SUBGRAPH-SUB-06 what costs too much is refused', async () => {
    using socket = connect(billing.address, bearer(token))
    using events = socket.subscribe(
      'subscription { paymentEvents { payment { customer { payments(first: 200) { nodes { customer { payments(first: 200) { nodes { customer { payments(first: 200) { nodes { id } } } } } } } } } } } }',
    )
    expect(await events.ended).toMatchObject([
      { message: expect.stringContaining('more than 200000 fields') },
    ])
  })

  test('SUBGRAPH-SUB-07 a reader that falls behind learns where to resume, and gets the rest there', async () => {
    await using small = await startSubgraphs(['postpaid-billing'], { env: { SUBSCRIPTION_BUFFER: '1' } })
    const { address, server } = small.of('postpaid-billing')
    const own = await small.token()
    const burst = () => Promise.all(Array.from({ length: 20 }, () => pay(own, address)))
    using socket = connect(address, bearer(own))
    using events = socket.subscribe(EVENTS)
    await vi.waitFor(() => expect(small.app.feed.subscribers).toBe(1), { interval: 5 })
    let count = 0
    while (small.app.feed.subscribers > 0) count += (await burst()).length
    const [error] = (await events.ended) as { message: string; extensions: Record<string, unknown> }[]
    expect(error!.extensions).toMatchObject({
      cursor: expect.any(String),
      code: 'SERVICE_UNAVAILABLE',
      reason: 'UNAVAILABLE',
      http: { status: 503 },
    })
    expect(error!.message).toContain(`resume after ${error!.extensions['cursor']}`)
    await server.service.settled()
    const got = events.rest()
    using again = socket.subscribe(EVENTS, { after: error!.extensions['cursor'] })
    got.push(...(await again.take(count - got.length)))
    expect(new Set(idsOf(got)).size).toBe(count)
  })
})

test('SUBGRAPH-SUB-09 each event is resolved anew: what loaders read for one is not kept for the next', async () => {
  await listening(0)
  using socket = connect(billing.address, bearer(token))
  using events = socket.subscribe('subscription { paymentEvents { payment { customer { totalDues } } } }')
  await listening(1)
  const dues: number[] = []
  for (let i = 0; i < 2; i++) {
    await pay()
    dues.push((await events.next()).data.paymentEvents.payment.customer.totalDues)
  }
  expect(dues[1]).toBeLessThan(dues[0]!)
})

test('SUBGRAPH-SUB-08 the graph of a service alone is its own, with nothing of the others', async () => {
  const { status } = await createGraph(billing.address)('{ recharges { totalCount } }', { token })
  expect(status).toBe(400)
})
