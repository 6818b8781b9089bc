/** Steps of a journey, of records as they are made up here. */
import { expect, it } from 'vitest'
import type { RequestRow } from '#core/requests/read.ts'
import type { OrderRow, Records, TravelledRow } from '#subgraphs/activity/journey/read.ts'
import { type Details, inOrder } from '#subgraphs/activity/journey/step.ts'
import { stepsOf } from '#subgraphs/activity/journey/steps.ts'
import { loadKinds } from '#subgraphs/load.ts'

const ID = '01a201e4-38e5-76b6-8624-dd60c8fd73e4'
const at = (ms: number) => new Date(Date.parse('2026-11-22T10:00:00.000Z') + ms)
const ALL: Details = { internals: true, addresses: true }
const PARTNER: Details = { internals: false, addresses: true }

const MESSAGE: TravelledRow = {
  id: ID,
  kind: 'MESSAGE',
  clientId: 'shop',
  createdAt: at(0),
  completedAt: null,
  status: 'accepted',
  reason: null,
  accountNumber: null,
  mobileNumber: '96891000002',
  amount: null,
  currency: null,
  points: null,
  text: 'Hello',
}

const NOTHING: Records = {
  requests: [],
  transactions: [MESSAGE],
  orders: [],
  parts: [],
  quarantined: [],
  interventions: [],
  events: [],
  deliveries: [],
}

const ORDER: OrderRow = {
  transactionId: ID,
  state: 'sent',
  attempts: 3,
  submittedAt: at(20),
  nextAttemptAt: at(60_000),
  lastError: 'connect ECONNREFUSED\n 10.0.0.5:8080.',
  outcome: null,
  reason: null,
  concludedAt: null,
}

const kinds = await loadKinds()
const orderedSteps = (records: Partial<Records>, details = ALL) =>
  inOrder(stepsOf(kinds, { ...NOTHING, ...records }, details))

const [message] = kinds.filter(({ name }) => name === 'MESSAGE')
const order = `The order ${message!.charge.operation}`

it.each<[string, Partial<OrderRow>, string]>([
  [
    'waits',
    { state: 'waiting', attempts: 0, submittedAt: null },
    `${order} waits to be put to the charging system.`,
  ],
  [
    'has no known outcome',
    {},
    `${order} was put to the charging system, which has not said what became of it; 3 calls brought no outcome, the last: connect ECONNREFUSED 10.0.0.5:8080; the next is due at 2026-11-22T10:01:00.000Z.`,
  ],
  ['is held', { state: 'pending', attempts: 0 }, `${order} is held by the charging system.`],
  [
    'is concluded',
    { state: 'concluded', outcome: 'declined', reason: 'No funds.', concludedAt: at(520) },
    `${order} was put to the charging system, which answered declined: no funds.`,
  ],
])('JOURNEY-40 MUST tell an order that %s', (_, change, text) => {
  const [, step] = orderedSteps({ orders: [{ ...ORDER, ...change }] })
  expect(step).toMatchObject({ kind: 'ORDERED', text, durationMs: change.concludedAt ? 500 : null })
})

it('JOURNEY-41 MUST not tell a partner what systems behind the services say', () => {
  const parts = [
    {
      transactionId: ID,
      number: 1,
      total: 1,
      smsc: 'op@10.0.0.7:2775',
      state: 'delivered',
      reason: null,
      triedAt: at(30),
    },
  ]
  const records = { orders: [ORDER], parts }
  expect(
    orderedSteps(records, PARTNER)
      .map(({ text }) => text)
      .join(),
  ).not.toMatch(/10\.0\.0|ECONN/)
  const texts = orderedSteps(records).map(({ text }) => text)
  expect(texts[2]).toBe('Part 1 of 1 was put to the message centre op@10.0.0.7:2775: it became delivered.')
})

it('JOURNEY-42 MUST tell what the ledger could not settle', () => {
  const [, step] = orderedSteps({ quarantined: [{ transactionId: ID, failures: 2, dueAt: at(9_000) }] })
  expect(step!.text).toBe(
    'The ledger could not settle it 2 times; it is tried again at 2026-11-22T10:00:09.000Z.',
  )
})

it('JOURNEY-43 MUST tell portals of an intervention that was requested or refused, partners of one that was done', () => {
  const intervention = {
    transactionId: ID,
    action: 'CANCEL',
    clientId: 'desk',
    correlator: 'c',
    reason: 'Wrong number',
    requestedAt: at(1_000),
    carriedOutAt: null,
    refusal: null,
  } as const
  const textOf = (change: object, details = ALL) =>
    orderedSteps({ interventions: [{ ...intervention, ...change }] }, details)[1]?.text
  expect(textOf({})).toBe('desk wanted it cancelled: wrong number; the charging system has not answered.')
  expect(textOf({ refusal: 'Too late.' })).toBe(
    'desk wanted it cancelled: wrong number; the charging system refused: too late.',
  )
  expect(textOf({}, PARTNER)).toBeUndefined()
  expect(textOf({ carriedOutAt: at(1_500) }, PARTNER)).toBe('The operator cancelled it: wrong number.')
})

it('JOURNEY-44 MUST put a cause before what follows of it, where the clocks of two machines differ', () => {
  const steps = orderedSteps({
    transactions: [{ ...MESSAGE, completedAt: at(-5), status: 'sent', reason: 'Sent' }],
    orders: [{ ...ORDER, submittedAt: at(-10) }],
  })
  expect(steps.map(({ kind }) => kind)).toEqual(['POSTED', 'ORDERED', 'SETTLED'])
  expect(steps.map(({ durationMs }) => durationMs)).toEqual([null, null, 0])
  expect(steps.map(({ sincePreviousMs }) => sincePreviousMs)).toEqual([null, 0, 5])
})

it('JOURNEY-45 MUST cut what another system said', () => {
  const [, step] = orderedSteps({ orders: [{ ...ORDER, lastError: `${'a'.repeat(5_000)}\u{1f600}` }] })
  expect(step!.text.length).toBeLessThan(500)
})

const REQUEST: RequestRow = {
  id: '01a201e4-0000-76b6-8624-dd60c8fd73e4',
  at: at(-20),
  clientId: 'shop',
  via: 'REST',
  operation: 'sendSms',
  status: 201,
  code: null,
  reason: null,
  field: null,
  durationMs: 35.4,
  transactionId: ID,
  correlator: 'c',
  weight: 1,
}

it.each<[string, Partial<RequestRow>, string[]]>([
  ['was answered', {}, ['shop sent sendSms by REST; it was answered 201.']],
  [
    'failed',
    { status: 503, code: 'SERVICE_UNAVAILABLE', reason: 'UNAVAILABLE' },
    ['shop sent sendSms by REST.', 'It failed with 503 SERVICE_UNAVAILABLE for UNAVAILABLE.'],
  ],
  [
    'failed in a field',
    {
      via: 'GRAPH',
      operation: null,
      status: 200,
      code: 'INVALID_ARGUMENT',
      reason: 'TOO_LONG',
      field: 'input.sender',
    },
    [
      'shop sent an operation without a name to the graph.',
      'It was answered 200 with the error INVALID_ARGUMENT for TOO_LONG at input.sender.',
    ],
  ],
  [
    'stands for many',
    { clientId: null, via: 'TOKEN', operation: null, status: 401, code: 'HTTP_401', weight: 7 },
    [
      'A client without a valid token sent an operation without a name for a token, 7 times.',
      'It was refused with 401 HTTP_401.',
    ],
  ],
])('JOURNEY-46 MUST tell a request that %s', (_, change, texts) => {
  const steps = orderedSteps({ transactions: [], requests: [{ ...REQUEST, ...change }] })
  expect(steps.map(({ text }) => text)).toEqual(texts)
  expect(steps[0]).toMatchObject({ kind: 'RECEIVED', durationMs: 35, transactionId: change.code ? null : ID })
})

it('JOURNEY-47 MUST put the request before what it posted, whatever the clock of its process says', () => {
  const steps = orderedSteps({ requests: [{ ...REQUEST, at: at(5) }] })
  expect(steps.map(({ kind }) => kind)).toEqual(['RECEIVED', 'POSTED'])
})
