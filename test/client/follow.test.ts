/** Following over each way, through a proxy that is cut: every event once, and after a restart what was not acknowledged. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  type Client,
  createClient,
  type Delivery,
  type FollowedEvent,
  type Following,
  type FollowOptions,
  type FollowState,
  follow,
  memoryCursorStore,
  Refusal,
} from '#client/index.ts'
import { fileCursorStore } from '#client/node.ts'
import { postpaidBilling } from '#test/support/fixtures/postpaid-billing.ts'
import { prepaid } from '#test/support/fixtures/prepaid.ts'
import { startProxy, type TcpProxy } from '#test/support/proxy.ts'
import { createRest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

/** Waits that end with the state that is waited for, however busy the machine is. */
const PATIENT = { interval: 20, timeout: 20_000 }

let stack: Stack
let proxy: TcpProxy
let client: Client
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
  proxy = await startProxy('127.0.0.1', Number(new URL(stack.address).port))
  const address = `http://127.0.0.1:${proxy.port}`
  client = createClient({ address, token: () => stack.token('demo-partner') })
})
afterEach(() => proxy.restore())
afterAll(async () => {
  await proxy.close()
  await stack[Symbol.asyncDispose]()
})

/** Posts so many payments, one after the other, and waits for their events. @returns Their ids. */
const post = async (count: number, { path, body, idField } = postpaidBilling): Promise<string[]> => {
  const token = await stack.token('demo-partner')
  const rest = createRest(stack.address)
  const ids: string[] = []
  for (let posted = 0; posted < count; posted++) {
    const response = await rest('POST', path, { token, body: body() })
    ids.push(response.body[idField])
    await stack.settled()
  }
  return ids
}

/** Begins to follow, and waits until it is connected; the test's end ends it. */
const begin = async (options: FollowOptions) => {
  const states: FollowState[] = []
  const connected = Promise.withResolvers<void>()
  const onState = (state: FollowState) => {
    states.push(state)
    if (state.name === 'following') connected.resolve()
  }
  const following = follow(client, { maxRetryMs: 50, onState, ...options })
  onTestFinished(async () => void (await following.return()))
  const first = following.next()
  first.catch(() => undefined)
  await Promise.race([connected.promise, first])
  return { following, first, states }
}

const deliveryOf = ({ value }: IteratorResult<Delivery, undefined>): Delivery => value!

/** Takes so many events; `first` is the one that is asked for already. */
const take = async (following: Following<FollowedEvent>, count: number, first = following.next()) => {
  const taken = [deliveryOf(await first)]
  while (taken.length < count) taken.push(deliveryOf(await following.next()))
  return taken
}

const idsOf = (taken: readonly Delivery[]) => taken.map(({ event }) => event.transactionId)

const WAYS = ['websocket', 'sse', 'poll'] as const

/** Whether the server has the partners' tools. */
const HAS_POLL = existsSync(join(import.meta.dirname, '../../schema/partner.openapi.yaml'))

describe.each(HAS_POLL ? WAYS : WAYS.slice(0, 2))('over %s', way => {
  it('CLIENT-FOLLOW-01 brings events as they happen, with the fields of a webhook', async () => {
    const { following, first } = await begin({ way })
    const [id] = await post(1)
    const [{ event }] = (await take(following, 1, first)) as [Delivery]
    expect(event).toMatchObject({
      transactionId: id,
      kind: 'PAYMENT',
      eventType: 'PAYMENT_COMPLETED',
      status: 'succeeded',
      cursor: expect.any(String),
      eventid: expect.any(String),
      eventTime: expect.stringMatching(/^20/),
      description: expect.any(String),
    })
  })

  it('CLIENT-FOLLOW-02 resumes after a connection that was killed, none lost and none twice', async () => {
    const { following, first, states } = await begin({ way })
    const before = await post(2)
    const taken = await take(following, 2, first)
    const next = following.next()
    proxy.cut()
    await expect.poll(() => states.some(({ name }) => name === 'lost'), PATIENT).toBe(true)
    const missed = await post(2)
    proxy.restore()
    const resumed = await take(following, 2, next)
    const [live] = await post(1)
    const [last] = await take(following, 1)
    expect(idsOf([...taken, ...resumed, last!])).toEqual([...before, ...missed, live])
  })

  it('CLIENT-FOLLOW-03 a program that starts again gets what it had not acknowledged, and nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cursors-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const options = { way, store: fileCursorStore(folder), name: 'billing' }
    const { following, first } = await begin(options)
    const ids = await post(3)
    const [one, two] = await take(following, 2, first)
    await one!.ack()
    expect(two!.event.transactionId).toBe(ids[1])
    await following.return()
    const missed = await post(1)

    const again = await begin({ ...options, store: fileCursorStore(folder) })
    const taken = await take(again.following, 3, again.first)
    expect(idsOf(taken)).toEqual([ids[1], ids[2], ...missed])
    for (const { ack } of taken) await ack()
    await again.following.return()

    const third = await begin({ ...options, store: fileCursorStore(folder) })
    const [live] = await post(1)
    expect(idsOf(await take(third.following, 1, third.first))).toEqual([live])
  })

  it('CLIENT-FOLLOW-04 ends by its signal and by leaving the loop, while it waits', async () => {
    const stop = new AbortController()
    const { first } = await begin({ way, signal: stop.signal })
    stop.abort()
    expect(await first).toEqual({ done: true, value: undefined })
    const other = await begin({ way })
    await other.following.return()
    expect(await other.first).toEqual({ done: true, value: undefined })
    await expect.poll(() => stack.listeners(), PATIENT).toBe(0)
  })

  it('CLIENT-FOLLOW-05 narrows by kinds', async () => {
    const { following, first } = await begin({ way, filter: { kinds: ['RECHARGE'] } })
    await post(1)
    const [recharge] = await post(1, prepaid)
    expect(idsOf(await take(following, 1, first))).toEqual([recharge])
  })

  it('CLIENT-FOLLOW-06 throws what another connection does not mend', async () => {
    const unknown = follow(client, { way, from: { after: 'no-cursor' } })
    await expect(unknown.next()).rejects.toMatchObject({ name: 'Refusal', code: 'INVALID_ARGUMENT' })
  })

  it('CLIENT-FOLLOW-07 gets another token for one that was refused, and gives up where none is accepted', async () => {
    let tokens = 0
    const changing = createClient({
      address: stack.address,
      token: async () => (tokens++ === 1 ? 'not-a-token' : stack.token('demo-partner')),
    })
    const states: FollowState[] = []
    const following = follow(changing, { way, maxRetryMs: 10, onState: state => states.push(state) })
    const first = following.next()
    await expect.poll(() => states.at(-1)?.name, PATIENT).toBe('following')
    // A request that is refused is sent again at once; a connection is made anew.
    const renewed = way === 'poll' ? [] : ['lost', 'connecting']
    expect(states.map(({ name }) => name)).toEqual(['connecting', ...renewed, 'following'])
    await following.return()
    await first

    const stranger = createClient({ address: stack.address, token: () => 'not-a-token' })
    const refused = follow(stranger, { way, maxRetryMs: 10, from: { after: 'any' } })
    await expect(refused.next()).rejects.toThrow(/40[13]|token/i)
  })
})

it.each(['websocket', 'sse'] as const)('CLIENT-FOLLOW-14 selects further fields over %s', async way => {
  const { following, first } = await begin({ way, selection: 'transaction { amount { currency } }' })
  await post(1)
  const [{ event }] = (await take(following, 1, first)) as [Delivery]
  expect(event).toMatchObject({ transaction: { amount: { currency: 'OMR' } } })
})

it('CLIENT-FOLLOW-08 begins with the oldest event that is kept', async () => {
  const { events } = await client.graph<{ events: { nodes: { eventid: string }[] } }>(
    '{ events(first: 3, orderBy: OLDEST_FIRST) { nodes { eventid } } }',
  )
  const { following, first } = await begin({ from: 'oldest' })
  const taken = await take(following, 3, first)
  expect(taken.map(({ event }) => event.eventid)).toEqual(events.nodes.map(({ eventid }) => eventid))
})

it('CLIENT-FOLLOW-09 acknowledged out of turn, the cursor waits for the first', async () => {
  const store = memoryCursorStore()
  const { following, first } = await begin({ store, name: 'desk' })
  await post(3)
  const [one, two, three] = await take(following, 3, first)
  await two!.ack()
  expect(await store.get('desk')).toBeUndefined()
  await one!.ack()
  expect(await store.get('desk')).toBe(two!.event.cursor)
  await Promise.all([three!.ack(), three!.ack()])
  expect(await store.get('desk')).toBe(three!.event.cursor)
})

it('CLIENT-FOLLOW-10 says so where nothing is acknowledged', async () => {
  const { following, first } = await begin({ maxOpen: 1 })
  await post(2)
  await take(following, 1, first)
  await expect(following.next()).rejects.toThrow('1 events are not acknowledged: call ack()')
})

it('CLIENT-FOLLOW-11 a store that fails is told to the one who acknowledges', async () => {
  const store = { get: async () => undefined, set: () => Promise.reject(new Error('the disk is full')) }
  const { following, first } = await begin({ store })
  await post(1)
  const [one] = await take(following, 1, first)
  await expect(one!.ack()).rejects.toThrow('the disk is full')
})

it('CLIENT-FOLLOW-15 no acknowledgement resolves for a cursor that was not kept, and each may be repeated', async () => {
  const kept: string[] = []
  const writes: PromiseWithResolvers<void>[] = []
  const store = {
    get: async () => undefined,
    async set(_: string, cursor: string) {
      const write = Promise.withResolvers<void>()
      writes.push(write)
      await write.promise
      kept.push(cursor)
    },
  }
  const { following, first } = await begin({ store })
  await post(3)
  const taken = await take(following, 3, first)
  const acks = taken.map(one => one.ack())
  const outcomes = Promise.allSettled(acks)
  writes[0]!.resolve()
  // The other two are written together: both are told that it failed.
  for (const index of [1, 2]) {
    await expect.poll(() => writes.length).toBe(index + 1)
    writes[index]!.reject(new Error('the disk is full'))
  }
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  const again = taken[2]!.ack()
  await expect.poll(() => writes.length).toBe(4)
  writes[3]!.resolve()
  await again
  expect(kept).toEqual([taken[0]!.event.cursor, taken[2]!.event.cursor])
})

it('CLIENT-FOLLOW-16 a token that cannot be renewed for a while does not end following', async () => {
  const { latestEventCursor: after } = await client.graph<{ latestEventCursor: string }>(
    '{ latestEventCursor }',
  )
  const ended = () => 'not-a-token'
  const unreachable = () => Promise.reject(new TypeError('fetch failed'))
  const given = [ended, unreachable, ended, unreachable, ended, unreachable]
  const flaky = createClient({
    address: stack.address,
    token: () => given.shift()?.() ?? stack.token('demo-partner'),
  })
  const states: FollowState[] = []
  const following = follow(flaky, {
    maxRetryMs: 10,
    from: { after },
    onState: state => states.push(state),
  })
  const first = following.next()
  await Promise.race([first, expect.poll(() => states.at(-1)?.name, PATIENT).toBe('following')])
  expect(given).toEqual([])
  await following.return()
  await first
})

it('CLIENT-FOLLOW-12 long poll refuses filters and fields that it does not know', () => {
  const refused = [{ selection: 'transaction { id }' }, { filter: { mobileNumber: '91000001' } }]
  const begun = refused.map(options => () => follow(client, { way: 'poll', ...options }))
  expect(begun[0]).toThrow('follow over websocket or sse to select more')
  expect(begun[1]).toThrow('long poll narrows by kinds alone, not by mobileNumber')
})

it('CLIENT-FOLLOW-13 a refusal of the graph is one of the client', async () => {
  const analyst = createClient({ address: stack.address, token: () => 'none' })
  await expect(analyst.graph('{ me { id } }')).rejects.toBeInstanceOf(Refusal)
})
