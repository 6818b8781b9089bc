/** The tools of partners over REST: endpoints with their health, deliveries, requests, transactions. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, status } from '#test/core/webhooks/receiver.ts'
import { openStage, type Stage } from '#test/core/webhooks/stage.ts'
import { pay, payment } from '#test/core/webhooks/support.ts'
import { unique } from '#test/support/fixtures/fixture.ts'

let stage: Stage
let receiver: Receiver
beforeAll(async () => {
  stage = await openStage()
  receiver = await startReceiver()
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const client = async () => {
  const token = await stage.stack.token({ id: unique(), name: 'p', role: 'partner', currencies: ['OMR'] })
  const call = (method: string, path: string, body?: unknown) =>
    stage.rest(method, `/partner/v1/${path}`, { token, body })
  return { token, call }
}

const isSigned = (secret: string, { headers, raw }: Receiver['received'][number]) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

const next = async (count = 1) => {
  await stage.sent()
  return receiver.received.slice(-count)
}

describe('a registered endpoint', () => {
  it('TOOLS-01 gets the events of its kinds where a transaction names no webhook, signed with its own secret', async () => {
    const { token, call } = await client()
    const made = await call('POST', 'webhook-endpoints', {
      notificationUrl: receiver.url,
      kinds: ['PAYMENT'],
    })
    expect(made).toMatchObject({
      status: 201,
      body: { format: 'OWN', health: 'HEALTHY', kinds: ['PAYMENT'] },
    })
    const { secret, ...shown } = made.body
    expect((await call('GET', `webhook-endpoints/${shown.id}`)).body).toEqual(shown)
    const [before, id] = [receiver.received.length, await pay(stage.stack, token)]
    const [received] = await next()
    expect(receiver.received.length).toBe(before + 1)
    expect(received).toMatchObject({ path: '/hooks/eventNotifications', body: { eventSubscriptionid: id } })
    expect(isSigned(secret, received!)).toBe(true)
    // What a transaction names itself is not sent to it.
    await using other = await startReceiver()
    await pay(stage.stack, token, { ...payment('100001'), webhook: { notificationUrl: other.url } } as never)
    await stage.sent()
    expect([other.received.length, receiver.received.length]).toEqual([1, before + 1])
  })

  it('TOOLS-02 gets CloudEvents at the address itself, with the notification as data', async () => {
    const { token, call } = await client()
    await call('POST', 'webhook-endpoints', {
      notificationUrl: `${receiver.url}/cloud?x=1`,
      kinds: ['PAYMENT'],
      format: 'CLOUDEVENTS',
    })
    const id = await pay(stage.stack, token)
    const [received] = await next()
    expect(received!.path).toBe('/hooks/cloud?x=1')
    expect(received!.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8')
    const { data, ...attributes } = received!.body
    expect(attributes).toEqual({
      specversion: '1.0',
      id: data.event.eventid,
      source: '/partner-graph',
      type: 'partner-graph.PAYMENT.PAYMENT_COMPLETED',
      subject: id,
      time: expect.stringMatching(/Z$/),
      datacontenttype: 'application/json',
    })
    expect(data).toMatchObject({ eventSubscriptionid: id, event: { eventDetail: { paymentId: id } } })
  })

  it('TOOLS-03 takes a kind for itself; a change frees it', async () => {
    const { call } = await client()
    const { body: first } = await call('POST', 'webhook-endpoints', {
      notificationUrl: receiver.url,
      kinds: ['PAYMENT', 'RECHARGE'],
    })
    const other = { notificationUrl: receiver.url, kinds: ['PAYMENT'] }
    const refused = await call('POST', 'webhook-endpoints', other)
    expect(refused).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } })
    expect(refused.body.message).toContain(first.id)
    await call('PATCH', `webhook-endpoints/${first.id}`, { kinds: ['RECHARGE'] })
    expect((await call('POST', 'webhook-endpoints', other)).status).toBe(201)
    expect((await call('GET', 'webhook-endpoints')).body.endpoints).toHaveLength(2)
  })

  it("TOOLS-04 is nobody else's, and refuses what is wrong by name", async () => {
    const [owner, other] = [await client(), await client()]
    const { body } = await owner.call('POST', 'webhook-endpoints', {
      notificationUrl: receiver.url,
      kinds: ['PAYMENT'],
    })
    for (const [method, given] of [['GET'], ['PATCH', { paused: true }], ['DELETE']] as const)
      expect((await other.call(method, `webhook-endpoints/${body.id}`, given)).status).toBe(404)
    const wrong = [
      [{ kinds: ['PAYMENT'] }, 'notificationUrl'],
      [{ notificationUrl: 'http://example.com', kinds: ['RECHARGE'] }, 'notificationUrl'],
      [{ notificationUrl: receiver.url, kinds: ['MESSAGE'] }, 'kinds'],
      [{ notificationUrl: receiver.url, kinds: [] }, 'kinds'],
      [{ notificationUrl: receiver.url, kinds: ['RECHARGE'], secret: 'whsec_short' }, 'secret'],
      [{ notificationUrl: receiver.url, kinds: ['RECHARGE'], format: 'XML' }, 'format'],
    ] as const
    for (const [given, field] of wrong) {
      const refused = await owner.call('POST', 'webhook-endpoints', given)
      expect(refused.status).toBe(400)
      expect(refused.body.message).toContain(field)
    }
  })

  it('TOOLS-05 rotates its secret: both sign until the overlap ends', async () => {
    const { token, call } = await client()
    const { body } = await call('POST', 'webhook-endpoints', {
      notificationUrl: receiver.url,
      kinds: ['PAYMENT'],
    })
    const rotated = await call('POST', 'secret/rotate', { endpointId: body.id, overlapHours: 1 })
    expect(rotated).toMatchObject({ status: 200, body: { previousEndsAt: expect.any(String) } })
    await pay(stage.stack, token)
    const [received] = await next()
    expect([isSigned(body.secret, received!), isSigned(rotated.body.secret, received!)]).toEqual([true, true])
    const own = await call('POST', 'secret/rotate', {})
    expect(own.body.secret).toMatch(/^whsec_/)
  })

  it('TOOLS-06 is FAILING after three failures and HEALTHY after a success, each with an event', async () => {
    const { token, call } = await client()
    await using own = await startReceiver()
    own.answer = status(500)
    const { body } = await call('POST', 'webhook-endpoints', { notificationUrl: own.url, kinds: ['PAYMENT'] })
    const health = async () => (await call('GET', `webhook-endpoints/${body.id}`)).body.health
    const { cursor } = (await call('GET', 'events?after=now')).body
    await pay(stage.stack, token)
    await pay(stage.stack, token)
    await stage.sent()
    expect(await health()).toBe('HEALTHY')
    await pay(stage.stack, token)
    await stage.sent()
    expect(await health()).toBe('FAILING')
    const shown = await stage.graph('{ webhookEndpoints { origin health healthSince } }', { token })
    expect(shown.data.webhookEndpoints).toMatchObject([
      { health: 'FAILING', origin: new URL(own.url).origin },
    ])
    own.answer = status(204)
    await pay(stage.stack, token)
    await stage.sent()
    expect(await health()).toBe('HEALTHY')
    const { events } = (await call('GET', `events?after=${cursor}&kind=ENDPOINT`)).body
    expect(events).toMatchObject([
      { eventType: 'ENDPOINT_HEALTH_CHANGED', eventDetail: { health: 'FAILING', previous: 'HEALTHY' } },
      { eventType: 'ENDPOINT_HEALTH_CHANGED', eventDetail: { health: 'HEALTHY', previous: 'FAILING' } },
    ])
    // Subscriptions and queries of transactions' events know nothing of them, and the timeline goes past them.
    const { data } = await stage.graph('{ events(first: 10) { nodes { kind } } timeline { totalCount } }', {
      token,
    })
    expect([data.events.nodes.length, data.timeline.totalCount]).toEqual([4, 4])
  })

  it('TOOLS-07 gets nothing while it is paused, and everything afterwards', async () => {
    const { token, call } = await client()
    await using own = await startReceiver()
    const { body } = await call('POST', 'webhook-endpoints', { notificationUrl: own.url, kinds: ['PAYMENT'] })
    const paused = await call('PATCH', `webhook-endpoints/${body.id}`, { paused: true })
    expect(paused.body.health).toBe('PAUSED')
    const ids = [await pay(stage.stack, token), await pay(stage.stack, token)]
    await stage.sent()
    expect(own.received).toEqual([])
    await call('PATCH', `webhook-endpoints/${body.id}`, { paused: false })
    await stage.sent()
    expect(own.received.map(one => one.body.eventSubscriptionid).toSorted()).toEqual(ids.toSorted())
    expect((await call('DELETE', `webhook-endpoints/${body.id}`)).status).toBe(204)
    await pay(stage.stack, token)
    await stage.sent()
    expect(own.received).toHaveLength(2)
  })
})

describe('what was sent, asked and posted', () => {
  it('TOOLS-10 lists deliveries with attempts, in either order, and sends one again', async () => {
    const { token, call } = await client()
    await using own = await startReceiver()
    const webhook = { notificationUrl: own.url }
    const ids = []
    for (let n = 0; n < 3; n++)
      ids.push(await pay(stage.stack, token, { ...payment('100001'), webhook } as never))
    await stage.sent()
    const newest = (await call('GET', 'deliveries?limit=2')).body
    const rest = (await call('GET', `deliveries?limit=2&after=${newest.next}`)).body
    const all = [...newest.deliveries, ...rest.deliveries]
    expect(all.map(one => one.transactionId).toSorted()).toEqual(ids.toSorted())
    expect(rest.next).toBeNull()
    const oldest = (await call('GET', 'deliveries?order=asc')).body.deliveries
    expect(oldest.map((one: { id: string }) => one.id)).toEqual(all.map(one => one.id).toReversed())
    expect(all[0]).toMatchObject({
      status: 'DELIVERED',
      attempts: 1,
      attemptLog: [{ status: 204, error: null }],
    })
    expect((await call('POST', `deliveries/${all[0].id}/redeliver`)).status).toBe(202)
    await stage.sent()
    expect(own.received).toHaveLength(4)
    const stranger = await client()
    expect((await stranger.call('POST', `deliveries/${all[0].id}/redeliver`)).status).toBe(404)
    expect((await stranger.call('GET', 'deliveries')).body.deliveries).toEqual([])
  })

  it('TOOLS-11 sends a test event to a registered endpoint as any event is sent', async () => {
    const { call } = await client()
    const { body } = await call('POST', 'webhook-endpoints', {
      notificationUrl: receiver.url,
      kinds: ['PAYMENT'],
      format: 'CLOUDEVENTS',
    })
    const sent = await call('POST', 'test-event', { endpointId: body.id, kind: 'PAYMENT' })
    expect(sent).toMatchObject({ status: 200, body: { status: 204, error: null } })
    const received = receiver.received.at(-1)!
    expect([received.body.specversion, isSigned(body.secret, received)]).toEqual(['1.0', true])
    expect((await call('POST', 'test-event', { kind: 'PAYMENT' })).status).toBe(400)
  })

  it('TOOLS-12 reads a transaction with the reason of its status, and lists all kinds', async () => {
    const { token, call } = await client()
    const denied = await pay(stage.stack, token, payment('300001'))
    const paid = await pay(stage.stack, token)
    await stage.stack.settled()
    const { body } = await call('GET', `transactions/${denied}`)
    expect(body).toMatchObject({ kind: 'PAYMENT', transactionOperationStatus: 'denied', outcome: 'FAILED' })
    expect(body.reason).toMatch(/closed/i)
    const listed = (await call('GET', 'transactions?limit=1')).body
    expect(listed.transactions).toMatchObject([{ id: paid, outcome: 'COMPLETED', amount: 0.001 }])
    const [failed] = (await call('GET', 'transactions?outcome=FAILED&order=asc')).body.transactions
    expect(failed).toMatchObject({ id: denied, reason: expect.stringMatching(/closed/i) })
    const stranger = await client()
    expect((await stranger.call('GET', `transactions/${denied}`)).status).toBe(404)
    expect((await stranger.call('GET', 'transactions')).body.transactions).toEqual([])
  })

  it('TOOLS-13 lists own requests, refused ones alone where it is asked', async () => {
    // Each poll is a request of this client too, and the newest come first.
    const OFTEN = { timeout: 10_000, interval: 500 }
    const { token, call } = await client()
    await pay(stage.stack, token)
    await stage.rest('POST', '/postpaid-billing/v1/payments', { token, body: {} })
    await expect
      .poll(async () => (await call('GET', 'requests?refused=true')).body.requests, OFTEN)
      .toMatchObject([
        { operation: 'createPayment', status: 400, code: 'INVALID_ARGUMENT', transactionId: null },
      ])
    const accepted = async () =>
      (await call('GET', 'requests?refused=false&limit=100')).body.requests.some(
        (one: { transactionId: string | null }) => one.transactionId !== null,
      )
    await expect.poll(accepted, OFTEN).toBe(true)
  })
})

it.each([
  ['GET', 'deliveries?transactionId=x', undefined, 'transactionId must be an id of a transaction'],
  [
    'POST',
    'test-event',
    { endpointId: 'x', kind: 'PAYMENT' },
    'endpointId must be a UUID such as 0198c0de-0000-7000-8000-000000000000',
  ],
])('TOOLS-30 MUST name what is wrong as the path has it: %s %s', async (method, path, body, message) => {
  const { call } = await client()
  expect(await call(method, path, body)).toMatchObject({ status: 400, body: { message } })
})
