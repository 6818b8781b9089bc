/** `clientLimits` and `webhookEndpoints`: what clients may use, what is left, and endpoints in trouble. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEFAULT_QUOTAS } from '#core/access/principal.ts'
import { newId } from '#core/values/id.ts'
import { graphOf, restOf } from '../../support/both-interfaces.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
const tokens: Record<string, string> = {}
const [payments] = FIXTURES

beforeAll(async () => {
  stack = await startStack()
  for (const name of ['partner', 'partner-2', 'portal', 'analyst'])
    tokens[name] = await stack.token(`demo-${name}`)
  await stack.app.db.client.update({
    where: { id: 'demo-partner' },
    data: { currencies: ['OMR', 'USD'], maxAmount: 500, monthlyAmount: 800, monthlyPoints: null },
  })
  stack.app.access.clients.forget('demo-partner')
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const ask = async (who: string, query: string) => graphOf(stack)(query, { token: tokens[who]! })

const LIMITS = `client { id } currencies maxAmount monthlyAmount monthlyPoints quotas { name limit left }`

it('LIMITS-01 MUST show a partner its own limits, and what is left of its quotas', async () => {
  const { data, errors } = await ask('partner', `{ clientLimits { ${LIMITS} } }`)
  expect(errors).toEqual([])
  const [{ quotas, ...limits }] = data.clientLimits
  expect(limits).toEqual({
    client: { id: 'demo-partner' },
    currencies: ['OMR', 'USD'],
    maxAmount: 500,
    monthlyAmount: 800,
    monthlyPoints: null,
  })
  const left = Object.fromEntries(
    quotas.map((one: { name: string; limit: number; left: number | null }) => [one.name, one]),
  )
  expect(left.REQUESTS_IN_FLIGHT.limit).toBe(DEFAULT_QUOTAS.requestsInFlight)
  expect(left.COST_PER_MINUTE.left).toBeGreaterThan(0)
  expect(left.COST_PER_MINUTE.left).toBeLessThanOrEqual(DEFAULT_QUOTAS.costPerMinute)
  expect(left.WEBHOOKS_IN_FLIGHT).toEqual({
    name: 'WEBHOOKS_IN_FLIGHT',
    limit: DEFAULT_QUOTAS.webhooksInFlight,
    left: null,
  })
})

it('LIMITS-02 MUST show portals and analysts those of any client, and a partner no other', async () => {
  const query = `{ clientLimits(clients: ["demo-partner", "demo-partner-2", "demo-partner"]) { client { id } maxAmount } }`
  for (const who of ['portal', 'analyst']) {
    const { data } = await ask(who, query)
    expect(data.clientLimits.map((one: { client: { id: string } }) => one.client.id)).toEqual([
      'demo-partner',
      'demo-partner-2',
    ])
  }
  const refused = await ask('partner-2', query)
  expect(refused.errors[0]!.extensions.code).toBe('PERMISSION_DENIED')
  const unknown = await ask('portal', '{ clientLimits(clients: ["nobody"]) { maxAmount } }')
  expect(unknown.errors[0]!.extensions.code).toBe('NOT_FOUND')
  const many = Array.from({ length: 201 }, (_, index) => `"c${index}"`)
  const tooMany = await ask('portal', `{ clientLimits(clients: [${many}]) { maxAmount } }`)
  expect(tooMany.errors[0]!.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'TOO_MANY' })
})

it('LIMITS-03 MUST count what is used of a monthly limit as posting does', async () => {
  const { path, body: bodyOf } = payments!
  const body = bodyOf() as unknown as {
    paymentTransaction: { customerInfo: { customerAccountNumber: string } }
  }
  const posted = await restOf(stack)('POST', path, { token: tokens['partner']!, body })
  expect(posted.status).toBe(201)
  await stack.settled()
  const row = await stack.app.db.payment.findFirstOrThrow({
    where: { clientId: 'demo-partner' },
    orderBy: { position: 'desc' },
  })
  const { data, errors } = await ask(
    'partner',
    `{ clientLimits { monthlyUse(customerAccountNumber: "${row.accountNumber}", mobileNumber: "+96891000002") { kind currency used limit left } } }`,
  )
  expect(errors).toEqual([])
  const uses: { kind: string; currency: string; used: number; limit: number; left: number }[] =
    data.clientLimits[0].monthlyUse
  const payment = uses.find(({ kind, currency }) => kind === 'PAYMENT' && currency === row.currency)!
  expect(payment.used).toBeGreaterThanOrEqual(Number(row.amount))
  expect(payment.limit).toBe(800)
  expect(payment.left).toBe(Math.max(0, Number((800 - payment.used).toFixed(6))))
  expect(uses.some(({ kind }) => kind === 'RECHARGE')).toBe(true)
  // Without a limit on points there is nothing to count them against.
  expect(uses.some(({ kind }) => kind === 'REWARD')).toBe(false)
})

const fail = async (clientId: string, origin: string, status: 'PENDING' | 'DEAD', attempts: number) => {
  const event = await stack.app.db.event.findFirstOrThrow({ orderBy: { position: 'desc' } })
  const last = await stack.app.db.delivery.findFirst({ orderBy: { position: 'desc' } })
  await stack.app.db.delivery.create({
    data: {
      id: newId(),
      position: (last?.position ?? 0n) + 1_000_000n,
      eventid: newId(),
      kind: 'PAYMENT',
      transactionId: event.transactionId,
      clientId,
      url: `${origin}/hooks`,
      origin,
      status,
      attempts,
      lastStatus: 503,
      lastError: 'Service Unavailable',
      nextAttemptAt: status === 'PENDING' ? new Date(Date.now() + 3_600_000) : null,
      createdAt: new Date(),
      attemptLog: [
        { at: new Date().toISOString(), status: 503, durationMs: 5, error: 'Service Unavailable' },
      ],
    },
  })
}

it('ENDPOINTS-01 MUST name endpoints with deliveries that failed, to portals all and to a partner its own', async () => {
  await fail('demo-partner', 'https://down.example', 'PENDING', 3)
  await fail('demo-partner', 'https://down.example', 'DEAD', 8)
  await fail('demo-partner', 'https://fresh.example', 'PENDING', 0)
  await fail('demo-partner-2', 'https://other.example', 'DEAD', 8)
  const query =
    '{ webhookEndpoints { client { id } origin retrying dead lastStatus lastError nextAttemptAt lastAttemptAt } }'
  type Endpoint = { origin: string; nextAttemptAt: string | null; lastAttemptAt: string }
  const originsOf = (data: { webhookEndpoints: Endpoint[] }) =>
    data.webhookEndpoints.map(({ origin }) => origin).filter(origin => origin.endsWith('.example'))
  const all = await ask('portal', query)
  expect(all.errors).toEqual([])
  expect(originsOf(all.data)).toEqual(
    expect.arrayContaining(['https://down.example', 'https://other.example']),
  )
  expect(originsOf(all.data)).not.toContain('https://fresh.example')
  const own = await ask('partner', query)
  expect(originsOf(own.data)).not.toContain('https://other.example')
  const down = own.data.webhookEndpoints.find(({ origin }: Endpoint) => origin === 'https://down.example')
  expect(down).toMatchObject({ retrying: 1, dead: 1, lastStatus: 503, lastError: 'Service Unavailable' })
  expect(Date.parse(down.nextAttemptAt)).toBeGreaterThan(Date.now())
  const narrowed = await ask('portal', '{ webhookEndpoints(client: "demo-partner-2") { origin } }')
  expect(originsOf(narrowed.data)).toEqual(['https://other.example'])
  const refused = await ask('analyst', query)
  expect(refused.errors[0]!.extensions.code).toBe('PERMISSION_DENIED')
})
