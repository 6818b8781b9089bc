/** How guessing is slowed down: in one process on a clock that the tests set, and in the database for all. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAuthenticate } from '#core/access/client-authentication.ts'
import type { ClientRecord } from '#core/access/clients.ts'
import { hashSecret } from '#core/access/secrets.ts'
import {
  type Attempt,
  createOwnCounts,
  createSharedCounts,
  createThrottle,
  type Throttle,
  withOwnCounts,
} from '#core/access/throttle.ts'
import { type Database, openDatabase } from '#core/data/db.ts'
import { config, createClock, deadPrisma, log, refusal } from './support.ts'

const shop = { clientId: 'shop', address: '192.0.2.1' }
const create = () => {
  const clock = createClock()
  return { clock, throttle: createThrottle(createOwnCounts(clock.now)) }
}
const fail = async (throttle: Throttle, times: number, attempt: Attempt = shop, isKnown = true) => {
  for (let i = 0; i < times; i++) await throttle.failed(attempt, isKnown)
}
const wait = async (throttle: Throttle, attempt: Attempt = shop) => (await throttle.waits(attempt)).client

let database: Database
beforeAll(async () => {
  database = await openDatabase(config)
})
afterAll(() => database.close())

test('THROTTLE-01 four failures are free; from the fifth on the wait doubles, up to 15 minutes', async () => {
  const { throttle, clock } = create()
  await fail(throttle, 4)
  expect(await wait(throttle)).toBe(0)
  const waits: number[] = []
  for (let i = 0; i < 12; i++) {
    await fail(throttle, 1)
    waits.push(await wait(throttle))
    clock.pass(waits.at(-1)! * 1_000)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('THROTTLE-02 the wait ends by itself; what comes meanwhile is not counted', async () => {
  const { throttle, clock } = create()
  await fail(throttle, 5)
  clock.pass(999)
  expect(await wait(throttle)).toBe(1)
  expect(await throttle.failed(shop, true)).toBe(false)
  clock.pass(1)
  expect(await wait(throttle)).toBe(0)
  expect(await throttle.failed(shop, true)).toBe(true)
  expect(await wait(throttle)).toBe(2)
})

test('THROTTLE-03 a success, or an hour without failures, starts the count anew', async () => {
  const { throttle, clock } = create()
  await fail(throttle, 4)
  await throttle.succeeded(shop)
  await fail(throttle, 4)
  expect(await wait(throttle)).toBe(0)
  clock.pass(3_600_001)
  await fail(throttle, 4)
  expect(await wait(throttle)).toBe(0)
})

test('THROTTLE-04 failures lock out no client at another address, and no other client at the same one', async () => {
  const { throttle } = create()
  await fail(throttle, 50)
  expect(await wait(throttle, { ...shop, address: '192.0.2.2' })).toBe(0)
  expect(await wait(throttle, { ...shop, clientId: 'other' })).toBe(0)
})

test('THROTTLE-05 an address that invents clients waits with unknown ids, and with no other', async () => {
  const { throttle } = create()
  for (let i = 0; i < 100; i++) await fail(throttle, 1, { ...shop, clientId: `client-${i}` }, false)
  expect(await throttle.waits(shop)).toEqual({ client: 0, unknown: 1, hasFailed: false })
  await throttle.succeeded(shop)
  expect((await throttle.waits(shop)).unknown).toBe(1)
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['::1', '127.0.0.1', false],
])('THROTTLE-06 IPv6 counts by its /64: %s and %s are one address: %s', async (one, other, same) => {
  const { throttle } = create()
  await fail(throttle, 5, { ...shop, address: one })
  expect((await wait(throttle, { ...shop, address: other })) > 0).toBe(same)
})

const authentication = async (throttle: Throttle) => {
  const secretHash = await hashSecret('right-secret')
  const find = vi.fn(async (id: string) =>
    id.startsWith('shop') ? ({ id, secretHash, disabledAt: null } as ClientRecord) : undefined,
  )
  return { authenticate: createAuthenticate({ clients: { find }, throttle, log }), find }
}

const shared = () => createThrottle(createSharedCounts(database.db))

describe.each([
  ['own', () => create().throttle],
  ['shared', shared],
])('%s', (name, open) => {
  const other = { clientId: 'shop-2', address: `${name}.example` }
  const mine = { clientId: `shop-${name}`, address: other.address }

  test('THROTTLE-07 200 wrong secrets with invented ids, and a right one is accepted', async () => {
    const throttle = open()
    const { authenticate } = await authentication(throttle)
    for (let i = 0; i < 200; i++) await fail(throttle, 1, { ...mine, clientId: `client-${i}` }, false)
    expect((await refusal(authenticate({ ...mine, clientId: 'client-x' }, 'wrong'))).headers).toHaveProperty(
      'retry-after',
    )
    expect((await refusal(authenticate(mine, 'wrong'))).headers).toHaveProperty('retry-after')
    expect((await authenticate(mine, 'right-secret')).id).toBe(mine.clientId)
  })

  test('THROTTLE-08 200 wrong secrets of one client, and another from the same address is accepted', async () => {
    const throttle = open()
    const { authenticate, find } = await authentication(throttle)
    await fail(throttle, 200, mine)
    const error = await refusal(authenticate(mine, 'right-secret'))
    expect([error.status, Number(error.headers['retry-after']) > 0]).toEqual([401, true])
    expect(find).not.toHaveBeenCalled()
    expect((await authenticate(other, 'right-secret')).id).toBe(other.clientId)
  })

  test('THROTTLE-10 right secrets sent all at once are all accepted', async () => {
    const { authenticate } = await authentication(open())
    const all = await Promise.all(Array.from({ length: 20 }, () => authenticate(other, 'right-secret')))
    expect(all.map(({ id }) => id)).toEqual(Array(20).fill('shop-2'))
  })
})

test('THROTTLE-09 guesses sent all at once gain nothing', async () => {
  const { authenticate } = await authentication(create().throttle)
  const wrong = Array.from({ length: 20 }, () => refusal(authenticate(shop, 'wrong-secret')))
  const right = refusal(authenticate(shop, 'right-secret'))
  expect((await right).headers).toHaveProperty('retry-after')
  const responses = await Promise.all(wrong)
  expect(responses.filter(({ headers }) => !headers['retry-after'])).toHaveLength(5)
})

test('THROTTLE-14 failures of many processes at once are counted one by one', async () => {
  const attempt = { clientId: 'at-once', address: '192.0.2.14' }
  const counted = await Promise.all(Array.from({ length: 20 }, () => shared().failed(attempt, true)))
  expect(counted.filter(Boolean)).toHaveLength(5)
})

test('THROTTLE-11 what one process counts the others know, by the clock of the database', async () => {
  const attempt = { clientId: 'everywhere', address: '192.0.2.9' }
  for (let i = 0; i < 5; i++) await fail(shared(), 1, attempt)
  expect(await wait(shared(), attempt)).toBe(1)
  expect(await shared().failed(attempt, true)).toBe(false)
  await database.db
    .$executeRaw`UPDATE access.secret_failure SET blocked_until = clock_timestamp() - interval '1 second'`
  expect(await wait(shared(), attempt)).toBe(0)
  await fail(shared(), 1, attempt)
  expect(await wait(shared(), attempt)).toBe(2)
  await shared().succeeded(attempt)
  expect(await shared().waits(attempt)).toEqual({ client: 0, unknown: 0, hasFailed: false })
})

test('THROTTLE-12 what is an hour old is forgotten and removed at the next failure', async () => {
  const attempt = { clientId: 'old', address: '192.0.2.10' }
  await database.db.secretFailure.deleteMany()
  await fail(shared(), 4, attempt)
  await database.db
    .$executeRaw`UPDATE access.secret_failure SET blocked_until = blocked_until - interval '2 hours'`
  await fail(shared(), 4, attempt)
  expect(await wait(shared(), attempt)).toBe(0)
  for (let i = 0; i < 2; i++) await fail(shared(), 1, { ...attempt, clientId: `new-${i}` })
  const old = await database.db.$queryRaw<object[]>`
    SELECT 1 FROM access.secret_failure WHERE blocked_until < clock_timestamp() - interval '1 hour'`
  expect(old).toEqual([])
})

test('THROTTLE-13 with the database away a process counts by itself', async () => {
  const counts = withOwnCounts(createSharedCounts(deadPrisma), createOwnCounts(), log)
  const throttle = createThrottle(counts)
  await fail(throttle, 5)
  expect(await wait(throttle)).toBe(1)
})
