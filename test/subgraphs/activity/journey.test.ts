/** `journey`: what became of a request or a transaction, in order of time, as far as its reader may see it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EVERYTHING, readJourney } from '#subgraphs/activity/journey/journey.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { type Receiver, startReceiver, status } from '../../core/webhooks/receiver.ts'
import { graphOf, restOf } from '../../support/both-interfaces.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { noting } from '../../support/statements.ts'

const NUMBER = '96891000002'
const ACCOUNT = '100002'
let stack: Stack
let receiver: Receiver
let partner: string
let portal: string
let analyst: string

beforeAll(async () => {
  receiver = await startReceiver()
  stack = await startStack({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
  partner = await stack.token()
  portal = await stack.token('demo-portal')
  analyst = await stack.token('demo-analyst')
})
afterAll(async () => {
  await stack[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const payment = (own: string, more: object = {}) => ({
  paymentTransaction: {
    clientCorrelatorId: own,
    referenceCode: 'R-1',
    customerInfo: { customerAccountNumber: ACCOUNT, phoneNumber: NUMBER },
    paymentInfo: { paymentInformation: { amount: 10.005, currency: 'OMR', description: 'November bill' } },
  },
  ...more,
})

/** Posts a payment, and waits until it is settled. */
const post = async (own: string, correlator: string, more?: object): Promise<string> => {
  const { status, body } = await restOf(stack)('POST', '/postpaid-billing/v1/payments', {
    token: partner,
    body: payment(own, more),
    headers: { 'x-correlator': correlator },
  })
  expect(status).toBe(201)
  await stack.settled()
  return body.paymentId
}

const QUERY = `query ($correlator: String, $transactionId: ID) {
  journey(correlator: $correlator, transactionId: $transactionId) {
    steps { at kind text durationMs sincePreviousMs transactionId }
    request { client { id } via operation status code reason field transaction { id } correlator } requests { status }
    transaction { id kind outcome } transactions { id } events { eventType } deliveries { status } hasMore
  }
}`

interface Step {
  at: string
  kind: string
  text: string
  durationMs: number | null
  sincePreviousMs: number | null
}

const ask = (token: string, variables: object) => graphOf(stack)(QUERY, { token, variables })

const journeyOf = async (token: string, variables: object) => {
  const { data, errors } = await ask(token, variables)
  expect(errors).toEqual([])
  return data.journey
}

const PATIENT = { timeout: 30_000, interval: 50 }
const kindsIn = ({ steps }: { steps: Step[] }) => steps.map(({ kind }) => kind)
const textsIn = ({ steps }: { steps: Step[] }) => steps.map(({ text }) => text)

describe('a payment with a webhook', () => {
  const own = `journey-${randomUUID()}`
  const correlator = `request-${randomUUID()}`
  let id: string
  beforeAll(async () => {
    receiver.answer = (response, received) =>
      status(receiver.received.length === 1 ? 410 : 204, 'no such desk')(response, received)
    id = await post(own, correlator, { webhook: { notificationUrl: receiver.url } })
    await vi.waitFor(async () => {
      const { deliveries, request } = await journeyOf(partner, { transactionId: id })
      expect([deliveries, request?.status]).toEqual([[{ status: 'DEAD' }], 201])
    }, PATIENT)
  })

  it('JOURNEY-01 MUST be told from its post to the end of its webhook, in order of time', async () => {
    const journey = await journeyOf(partner, { transactionId: id })
    expect(kindsIn(journey)).toEqual(['RECEIVED', 'POSTED', 'SETTLED', 'EVENT', 'ATTEMPTED', 'DEAD'])
    const times = journey.steps.map(({ at }: Step) => at)
    expect(times).toEqual(times.toSorted())
    expect(textsIn(journey)).toEqual([
      'demo-partner sent createPayment by REST; it was answered 201.',
      'demo-partner posted it: Payment of 10.005 OMR on account 100002: November bill.',
      'It became succeeded: the payment was posted to the account.',
      'The event PAYMENT_COMPLETED was written, with the status succeeded.',
      `Attempt 1 of the webhook to ${new URL(receiver.url).origin} was answered 410: no such desk.`,
      'The webhook was given up: redeliverWebhook begins anew.',
    ])
    expect(journey).toMatchObject({
      request: {
        client: { id: 'demo-partner' },
        via: 'REST',
        operation: 'createPayment',
        status: 201,
        code: null,
        transaction: { id },
        correlator,
      },
      requests: [{ status: 201 }],
      transaction: { id, kind: 'PAYMENT', outcome: 'COMPLETED' },
      transactions: [{ id }],
      events: [{ eventType: 'PAYMENT_COMPLETED' }],
      hasMore: false,
    })
  })

  it('JOURNEY-02 MUST say how long steps took, and how long after the one before they came', async () => {
    const { steps } = await journeyOf(portal, { transactionId: id })
    const [received, posted, settled, event, attempted, dead] = steps as Step[]
    const between = (one: Step, other: Step) => Date.parse(other.at) - Date.parse(one.at)
    expect([received!.sincePreviousMs, posted!.durationMs, event!.durationMs]).toEqual([null, null, null])
    expect(received!.durationMs).toBeGreaterThan(0)
    expect(settled!.durationMs).toBe(between(posted!, settled!))
    expect(attempted!.durationMs).toEqual(expect.any(Number))
    expect(dead!.durationMs).toBe(between(event!, dead!))
    for (const [index, step] of steps.slice(1).entries())
      expect(step.sincePreviousMs).toBe(between(steps[index], step))
  })

  it.each([
    ['of the request', correlator],
    ['of the client', own],
  ])('JOURNEY-03 MUST be found by the correlator %s', async (_, text) => {
    await expect
      .poll(async () => (await journeyOf(portal, { correlator: text }))?.transaction.id, PATIENT)
      .toBe(id)
  })

  it('JOURNEY-04 MUST not show an analyst the address of the webhook', async () => {
    const texts = textsIn(await journeyOf(analyst, { transactionId: id }))
    expect(texts[4]).toBe('Attempt 1 of the webhook was answered 410: no such desk.')
    expect(texts.join()).not.toContain('127.0.0.1')
  })

  it("JOURNEY-05 MUST be null for another partner, for a portal bound to another number, and for what is no one's", async () => {
    const other = await stack.token('demo-partner-2')
    const bound = await stack.token({ id: 'journey-bound', role: 'portal', phoneNumber: '96891000003' })
    for (const token of [other, bound])
      for (const start of [{ transactionId: id }, { correlator }, { correlator: own }])
        expect(await journeyOf(token, start)).toBeNull()
    for (const start of [{ transactionId: randomUUID() }, { transactionId: 'x' }, { correlator: "o'x\\" }])
      expect(await journeyOf(portal, start)).toBeNull()
    const own2 = await stack.token({ id: 'journey-own', role: 'analyst', phoneNumber: NUMBER })
    const bare = await journeyOf(own2, { transactionId: id })
    expect([kindsIn(bare), bare.request]).toEqual([['POSTED', 'SETTLED', 'EVENT', 'ATTEMPTED', 'DEAD'], null])
  })

  it('JOURNEY-06 MUST begin anew in it when the webhook is sent again', async () => {
    const { data } = await graphOf(stack)(`{ transaction(id: "${id}") { webhookDeliveries { id } } }`, {
      token: partner,
    })
    const redeliver = `mutation { redeliverWebhook(deliveryId: "${data.transaction.webhookDeliveries[0].id}") { id } }`
    await graphOf(stack)(redeliver, { token: partner })
    const delivered = ['ATTEMPTED', 'ATTEMPTED', 'DELIVERED']
    await expect
      .poll(async () => kindsIn(await journeyOf(partner, { transactionId: id })).slice(4), PATIENT)
      .toEqual(delivered)
  })

  it('JOURNEY-07 MUST read no more statements for many transactions than for one', async () => {
    const shared = `shared-${randomUUID()}`
    const ids = []
    for (let n = 0; n < 3; n++) ids.push(await post(`${shared}-${n}`, shared))
    await expect
      .poll(async () => (await journeyOf(portal, { correlator: shared }))?.transactions.length, PATIENT)
      .toBe(3)
    const kinds = await loadKinds()
    const counted = async (text: string) => {
      const own: string[] = []
      const found = await readJourney(noting(stack.app.db, own), kinds, { correlator: text }, EVERYTHING)
      return { transactions: found!.transactions.map(one => one.id), count: own.length }
    }
    const many = await counted(shared)
    expect(many.transactions).toEqual(ids.toReversed())
    const one = await counted(correlator)
    expect(one.transactions).toEqual([id])
    expect(many.count).toBeLessThanOrEqual(one.count)
    expect(one.count).toBeLessThanOrEqual(11)
  })
})

describe('a request that was refused', () => {
  const send = async (own: string, correlator: string, body: object = payment(own)) => {
    const headers = { 'x-correlator': correlator }
    const { status } = await restOf(stack)('POST', '/postpaid-billing/v1/payments', {
      token: partner,
      body,
      headers,
    })
    return status
  }

  it('JOURNEY-15 MUST be told to its client and to portals, without a transaction', async () => {
    const correlator = `refused-${randomUUID()}`
    expect(await send('x', correlator, { paymentTransaction: {} })).toBe(400)
    await expect.poll(async () => await journeyOf(partner, { correlator }), PATIENT).not.toBeNull()
    for (const token of [partner, portal]) {
      const journey = await journeyOf(token, { correlator })
      expect(journey).toMatchObject({
        request: { status: 400, code: 'INVALID_ARGUMENT', reason: 'REQUIRED' },
        transaction: null,
        transactions: [],
        events: [],
      })
      expect(kindsIn(journey)).toEqual(['RECEIVED', 'REFUSED'])
      expect(textsIn(journey)).toEqual([
        'demo-partner sent createPayment by REST.',
        expect.stringMatching(
          /^It was refused with 400 INVALID_ARGUMENT for REQUIRED at paymentTransaction\.\w+\.$/,
        ),
      ])
    }
    expect(await journeyOf(await stack.token('demo-partner-2'), { correlator })).toBeNull()
    const bound = await stack.token({ id: 'journey-bound-2', role: 'portal', phoneNumber: NUMBER })
    expect(await journeyOf(bound, { correlator })).toBeNull()
  })

  it('JOURNEY-16 MUST lead to the transaction that stood in its way', async () => {
    const [own, correlator] = [`own-${randomUUID()}`, `again-${randomUUID()}`]
    const id = await post(own, `first-${randomUUID()}`)
    expect(await send(own, correlator)).toBe(400)
    await expect
      .poll(async () => (await journeyOf(partner, { correlator }))?.transaction?.id, PATIENT)
      .toBe(id)
    const journey = await journeyOf(partner, { correlator })
    expect(kindsIn(journey)).toEqual(['RECEIVED', 'POSTED', 'SETTLED', 'EVENT', 'RECEIVED', 'REFUSED'])
    expect(textsIn(journey).at(-1)).toContain('DUPLICATE_CORRELATOR')
    expect(journey.request.status).toBe(201)
  })
})

describe('an intervention', () => {
  it('JOURNEY-10 MUST be told with who did it, to partners without', async () => {
    const { path, body, idField } = FIXTURES.find(({ kind }) => kind === 'REWARD')!
    const { webhook: _, ...reward } = body() as Record<string, unknown>
    const created = await restOf(stack)('POST', path, { token: partner, body: reward })
    const id = created.body[idField]
    await stack.settled()
    await graphOf(stack)(`mutation { reverseTransaction(id: "${id}", reason: "Given twice") { id } }`, {
      token: portal,
    })
    const kinds = ['POSTED', 'SETTLED', 'EVENT', 'INTERVENED', 'EVENT']
    const withoutRequests = ({ steps }: { steps: Step[] }) => ({
      steps: steps.filter(({ kind }) => kind !== 'RECEIVED'),
    })
    const mine = withoutRequests(await journeyOf(partner, { transactionId: id }))
    const theirs = withoutRequests(await journeyOf(portal, { transactionId: id }))
    expect([kindsIn(mine), kindsIn(theirs)]).toEqual([kinds, kinds])
    expect(textsIn(mine)[3]).toBe('The operator reversed it: given twice.')
    expect(textsIn(theirs)[3]).toBe('demo-portal reversed it: given twice.')
    expect(textsIn(theirs)[1]).toMatch(/^It became success/)
  })
})

describe('arguments', () => {
  it.each([
    ['neither', {}, 'correlator', 'REQUIRED'],
    ['both', { correlator: 'a', transactionId: 'b' }, 'transactionId', 'CONTRADICTION'],
    ['an empty correlator', { correlator: '' }, 'correlator', 'TOO_SHORT'],
    ['a correlator that is too long', { correlator: 'a'.repeat(257) }, 'correlator', 'TOO_LONG'],
    ['one that no database holds', { correlator: 'a\u0000' }, 'correlator', 'BAD_CHARACTERS'],
  ])('JOURNEY-20 MUST be refused: %s', async (_, variables, field, reason) => {
    const { errors } = await ask(portal, variables)
    expect(errors[0]!.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field, reason })
  })
})
