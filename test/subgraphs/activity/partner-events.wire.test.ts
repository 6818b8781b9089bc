/** `GET /partner/v1/events`: events after a cursor, at once or as soon as there is one. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { pay, payMany } from '#test/core/webhooks/support.ts'
import { createRest, type Rest } from '#test/support/rest.ts'
import { SEPARATE, type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
let token: string
let rest: Rest
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token({ id: 'follower', name: 'f', role: 'partner', currencies: ['OMR'] })
  rest = createRest(stack.address)
})
afterAll(() => stack[Symbol.asyncDispose]())

const follow = async (query = '', as = token) => {
  const { status, body } = await rest('GET', `/partner/v1/events${query}`, { token: as })
  expect(status).toBe(200)
  return body
}
const idsIn = (page: { events: { eventDetail: { paymentId: string } }[] }) =>
  page.events.map(({ eventDetail }) => eventDetail.paymentId)

it('FOLLOW-01 gives every event once, page by page, in the order of the log, and no other client its own', async () => {
  const ids = await payMany(stack, token, 5)
  await pay(stack, await stack.token('demo-partner-2'))
  await stack.settled()
  const first = await follow('?limit=2')
  const second = await follow(`?limit=2&after=${first.cursor}`)
  const last = await follow(`?limit=2&after=${second.cursor}`)
  expect([first, second, last].flatMap(idsIn).toSorted()).toEqual(ids.toSorted())
  expect([first.more, second.more, last.events.length]).toEqual([true, true, 1])
  const end = await follow(`?after=${last.cursor}`)
  expect(end).toMatchObject({ events: [], more: false })
  expect(first.events[0]).toMatchObject({
    kind: 'PAYMENT',
    eventType: 'PAYMENT_COMPLETED',
    eventDetail: {
      status: 'succeeded',
      description: expect.any(String),
      paymentDate: expect.stringContaining('+04:00'),
    },
  })
})

it('FOLLOW-02 waits for an event, and is answered by it; many waits are one reader of the log', async () => {
  const { cursor } = await follow('?after=now')
  const waits = Array.from({ length: 10 }, () => follow(`?after=${cursor}&wait=30`))
  await expect.poll(() => stack.listeners()).toBe(10)
  const id = await pay(stack, token)
  for (const page of await Promise.all(waits)) expect(idsIn(page)).toEqual([id])
  await expect.poll(() => stack.listeners()).toBe(0)
})

it('FOLLOW-03 answers with nothing when the time is over, and the cursor goes on', async () => {
  const before = await follow('?after=now')
  const page = await follow(`?after=${before.cursor}&wait=1`)
  expect(page).toMatchObject({ events: [], more: false })
  const id = await pay(stack, token)
  await stack.settled()
  expect(idsIn(await follow(`?after=${page.cursor}`))).toEqual([id])
})

it('FOLLOW-04 has the cursors of the graph', async () => {
  const { cursor } = await follow('?after=now')
  const response = await fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ latestEventCursor }' }),
  })
  expect(await response.json()).toEqual({ data: { latestEventCursor: cursor } })
})

it('FOLLOW-05 narrows by kind, and refuses what it does not know, naming it', async () => {
  expect((await follow('?kind=RECHARGE,STATEMENT')).events).toEqual([])
  const wrong = ['kind=CAR', 'wait=31', 'wait=x', 'limit=0', 'limit=201', 'after=unknown', 'wait=1&wait=2']
  for (const query of wrong) {
    const { status, body } = await rest('GET', `/partner/v1/events?${query}`, { token })
    expect([query, status, body.code]).toEqual([query, 400, 'INVALID_ARGUMENT'])
    expect(body.message).toContain(query.split('=')[0])
  }
})

it('FOLLOW-06 needs a token, and a role that reads transactions', async () => {
  expect((await rest('GET', '/partner/v1/events')).status).toBe(401)
  const auditor = await stack.token({ id: 'follow-auditor', name: 'a', role: 'auditor', currencies: ['OMR'] })
  const { status, body } = await rest('GET', '/partner/v1/events', { token: auditor })
  expect([status, body.code]).toEqual([403, 'PERMISSION_DENIED'])
})

it.skipIf(SEPARATE)('FOLLOW-07 is answered at once when the server stops', async () => {
  const own = await startStack()
  const as = await own.token()
  const waiting = createRest(own.address)('GET', '/partner/v1/events?after=now&wait=30', { token: as })
  await expect.poll(() => own.listeners()).toBe(1)
  await own[Symbol.asyncDispose]()
  expect((await waiting).body).toMatchObject({ events: [] })
})

it.skipIf(SEPARATE)('FOLLOW-08 a wait beyond the quota is refused, and its session is closed', async () => {
  const as = await stack.token({
    id: 'one-wait',
    name: 'o',
    role: 'partner',
    currencies: ['OMR'],
    quotas: { openStreams: '1' },
  })
  const { cursor } = await follow('?after=now', as)
  const held = new AbortController()
  const headers = { authorization: `Bearer ${as}` }
  const url = `${stack.address}/partner/v1/events?after=${cursor}&wait=30`
  const waiting = fetch(url, { headers, signal: held.signal }).catch(() => undefined)
  await expect.poll(() => stack.listeners()).toBe(1)
  const abort = vi.spyOn(AbortController.prototype, 'abort')
  onTestFinished(() => abort.mockRestore())
  const { status } = await rest('GET', `/partner/v1/events?after=${cursor}&wait=30`, { token: as })
  expect(status).toBe(503)
  // Closing a session aborts its signal; one that is left open verifies its token for as long as that lasts.
  const closed = abort.mock.calls.filter(([reason]) => reason?.message === 'The connection has ended')
  expect(closed).toHaveLength(1)
  held.abort()
  await waiting
  await expect.poll(() => stack.listeners()).toBe(0)
})
