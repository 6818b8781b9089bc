/** Long poll as `schema/partner.openapi.yaml` describes it: a server that the test leads through its answers. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Client, createClient, type FollowedEvent, type FollowOptions, follow } from '#client/index.ts'

const asked: URLSearchParams[] = []
let answers: ((response: ServerResponse, request: IncomingMessage) => void)[] = []
const server = createServer((request, response) => {
  const url = new URL(`${request.url}`, 'http://server.test')
  if (url.pathname !== '/partner/v1/events') return void response.writeHead(404).end()
  asked.push(url.searchParams)
  // The last request waits, as one without an event does.
  answers.shift()?.(response, request)
})

let client: Client
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = createClient({ address, token: () => 'token' })
})
beforeEach(() => {
  asked.length = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const eventOf = (number: number, more: object = {}) => ({
  cursor: `c${number}`,
  kind: 'PAYMENT',
  eventid: `event-${number}`,
  eventType: 'PAYMENT_COMPLETED',
  eventTime: '2026-11-25T12:00:00.000+04:00',
  eventDetail: { paymentId: `payment-${number}`, status: 'succeeded', description: 'Posted' },
  ...more,
})

const page =
  (cursor: string, ...events: object[]) =>
  (response: ServerResponse) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ events, cursor, more: false }))

const fail =
  (status: number, code: string, headers = {}) =>
  (response: ServerResponse) =>
    response
      .writeHead(status, headers)
      .end(JSON.stringify({ code, status: `${status}`, message: 'for a test' }))

/** Takes so many events and ends. */
const followed = async (count: number, options: FollowOptions = {}): Promise<FollowedEvent[]> => {
  const events: FollowedEvent[] = []
  for await (const { event } of follow(client, { way: 'poll', maxRetryMs: 5, ...options })) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

const queries = () => asked.map(query => Object.fromEntries(query))

it('CLIENT-POLL-01 begins now, then waits after each cursor, also one beyond events of other kinds', async () => {
  answers = [page('c1'), page('c1'), page('c7'), page('c9', eventOf(8), eventOf(9)), page('c10', eventOf(10))]
  const events = await followed(3, { filter: { kinds: ['PAYMENT', 'STATEMENT'] } })
  expect(events.map(({ transactionId }) => transactionId)).toEqual(['payment-8', 'payment-9', 'payment-10'])
  expect(events[0]).toMatchObject({ status: 'succeeded', description: 'Posted', cursor: 'c8' })
  const kind = 'PAYMENT,STATEMENT'
  expect(queries()).toEqual([
    { after: 'now', kind, wait: '0' },
    { after: 'c1', kind, wait: '0' },
    { after: 'c1', kind, wait: '30' },
    { after: 'c7', kind, wait: '30' },
    { after: 'c9', kind, wait: '30' },
  ])
})

it('CLIENT-POLL-02 begins with the oldest event, or after a cursor', async () => {
  answers = [page('c1', eventOf(1))]
  await followed(1, { from: 'oldest' })
  answers = [page('c6', eventOf(6))]
  await followed(1, { from: { after: 'c5' } })
  expect(queries()).toEqual([{ wait: '0' }, { after: 'c5', wait: '0' }])
})

it('CLIENT-POLL-03 goes on after a request that was cut, an overload and a failure, with no event twice', async () => {
  answers = [
    page('c2', eventOf(1), eventOf(2)),
    response => response.destroy(),
    fail(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
    fail(500, 'SERVER_ERROR'),
    page('c3', eventOf(3)),
  ]
  const events = await followed(3, { from: 'oldest' })
  expect(events.map(({ cursor }) => cursor)).toEqual(['c1', 'c2', 'c3'])
  expect(queries().map(({ after }) => after)).toEqual([undefined, 'c2', 'c2', 'c2', 'c2'])
})

it('CLIENT-POLL-04 throws what another request does not mend', async () => {
  answers = [fail(400, 'INVALID_ARGUMENT')]
  await expect(followed(1, { from: { after: 'expired' } })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
})

it('CLIENT-POLL-05 brings events of statements and endpoints too', async () => {
  const statement = { kind: 'STATEMENT', eventType: 'STATEMENT_READY', eventDetail: { date: '2026-11-24' } }
  answers = [page('c1', eventOf(1, statement))]
  const [event] = await followed(1, { from: 'oldest' })
  expect(event).toMatchObject({ ...statement, transactionId: '', description: '' })
})
