/** Subscriptions across subgraphs: one of them failing, and many clients that want the same. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadServices } from '#gateway/load-services.ts'
import { pay, payment } from '#test/core/webhooks/support.ts'
import { createGraph } from '../../support/graph.ts'
import { SEPARATE, type Stack, startStack } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'

let stack: Stack
let partner: string
let contexts = 0

/** Loyalty is out of order; fetches of payments are counted. */
beforeAll(async () => {
  stack = await startStack({
    parts: async app => ({
      services: (await loadServices(app)).map(service => ({
        ...service,
        context: caller => {
          if (service.name === 'loyalty') throw new Error('out of order')
          if (service.name === 'postpaid-billing') contexts += 1
          return service.context(caller)
        },
      })),
    }),
  })
  partner = await stack.token('demo-partner')
  await pay(stack, partner)
  await stack.settled()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const latest = async (): Promise<string> => {
  const { data } = await createGraph(stack.address)('{ events(first: 1) { edges { cursor } } }', {
    token: partner,
  })
  return data.events.edges[0].cursor
}

const WITH_POINTS = `subscription ($after: String) { paymentEvents(after: $after) {
  eventDetail { paymentId } payment { subscriber { mobileNumber pointsBalance prepaidBalance { value } kind } } } }`

test('SUB-30 a subgraph that fails leaves its fields null, with an error each; the next event comes', async () => {
  using socket = connect(stack.address, bearer(partner))
  using events = socket.subscribe(WITH_POINTS, { after: await latest() })
  for (let i = 0; i < 2; i++) {
    const paymentId = await pay(stack, partner, payment('100001', '96891000001'))
    const { data, errors } = await events.next()
    expect(data.paymentEvents.eventDetail).toEqual({ paymentId })
    expect(data.paymentEvents.payment.subscriber).toMatchObject({
      mobileNumber: '+96891000001',
      pointsBalance: null,
      kind: 'POSTPAID',
    })
    expect(errors).toMatchObject([{ extensions: { code: 'SERVER_ERROR', http: { status: 500 } } }])
  }
})

const PAYMENTS = `subscription ($after: String, $filter: PaymentEventFilter) {
  paymentEvents(after: $after, filter: $filter) { cursor payment { id amount { value } } } }`

test('SUB-31 identical subscriptions share one execution per event, wherever they began', async () => {
  const before = await latest()
  const client = () => connect(stack.address, bearer(partner))
  using one = client()
  using two = client()
  const subscribe = (index: number) =>
    (index % 2 ? one : two).subscribe(PAYMENTS, { after: index % 3 || SEPARATE ? before : undefined })
  const all = Array.from({ length: 30 }, (_, index) => subscribe(index))
  // A gateway before other processes follows once for all, which does not tell that the last has joined.
  await vi.waitFor(() => expect(stack.listeners()).toBe(SEPARATE ? 1 : 30), {
    interval: 5,
    timeout: 10_000,
  })
  // What a connection sends is begun in its order: once a query is answered, the subscriptions before it have joined.
  for (const socket of [one, two]) await socket.subscribe('{ __typename }').next()
  contexts = 0
  const ids = [await pay(stack, partner), await pay(stack, partner)]
  for (const events of all) {
    const got = await events.take(2)
    expect(got.map(({ data }) => data.paymentEvents.payment.id)).toEqual(ids)
    events[Symbol.dispose]()
  }
  expect(contexts).toBe(2)
})

test('SUB-32 what differs in variables or in what may be seen is executed by itself', async () => {
  // A closed socket is heard of later; what still follows would be counted with the three.
  await vi.waitFor(() => expect(stack.listeners()).toBe(0), { interval: 5, timeout: 10_000 })
  const after = await latest()
  using mine = connect(stack.address, bearer(partner))
  using portal = connect(stack.address, bearer(await stack.token('demo-portal')))
  using filtered = mine.subscribe(PAYMENTS, { after, filter: { customerAccountNumber: '100001' } })
  const query =
    'subscription ($after: String) { paymentEvents(after: $after) { payment { postedBy { id } } } }'
  using own = mine.subscribe(query, { after })
  using theirs = portal.subscribe(query, { after })
  await vi.waitFor(() => expect(stack.listeners()).toBe(3), { interval: 5, timeout: 10_000 })
  for (const socket of [mine, portal]) await socket.subscribe('{ __typename }').next()
  contexts = 0
  await pay(stack, partner)
  expect((await own.next()).data.paymentEvents.payment.postedBy).toBeNull()
  expect((await theirs.next()).data.paymentEvents.payment.postedBy).toEqual({ id: 'demo-partner' })
  await filtered.next()
  expect(contexts).toBe(3)
})
