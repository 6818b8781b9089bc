/** Quotas of a client in one process, on a clock that the tests set. */
import { expect, test } from 'vitest'
import { createClientUsage } from '#core/access/client-usage.ts'
import { DEFAULT_QUOTAS, type Principal, type Quotas, quotasOf } from '#core/access/principal.ts'
import { createClock, refusal } from './support.ts'

const client = (quotas: Partial<Quotas>, clientId = 'shop'): Principal => ({
  clientId,
  name: clientId,
  role: 'partner',
  limits: { currencies: ['OMR'], dummyCards: false },
  quotas: { ...DEFAULT_QUOTAS, ...quotas },
  expiresAt: new Date(8e15),
})

const refused = (work: () => unknown) => refusal(Promise.try(work))

const create = () => {
  const clock = createClock()
  return { clock, usage: createClientUsage(clock.now) }
}

test('USAGE-01 twice the requests of a second come at once, then as many as the second allows', async () => {
  const { clock, usage } = create()
  const shop = client({ requestsPerSecond: 2 })
  for (let i = 0; i < 4; i++) usage.enterRequest(shop).release()
  const error = await refused(() => usage.enterRequest(shop))
  expect(error).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'retry-after': '1', 'ratelimit-policy': '"client";q=4;w=2', ratelimit: '"client";r=0;t=1' },
  })
  clock.pass(500)
  usage.enterRequest(shop).release()
  await refused(() => usage.enterRequest(shop))
})

test('USAGE-02 one client uses up nothing of another', async () => {
  const { usage } = create()
  usage.enterRequest(client({ requestsInFlight: 1 }))
  await refused(() => usage.enterRequest(client({ requestsInFlight: 1 })))
  usage.enterRequest(client({ requestsInFlight: 1 }, 'bank'))
})

test('USAGE-03 a place is given back once, however often it is released', async () => {
  const { usage } = create()
  const shop = client({ requestsInFlight: 2, openStreams: 1 })
  const { release } = usage.enterRequest(shop)
  usage.enterRequest(shop)
  release()
  release()
  usage.enterRequest(shop)
  await refused(() => usage.enterRequest(shop))
  usage.enterStream(shop)()
  usage.enterStream(shop)
  expect(await refused(() => usage.enterStream(shop))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('USAGE-04 cost is spent by the minute; an operation above it all waits for a full bucket', async () => {
  const { clock, usage } = create()
  const shop = client({ costPerMinute: 60 })
  usage.spendCost(shop, 50)
  expect(await refused(() => usage.spendCost(shop, 30))).toMatchObject({
    headers: { 'retry-after': '20' },
  })
  clock.pass(20_000)
  usage.spendCost(shop, 30)
  clock.pass(60_000)
  usage.spendCost(shop, 1_000)
})

test('USAGE-05 a quota that is changed counts at once', async () => {
  const { usage } = create()
  usage.enterRequest(client({ requestsInFlight: 2 }))
  await refused(() => usage.enterRequest(client({ requestsInFlight: 1 })))
})

test('USAGE-06 a record that sets some leaves the others at their defaults', () => {
  expect(quotasOf({ openStreams: 7 })).toEqual({ ...DEFAULT_QUOTAS, openStreams: 7 })
})

test('USAGE-07 test events: as many at once as webhooks, and as many again in the ten seconds one may last', async () => {
  const { clock, usage } = create()
  const shop = client({ webhooksInFlight: 2 })
  const releases = [usage.enterTestEvent(shop), usage.enterTestEvent(shop)]
  await refused(() => usage.enterTestEvent(shop))
  for (const release of releases) release()
  expect(await refused(() => usage.enterTestEvent(shop))).toMatchObject({ headers: { 'retry-after': '5' } })
  clock.pass(5_000)
  usage.enterTestEvent(shop)()
  await refused(() => usage.enterTestEvent(shop))
})

test('USAGE-11 what was refused is owed, and nothing is looked at until it is paid off', async () => {
  const { clock, usage } = create()
  const shop = client({ costPerMinute: 60 })
  usage.checkCost(shop)
  usage.spendRefused(shop, 'x'.repeat(90))
  expect(await refused(() => usage.checkCost(shop))).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'retry-after': '30' },
  })
  usage.checkCost(client({ costPerMinute: 60 }, 'bank'))
  clock.pass(30_000)
  usage.checkCost(shop)
  await refused(() => usage.spendCost(shop, 1))
  // However much it was, a minute's quota and another are all that has to be waited for.
  usage.spendRefused(shop, 'x'.repeat(100_000))
  clock.pass(60_000)
  usage.checkCost(shop)
})

test('USAGE-20 explains as many operations a minute as the quota says, and none without one', () => {
  const { clock, usage } = create()
  const portal = client({ explainedPerMinute: 2 }, 'portal')
  const taken = () => [1, 2, 3].map(() => usage.takeExplanation(portal))
  expect(taken()).toEqual([true, true, false])
  clock.pass(30_000)
  expect(taken()).toEqual([true, false, false])
  expect(usage.takeExplanation(client({}, 'another'))).toBe(false)
})
