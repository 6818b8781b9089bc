/** Events of a subgraph in another process: what comes, over which connections, and what a client notices of failures. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { deleteExpired } from '#core/events/retention.ts'
import { createAllInOne } from '#gateway/all-in-one.ts'
import { createGraph } from '#test/support/graph.ts'
import { bearer, connect } from '#test/support/subscribe.ts'
import { EVENTS, type EventStage, errorOf, idsOf, openEventStage } from './event-stage.ts'

let stage: EventStage
let partner: string
let portal: string

beforeAll(async () => {
  stage = await openEventStage()
  partner = await stage.token('demo-partner')
  portal = await stage.token('demo-portal')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const client = (token = partner, address = stage.address) => connect(address, bearer(token))

const upstream = (count: number) =>
  vi.waitFor(() => expect(stage.upstream()).toBe(count), { interval: 5, timeout: 5_000 })

/** Queries the subgraph itself, since the gateway may choose any that has the field. */
const latest = async (): Promise<string> =>
  (await createGraph(stage.billing.address)('{ latestEventCursor }', { token: partner })).data
    .latestEventCursor

describe('what comes', () => {
  test('UEV-01 events come with what was selected of them, after the cursor that was read before', async () => {
    const after = await latest()
    const ids = await stage.pay(partner, 2)
    using socket = client()
    using events = socket.subscribe(EVENTS, { after })
    ids.push(...(await stage.pay(partner)))
    const results = await events.take(3)
    expect(idsOf(results)).toEqual(ids)
    expect(results[2]!.data.paymentEvents.payment.outcome).toBe('COMPLETED')
    expect(await latest()).toBe(results[2]!.data.paymentEvents.cursor)
  })

  test('UEV-02 without a cursor nothing from before comes, also where others have it replayed', async () => {
    await upstream(0)
    const after = await latest()
    const before = await stage.pay(partner, 3)
    using socket = client()
    using replayed = socket.subscribe(EVENTS, { after })
    using live = socket.subscribe(EVENTS)
    expect(idsOf(await replayed.take(3))).toEqual(before)
    const now = await stage.pay(partner)
    expect(idsOf(await live.take(1))).toEqual(now)
    expect(idsOf(await replayed.take(1))).toEqual(now)
  })
})

describe('connections', () => {
  test('UEV-10 who may see the same shares one, who may not has another', async () => {
    await upstream(0)
    const before = stage.billing.connections()
    using one = client()
    using two = client()
    using other = client(await stage.token('demo-partner-2'))
    using all = client(portal)
    using first = one.subscribe(EVENTS)
    await upstream(1)
    using second = two.subscribe(EVENTS)
    using third = other.subscribe(EVENTS)
    using fourth = all.subscribe(EVENTS)
    await upstream(3)
    const paid = await stage.pay(partner)
    for (const events of [first, second, fourth]) expect(idsOf(await events.take(1))).toEqual(paid)
    expect(third.rest()).toEqual([])
    expect(stage.billing.connections() - before).toBe(3)
  })

  test('UEV-11 who comes back with a recent cursor needs none', async () => {
    await upstream(0)
    using socket = client()
    using stays = socket.subscribe(EVENTS, { after: await latest() })
    await stage.pay(partner, 3)
    const [first] = await stays.take(3)
    const before = stage.billing.connections()
    using back = socket.subscribe(EVENTS, { after: first!.data.paymentEvents.cursor })
    await back.take(2)
    const now = await stage.pay(partner)
    expect(idsOf(await back.take(1))).toEqual(now)
    expect(stage.billing.connections()).toBe(before)
  })

  test('UEV-12 who wants older events has them over one of its own, until it has caught up', async () => {
    await upstream(0)
    const after = await latest()
    const ids = await stage.pay(partner, 3)
    using socket = client()
    using stays = socket.subscribe(EVENTS)
    await upstream(1)
    const before = stage.billing.connections()
    using back = socket.subscribe(EVENTS, { after })
    expect(idsOf(await back.take(3))).toEqual(ids)
    expect(stage.billing.connections() - before).toBe(1)
    await upstream(1)
    const now = await stage.pay(partner, 2)
    expect(idsOf(await back.take(2))).toEqual(now)
    expect(idsOf(await stays.take(2))).toEqual(now)
    expect(stage.billing.connections() - before).toBe(1)
  })

  test('UEV-13 who leaves while it is replayed, or before anything has come, leaves nothing behind', async () => {
    await upstream(0)
    const after = await latest()
    await stage.pay(partner, 3)
    using socket = client()
    {
      using stays = socket.subscribe(EVENTS)
      await upstream(1)
      for (let i = 0; i < 5; i++) socket.subscribe(EVENTS, { after })[Symbol.dispose]()
      using back = socket.subscribe(EVENTS, { after })
      await back.take(1)
      stays.rest()
    }
    for (let i = 0; i < 5; i++) socket.subscribe(EVENTS)[Symbol.dispose]()
    await upstream(0)
  })
})

describe('the subgraph is away', () => {
  test('UEV-20 its server is closed and opened again: nothing is lost, nothing comes twice, nobody notices', async () => {
    await upstream(0)
    using socket = client()
    using events = socket.subscribe(EVENTS)
    await upstream(1)
    const ids = await stage.pay(partner)
    for (let round = 0; round < 2; round++) {
      await stage.billing.close()
      ids.push(...(await stage.pay(partner, 2)))
      await stage.billing.open()
      ids.push(...(await stage.pay(partner)))
    }
    expect(idsOf(await events.take(ids.length))).toEqual(ids)
    ids.push(...(await stage.pay(partner)))
    expect(idsOf(await events.take(1))).toEqual(ids.slice(-1))
  })

  test('UEV-22 when it stays away its subscribers learn where to resume, and nothing is lost', async () => {
    await upstream(0)
    const address = await stage.gateway({ maxOutageMs: 200 })
    using socket = client(partner, address)
    using events = socket.subscribe(EVENTS)
    await upstream(1)
    const ids = await stage.pay(partner)
    const [got] = await events.take(1)
    await stage.billing.close()
    ids.push(...(await stage.pay(partner)))
    const { message, extensions } = await errorOf(events)
    expect(extensions).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      http: { status: 503 },
      reason: 'UNAVAILABLE',
      cursor: got!.data.paymentEvents.cursor,
    })
    expect(message).toBe(`The events cannot be had at the moment; resume after ${extensions.cursor}`)
    using refused = socket.subscribe(EVENTS, { after: extensions.cursor })
    expect((await errorOf(refused)).extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await stage.billing.open()
    const resumed = await vi.waitFor(
      async () => {
        using again = socket.subscribe(EVENTS, { after: extensions.cursor })
        return idsOf(await again.take(1))
      },
      { timeout: 10_000 },
    )
    expect(resumed).toEqual(ids.slice(1))
  })
})

describe('services on a standby, behind a gateway that only reads', () => {
  const cursorAhead = async (by: number) => {
    const [, position] = Buffer.from(await latest(), 'base64url')
      .toString()
      .split(':')
    return Buffer.from(`e1:${Number(position) + by}`).toString('base64url')
  }
  let address: string
  beforeAll(async () => {
    address = await stage.gateway({ env: { READ_ONLY: '1' } })
  })

  test('UEV-60 a cursor that they have not reached is waited for, and what comes after it follows', async () => {
    const after = await cursorAhead(1)
    using socket = client(partner, address)
    using events = socket.subscribe(EVENTS, { after })
    const [reached, next] = await stage.pay(partner, 2)
    expect(idsOf(await events.take(1))).toEqual([next])
    expect(reached).not.toBe(next)
  })

  test('UEV-61 where they do not reach it, the client is told to come again with the same cursor', async () => {
    const after = await cursorAhead(5)
    using socket = client(partner, address)
    using events = socket.subscribe(EVENTS, { after })
    const { message, extensions } = await errorOf(events)
    expect(message).toBe(`This replica of the event log has not come so far; resume after ${after}`)
    expect(extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE', cursor: after })
  })
})

describe('what is refused', () => {
  const refusalAt = async (address: string, query: string, variables?: Record<string, unknown>) => {
    using socket = client(partner, address)
    using events = socket.subscribe(query, variables)
    return await errorOf(events)
  }
  const cursor = (position: number) => Buffer.from(`e1:${position}`).toString('base64url')

  test.each([
    ['malformed', 'BAD_CURSOR', EVENTS, { after: 'x' }],
    ["another kind's", 'BAD_CURSOR', EVENTS, { after: 'bjE6MQ' }],
    ["another system's", 'BAD_CURSOR', EVENTS, { after: cursor(999_999) }],
    ['expired', 'EXPIRED_CURSOR', EVENTS, { after: cursor(0) }],
    ['no id', 'BAD_FORMAT', 'subscription { paymentEvents(filter: { paymentId: "x" }) { cursor } }', {}],
  ])(
    'UEV-30 a cursor or filter that is %s, in the same words as in one process',
    async (_, reason, query, variables) => {
      await stage.app.db
        .$executeRaw`UPDATE events.event SET event_time = now() - interval '401 days' WHERE position <= 2`
      await deleteExpired(stage.app.db, 400)
      const together = await createAllInOne(stage.app)
      const address = await together.http.listen({ port: 0, host: '127.0.0.1' })
      const error = await refusalAt(stage.address, query, variables)
      const field = query === EVENTS ? 'after' : 'filter.paymentId'
      expect(error.extensions).toMatchObject({
        code: 'INVALID_ARGUMENT',
        http: { status: 400 },
        field,
        reason,
      })
      const same = await refusalAt(address, query, variables)
      await together.stop()
      expect(error).toEqual(same)
    },
  )
})
