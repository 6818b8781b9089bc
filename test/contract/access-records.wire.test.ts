/** Access records: who looked at whom (docs/operating.md, "Who looked at whom"), by every way to a subscriber. */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { SENDS_TWICE } from '../support/graph.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { bearer, connect, subscribeSse } from '../support/subscribe.ts'

const NUMBER = '+96891000002'
const ACCOUNT = '100002'

let stack: Stack
let auditor: string
let portal: string

beforeAll(async () => {
  stack = await startStack()
  auditor = await stack.token({ id: 'auditor', role: 'auditor' })
  portal = await stack.token('demo-portal')
})
afterAll(() => stack[Symbol.asyncDispose]())

interface Found {
  client: { id: string }
  user: string | null
  subject: string
  operation: string | null
  correlator: string
}

const RECORDS =
  '{ accessRecords(first: 200) { nodes { at client { id } user subject operation correlator } } }'

/** The records that fit, once so many are written, in no sequence. */
const recordsThat = (fit: (one: Found) => boolean, count: number): Promise<Found[]> =>
  vi.waitFor(
    async () => {
      const { data } = await graphOf(stack)(RECORDS, { token: auditor })
      const found = (data.accessRecords.nodes as Found[]).filter(fit)
      expect(found.length).toBeGreaterThanOrEqual(count)
      return found
    },
    { timeout: 10_000, interval: 100 },
  )

const recordsOf = (correlator: string, count: number) =>
  recordsThat(one => one.correlator === correlator, count)

const subjectsOf = async (correlator: string, count: number) =>
  (await recordsOf(correlator, count)).map(({ subject }) => subject).toSorted()

/** Sends an operation with a correlator of its own. */
const ask = async (query: string, { token = portal, headers = {} as Record<string, string> } = {}) => {
  const correlator = randomUUID()
  const answer = await graphOf(stack)(query, { token, headers: { 'x-correlator': correlator, ...headers } })
  return { correlator, ...answer }
}

/** Records are counted, and each operation is sent once. */
const counting = it.skipIf(SENDS_TWICE)

counting(
  'ACCESS-01 MUST record each customer and subscriber of an operation once, with person, operation and correlator',
  async () => {
    const query = `query Customer360 {
    subscriber(mobileNumber: "${NUMBER}") {
      kind prepaidBalance { value } pointsBalance
      customer { customerName subscribers { mobileNumber active } }
      timeline(first: 2) { totalCount }
      again: customer { totalDues }
    }
  }`
    const { correlator, errors } = await ask(query, { headers: { 'x-acting-user': 'salma.k@operator' } })
    expect(errors).toEqual([])
    const records = await recordsOf(correlator, 2)
    expect(new Set(records.map(({ subject }) => subject)).size).toBe(records.length)
    expect(records.map(({ subject }) => subject)).toEqual(expect.arrayContaining([NUMBER, ACCOUNT]))
    for (const record of records)
      expect(record).toMatchObject({
        client: { id: 'demo-portal' },
        user: 'salma.k@operator',
        operation: 'Customer360',
      })
  },
)

counting('ACCESS-02 MUST record by REST, by the graph and by exports whom was looked at', async () => {
  const partner = await stack.token('demo-partner')
  const correlator = randomUUID()
  const path = `/postpaid-billing/v1/customers?phoneNumber=${NUMBER.slice(4)}`
  await restOf(stack)('GET', path, { token: partner, headers: { 'x-correlator': correlator } })
  expect(await recordsOf(correlator, 2)).toMatchObject([
    { client: { id: 'demo-partner' }, operation: 'inquireCustomer', user: null },
    { client: { id: 'demo-partner' } },
  ])
  expect(await subjectsOf(correlator, 2)).toEqual([NUMBER, ACCOUNT])
  const exported = randomUUID()
  await fetch(`${stack.address}/exports/timeline.csv?kinds=MESSAGE`, {
    headers: { authorization: `Bearer ${portal}`, 'x-correlator': exported },
  }).then(response => response.text())
  expect(await recordsOf(exported, 1)).toMatchObject([{ subject: '*', operation: 'timeline.csv' }])
})

counting.each([
  ['a timeline without an owner', '{ timeline(first: 1) { totalCount } }', ['*']],
  ['events', '{ events(first: 1) { totalCount } }', ['*']],
  ['events of a number', `{ events(filter: { mobileNumber: "${NUMBER}" }) { totalCount } }`, [NUMBER]],
  ['a list', '{ payments(first: 1) { totalCount } }', ['*']],
  [
    'a list of an account',
    `{ payments(filter: { customerAccountNumber: "${ACCOUNT}" }) { totalCount } }`,
    [ACCOUNT],
  ],
  ['a list of a number', `{ recharges(filter: { mobileNumber: "91000002" }) { totalCount } }`, [NUMBER]],
  ['a customer', `{ customer(customerAccountNumber: "${ACCOUNT}") { customerName } }`, [ACCOUNT]],
  ['a search', '{ customers(search: "Muna") { nodes { customerName } } }', [ACCOUNT]],
])('ACCESS-03 MUST record %s', async (_, query, expected) => {
  const { correlator, errors } = await ask(query)
  expect(errors).toEqual([])
  expect(await subjectsOf(correlator, expected.length)).toEqual(expected)
})

counting('ACCESS-04 MUST record the customers of transactions that link to them', async () => {
  const list = `{ payments(filter: { customerAccountNumber: "${ACCOUNT}" }, first: 2) {
    nodes { customer { customerName } subscriber { kind } } } }`
  const { correlator, errors } = await ask(list)
  expect(errors).toEqual([])
  expect(await subjectsOf(correlator, 1)).toContain(ACCOUNT)
})

counting('ACCESS-05 MUST record a subscription once, when it begins, by what its filter names', async () => {
  const subscribe = (filter: string) =>
    `subscription Desk { transactionEvents${filter} { cursor transaction { id customer { customerName } } } }`
  for (const [filter, subject] of [
    ['', '*'],
    [`(filter: { mobileNumber: "91000002" })`, NUMBER],
    [`(filter: { customerAccountNumber: "${ACCOUNT}" })`, ACCOUNT],
  ] as const) {
    const user = `desk ${subject}`
    using socket = connect(stack.address, { ...bearer(portal), 'x-acting-user': user })
    using _ = socket.subscribe(subscribe(filter))
    expect(await recordsThat(one => one.user === user, 1)).toMatchObject([{ subject, operation: 'Desk' }])
  }
  const own = await stack.token({ id: 'desk-of-streams', role: 'portal' })
  using _ = subscribeSse(`${stack.address}/graphql/stream`, own, subscribe(''))
  expect(await recordsThat(one => one.client.id === 'desk-of-streams', 1)).toMatchObject([
    { subject: '*', operation: 'Desk' },
  ])
})

counting('ACCESS-08 MUST close a WebSocket whose portal names a person that could forge a line', async () => {
  using socket = connect(stack.address, { ...bearer(portal), 'x-acting-user': 'salma\nroot' })
  expect(await socket.closed).toMatchObject({ code: 4400, reason: expect.stringContaining('x-acting-user') })
})

counting('ACCESS-06 MUST record each operation that shares its reads with others', async () => {
  const analyst = await stack.token('demo-analyst')
  const query = `query Shared { subscriber(mobileNumber: "${NUMBER}") { kind customer { customerName } pointsBalance } }`
  const sent = await Promise.all(
    Array.from({ length: 6 }, (_, n) => ask(query, n % 2 ? { token: analyst } : {})),
  )
  for (const { correlator, errors } of sent) {
    expect(errors).toEqual([])
    expect(await subjectsOf(correlator, 2)).toEqual([NUMBER, ACCOUNT])
  }
})

counting(
  'ACCESS-07 MUST NOT take a person from anybody but a portal, nor a name that could forge one',
  async () => {
    const partner = await stack.token('demo-partner')
    const query = `{ subscriber(mobileNumber: "${NUMBER}") { kind } }`
    const { correlator } = await ask(query, {
      token: partner,
      headers: { 'x-acting-user': 'salma.k@operator' },
    })
    expect(await recordsOf(correlator, 1)).toMatchObject([{ user: null, operation: null }])
    for (const forged of ['a\tb', 'x'.repeat(257), 'é', '  ']) {
      const { status, errors } = await ask(query, { headers: { 'x-acting-user': forged } })
      // Spaces alone are no value at all (RFC 9110 §5.5).
      if (forged.trim() === '') expect(errors).toEqual([])
      else
        expect([status, errors[0]!.message]).toEqual([400, expect.stringContaining('x-acting-user must be')])
    }
  },
)

counting(
  'ACCESS-30 MUST record those whose transactions a journey tells a portal of, and nothing of a partner that posted them',
  async () => {
    const partner = await stack.token()
    const { body } = await restOf(stack)('POST', '/postpaid-billing/v1/payments', {
      token: partner,
      body: {
        paymentTransaction: {
          clientCorrelatorId: randomUUID(),
          referenceCode: 'R-1',
          customerInfo: { customerAccountNumber: ACCOUNT, phoneNumber: NUMBER.slice(1) },
          paymentInfo: { paymentInformation: { amount: 1, currency: 'OMR', description: 'Journey' } },
        },
      },
    })
    const query = `query Told { journey(transactionId: "${body.paymentId}") { steps { text } } }`
    const own = await ask(query, { token: partner })
    expect(own.data.journey.steps.length).toBeGreaterThan(0)
    const { correlator } = await ask(query)
    expect(await subjectsOf(correlator, 2)).toEqual([NUMBER, ACCOUNT])
    expect(await recordsThat(one => one.correlator === own.correlator, 0)).toEqual([])
  },
)

counting(
  'ACCESS-12 MUST be written although a client looked for accounts with names of any length',
  async () => {
    const long = randomBytes(4_000).toString('base64')
    await ask(`{ payments(filter: { customerAccountNumber: "${long}" }) { totalCount } }`)
    const { errors } = await ask(`{ events(filter: { customerAccountNumber: "${long}" }) { totalCount } }`)
    expect(errors).toMatchObject([
      { extensions: { field: 'filter.customerAccountNumber', reason: 'TOO_LONG' } },
    ])
    await ask(`{ customer(customerAccountNumber: "${long}") { totalDues } }`)
    const { correlator } = await ask(`{ subscriber(mobileNumber: "${NUMBER}") { pointsBalance } }`)
    expect(await subjectsOf(correlator, 1)).toContain(NUMBER)
  },
)
