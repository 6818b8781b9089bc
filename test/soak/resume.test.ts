/** Nothing is lost and nothing comes twice: cut connections, slow readers, expired tokens, a server that stops. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fromEventCursor } from '#core/events/read.ts'
import { deleteExpired } from '#core/events/retention.ts'
import { pay, payAtOnce, payMany } from '#test/core/webhooks/support.ts'
import { createGraph } from '../support/graph.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { bearer, connect, type Result, subscribeSse } from '../support/subscribe.ts'

const EVENTS = `subscription ($after: String) {
  paymentEvents(after: $after) { cursor eventid eventDetail { paymentId } } }`

/** Some fifty kilobytes an event, so that a socket that nobody reads is soon full. */
const LARGE = `subscription ($after: String) { paymentEvents(after: $after) { cursor eventDetail { paymentId } payment {
  ${Array.from({ length: 2 }, (_, i) => `a${i}: customer { payments(first: 80) { nodes { ...All } } }`).join(' ')} } } }
  fragment All on Payment { paymentId referenceCode clientCorrelatorId createdAt completedAt paymentTransaction {
    referenceCode clientCorrelatorId customerInfo { customerAccountNumber } } }`

let stack: Stack
let partner: string

beforeAll(async () => {
  stack = await startStack({ env: { SUBSCRIPTION_BUFFER: '20' } })
  partner = await stack.token('demo-partner')
  await pay(stack, partner)
  await stack.settled()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const latest = async (on = stack): Promise<string> => {
  const token = await on.token('demo-portal')
  const { data } = await createGraph(on.address)('{ events(first: 1) { edges { cursor } } }', { token })
  return data.events.edges[0].cursor
}

const idsOf = (results: Result[]): string[] =>
  results.map(({ data }) => data.paymentEvents.eventDetail.paymentId)

interface Transport {
  /** Takes events after a cursor until so many have come, then cuts the connection. */
  take(after: string, count: number): Promise<{ cursor: string; eventDetail: { paymentId: string } }[]>
}

const overSocket: Transport = {
  async take(after, count) {
    using socket = connect(stack.address, bearer(partner))
    using events = socket.subscribe(EVENTS, { after })
    const results = await events.take(count)
    ;(await socket.socket).terminate()
    return results.map(({ data }) => data.paymentEvents)
  },
}

const overSse = (path: string): Transport => ({
  async take(after, count) {
    using events = subscribeSse(stack.address + path, partner, EVENTS, { after })
    return (await events.take(count)).map(({ data }) => data.paymentEvents)
  },
})

describe('resuming', () => {
  test.each([
    ['SUB-20 over WebSocket', overSocket],
    ['SUB-21 over SSE at /graphql/stream', overSse('/graphql/stream')],
    ['SUB-22 over SSE at /graphql', overSse('/graphql')],
  ])('%s, cut at random moments under load, everything comes once and in order', async (_, client) => {
    let cursor = await latest()
    const total = 60
    const writers = Array.from({ length: 4 }, () => payMany(stack, partner, total / 4))
    const got: string[] = []
    while (got.length < total) {
      const events = await client.take(cursor, Math.min(total - got.length, randomInt(1, 9)))
      got.push(...events.map(({ eventDetail }) => eventDetail.paymentId))
      cursor = events.at(-1)!.cursor
    }
    const posted = (await Promise.all(writers)).flat()
    expect(got.toSorted()).toEqual(posted.toSorted())
    expect(new Set(got).size).toBe(total)
    const log = await stack.app.db.event.findMany({
      where: { transactionId: { in: got } },
      orderBy: { position: 'asc' },
    })
    expect(got).toEqual(log.map(({ transactionId }) => transactionId))
  })

  test('SUB-23 hundreds that join while events come get the same, whether replayed or live', async () => {
    const after = await latest()
    using socket = connect(stack.address, bearer(partner))
    const posting = payMany(stack, partner, 15)
    const joined = Array.from({ length: 50 }, async () => {
      using events = socket.subscribe(EVENTS, { after })
      return (await events.take(15)).map(({ data }) => data.paymentEvents.eventDetail.paymentId)
    })
    const ids = await posting
    for (const got of await Promise.all(joined)) expect(got).toEqual(ids)
  })
})

describe('ending', () => {
  test('SUB-24 a slow reader is ended with the cursor to resume after, and delays nobody', async () => {
    const after = await latest()
    const stream = await stack.app.feed.subscribe({})
    using socket = connect(stack.address, bearer(partner))
    using quick = socket.subscribe(EVENTS, { after })
    await payMany(stack, partner, 1)
    const first = await stream.next()
    const pulled = stream.next()
    await payMany(stack, partner, 1)
    expect((await pulled).done).toBe(false)
    await payMany(stack, partner, 25)
    expect(await quick.take(27)).toHaveLength(27)
    expect(first.done).toBe(false)
    await expect(stream.next()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('resume after'),
    })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test('SUB-25 a client that stops reading its socket gets the error when it reads again, and resumes', async () => {
    await using small = await startStack({ env: { SUBSCRIPTION_BUFFER: '5' } })
    const token = await small.token('demo-partner')
    await payAtOnce(small, token, 100)
    await small.settled()
    const after = await latest(small)
    using socket = connect(small.address, bearer(token))
    using events = socket.subscribe(LARGE, { after })
    await pay(small, token)
    const got = idsOf(await events.take(1))
    const raw = (await socket.socket) as unknown as { _socket: { pause(): void; resume(): void } }
    raw._socket.pause()
    while (small.listeners() > 0) await payAtOnce(small, token, 40)
    raw._socket.resume()
    const [error] = (await events.ended) as {
      message: string
      extensions: { code: string; cursor: string }
    }[]
    expect(error!.extensions.code).toBe('SERVICE_UNAVAILABLE')
    expect(error!.message).toContain(`resume after ${error!.extensions.cursor}`)
    got.push(...idsOf(events.rest()))
    const position = fromEventCursor('after', after)
    await small.settled()
    const log = await small.app.db.event.findMany({
      where: { position: { gt: position } },
      orderBy: { position: 'asc' },
    })
    using again = socket.subscribe(EVENTS, { after: error!.extensions.cursor })
    got.push(...idsOf(await again.take(log.length - got.length)))
    expect(got).toEqual(log.map(({ transactionId }) => transactionId))
  })

  test('SUB-26 what is no longer kept cannot be resumed from, and that is said', async () => {
    await stack.settled()
    const after = await latest()
    const [oldest] = await stack.app.db.event.findMany({ orderBy: { position: 'asc' }, take: 1 })
    await stack.app.db
      .$executeRaw`UPDATE events.event SET event_time = now() - interval '401 days' WHERE position <= ${oldest!.position + 1n}`
    expect(await deleteExpired(stack.app.db, 400)).toBe(2)
    using socket = connect(stack.address, bearer(partner))
    const begin = Buffer.from(`e1:${oldest!.position}`).toString('base64url')
    using expired = socket.subscribe(EVENTS, { after: begin })
    const [error] = (await expired.ended) as { message: string; extensions: { code: string } }[]
    expect(error!.extensions.code).toBe('INVALID_ARGUMENT')
    expect(error!.message).toContain('expired')
    using kept = socket.subscribe(EVENTS, { after })
    const id = await pay(stack, partner)
    expect((await kept.next()).data.paymentEvents.eventDetail.paymentId).toBe(id)
  })

  test('SUB-27 a client that was disabled gets no more', async () => {
    const token = await stack.token({ id: 'gone', name: 'Gone', role: 'partner' })
    using socket = connect(stack.address, bearer(token))
    using events = socket.subscribe(EVENTS, { after: await latest() })
    await pay(stack, token)
    await events.next()
    await stack.app.db.client.update({ where: { id: 'gone' }, data: { disabledAt: new Date() } })
    expect(await events.ended).toMatchObject([{ extensions: { code: 'UNAUTHORIZED' } }])
    expect((await socket.closed).code).toBe(4403)
  })
})

describe('the token and the server', () => {
  test('SUB-28 when the token ends, subscriptions end with UNAUTHORIZED and the socket is closed', async () => {
    await using short = await startStack({ env: { TOKEN_LIFETIME_SECONDS: '2' } })
    const token = await short.token('demo-partner')
    using socket = connect(short.address, bearer(token))
    using events = socket.subscribe('subscription { paymentEvents { cursor } }')
    using stream = subscribeSse(
      `${short.address}/graphql/stream`,
      token,
      'subscription { paymentEvents { cursor } }',
    )
    expect(await events.ended).toMatchObject([
      { extensions: { code: 'UNAUTHORIZED', http: { status: 401 } } },
    ])
    expect((await socket.closed).code).toBe(4403)
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] })
    expect(await stream.ended).toBeUndefined()
    expect(short.listeners()).toBe(0)
  })

  test('SUB-29 a server that stops closes sockets with 1001 and streams without complete, at once', async () => {
    const other = await startStack()
    const token = await other.token('demo-partner')
    using socket = connect(other.address, bearer(token))
    using events = socket.subscribe('subscription { paymentEvents { cursor } }')
    using stream = subscribeSse(
      `${other.address}/graphql/stream`,
      token,
      'subscription { paymentEvents { cursor } }',
    )
    await vi.waitFor(() => expect(other.listeners()).toBe(2), { interval: 5 })
    await other[Symbol.asyncDispose]()
    expect(await socket.closed).toMatchObject({ code: 1001, reason: expect.stringContaining('resume') })
    expect(await events.ended).toMatchObject({ code: 1001 })
    expect(await stream.ended).toBeInstanceOf(Error)
  })
})
