/** Event filters' `from` and `to`: what happened within a span, both ends within; live, and replayed with `after`. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { appendEvents, type NewEvent } from '#core/events/append.ts'
import { readBounds, toEventCursor } from '#core/events/read.ts'
import { type LoneSubgraphs, startSubgraphs } from '../../support/subgraph.ts'
import { bearer, connect, type Result } from '../../support/subscribe.ts'

const FROM = '2026-03-02T00:00:00.000+04:00'
const TO = '2026-03-02T23:59:59.999+04:00'

const beside = (instant: string, ms: number) => new Date(Date.parse(instant) + ms)

/** In the order in which they are written: what lies within both ends comes last, so that what is not wanted would come before it. */
const TIMES = {
  before: beside(FROM, -1),
  after: beside(TO, 1),
  first: beside(FROM, 0),
  last: beside(TO, 0),
}

const SPANS: [span: object, wanted: (keyof typeof TIMES)[]][] = [
  [{ from: FROM, to: TO }, ['first', 'last']],
  [{ from: '2026-03-02', to: '2026-03-02' }, ['first', 'last']],
  [{ from: FROM }, ['after', 'first', 'last']],
  [{ to: TO }, ['before', 'first', 'last']],
]

let subgraphs: LoneSubgraphs
let token: string
beforeAll(async () => {
  subgraphs = await startSubgraphs(['postpaid-billing', 'activity'])
  token = await subgraphs.token('demo-portal')
})
afterAll(() => subgraphs?.[Symbol.asyncDispose]())

const event = (eventTime: Date): NewEvent => ({
  eventid: randomUUID(),
  kind: 'PAYMENT',
  eventType: 'PAYMENT_COMPLETED',
  eventTime,
  transactionId: randomUUID(),
  operationStatus: 'succeeded',
  status: 'succeeded',
  description: 'done',
  clientCorrelatorId: null,
  paymentDate: null,
  clientId: 'demo-partner',
  accountNumber: '100001',
  mobileNumber: null,
})

/** Writes an event of each time; their ids by its name. */
const write = async () => {
  const { app } = subgraphs
  const events = Object.values(TIMES).map(event)
  await app.db.$transaction(tx => appendEvents(tx, events))
  app.feed.wake()
  return Object.fromEntries(Object.keys(TIMES).map((name, index) => [name, events[index]!.eventid]))
}

describe.each([
  ['postpaid-billing', 'paymentEvents', 'PaymentEventFilter'],
  ['activity', 'transactionEvents', 'EventFilter'],
])('%s', (name, field, type) => {
  const query = `subscription ($filter: ${type}, $after: String) {
    ${field}(filter: $filter, after: $after) { eventid } }`
  const idsOf = (results: Result[]) => results.map(({ data }) => data[field].eventid)

  test.each(SPANS)(
    'SUBGRAPH-SUB-10 MUST bring what happened within %o, live and replayed',
    async (filter, wanted) => {
      const { head } = await readBounds(subgraphs.app.db)
      using socket = connect(subgraphs.of(name).address, bearer(token))
      using live = socket.subscribe(query, { filter })
      await vi.waitFor(() => expect(subgraphs.app.feed.subscribers).toBe(1), { interval: 5, timeout: 10_000 })
      const ids = await write()
      const expected = wanted.map(one => ids[one])
      expect(idsOf(await live.take(expected.length))).toEqual(expected)
      using replayed = socket.subscribe(query, { filter, after: toEventCursor(head) })
      expect(idsOf(await replayed.take(expected.length))).toEqual(expected)
      live[Symbol.dispose]()
      replayed[Symbol.dispose]()
      await vi.waitFor(() => expect(subgraphs.app.feed.subscribers).toBe(0), { interval: 5, timeout: 10_000 })
    },
  )
})
