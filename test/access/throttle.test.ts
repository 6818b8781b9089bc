/** How guessing is slowed down, on a clock that the tests set. */
import { expect, test, vi } from 'vitest'
import { createAuthenticate } from '../../subgraphs/shared/access/authenticate.ts'
import type { ClientRecord } from '../../subgraphs/shared/access/clients.ts'
import { hashSecret } from '../../subgraphs/shared/access/secrets.ts'
import { createThrottle, type Throttle } from '../../subgraphs/shared/access/throttle.ts'
import { createClock, log, refusal } from './support.ts'

const shop = { clientId: 'shop', address: '192.0.2.1' }
const fail = (throttle: Throttle, times: number, attempt = shop) => {
  for (let i = 0; i < times; i++) throttle.failed(attempt)
}
const create = () => {
  const clock = createClock()
  return { clock, throttle: createThrottle(clock.now) }
}

test('THROTTLE-01 four failures are free; from the fifth on the wait doubles, up to 15 minutes', () => {
  const { throttle } = create()
  fail(throttle, 4)
  expect(throttle.waitSeconds(shop)).toBe(0)
  const waits = Array.from({ length: 12 }, () => {
    fail(throttle, 1)
    return throttle.waitSeconds(shop)
  })
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('THROTTLE-02 the wait ends by itself; the next failure doubles it all the same', () => {
  const { throttle, clock } = create()
  fail(throttle, 5)
  clock.pass(999)
  expect(throttle.waitSeconds(shop)).toBe(1)
  clock.pass(1)
  expect(throttle.waitSeconds(shop)).toBe(0)
  fail(throttle, 1)
  expect(throttle.waitSeconds(shop)).toBe(2)
})

test('THROTTLE-03 a success, or an hour without failures, starts the count anew', () => {
  const { throttle, clock } = create()
  fail(throttle, 4)
  throttle.succeeded(shop)
  fail(throttle, 4)
  expect(throttle.waitSeconds(shop)).toBe(0)
  clock.pass(3_600_001)
  fail(throttle, 4)
  expect(throttle.waitSeconds(shop)).toBe(0)
})

test('THROTTLE-04 nobody locks a client out from another address, nor another client from the same one', () => {
  const { throttle } = create()
  fail(throttle, 50)
  expect(throttle.waitSeconds({ ...shop, address: '192.0.2.2' })).toBe(0)
  expect(throttle.waitSeconds({ ...shop, clientId: 'other' })).toBe(0)
})

test('THROTTLE-05 an address that tries many clients is blocked for all, and an own success does not help', () => {
  const { throttle } = create()
  for (let i = 0; i < 100; i++) fail(throttle, 1, { ...shop, clientId: `client-${i}` })
  expect(throttle.waitSeconds(shop)).toBe(1)
  throttle.succeeded(shop)
  expect(throttle.waitSeconds(shop)).toBe(1)
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['::1', '127.0.0.1', false],
])('THROTTLE-06 IPv6 counts by its /64: %s and %s are one address: %s', (one, other, same) => {
  const { throttle } = create()
  fail(throttle, 5, { ...shop, address: one })
  expect(throttle.waitSeconds({ ...shop, address: other }) > 0).toBe(same)
})

test('THROTTLE-07 a hundred thousand invented clients neither fill memory nor free the address', () => {
  const { throttle } = create()
  for (let i = 0; i < 100_000; i++) fail(throttle, 1, { ...shop, clientId: `client-${i}` })
  expect(throttle.waitSeconds(shop)).toBe(900)
})

const authentication = async () => {
  const { throttle } = create()
  const record = {
    id: 'shop',
    secretHash: await hashSecret('right-secret'),
    disabledAt: null,
  } as ClientRecord
  const find = vi.fn(async () => record)
  return { authenticate: createAuthenticate({ clients: { find }, throttle, log }), find }
}

test('THROTTLE-08 while blocked, not even the right secret is looked at', async () => {
  const { authenticate, find } = await authentication()
  for (let i = 0; i < 5; i++) await refusal(authenticate(shop, 'wrong-secret'))
  const error = await refusal(authenticate(shop, 'right-secret'))
  expect([error.status, error.headers]).toEqual([401, { 'retry-after': '1' }])
  expect(find).toHaveBeenCalledTimes(5)
})

test('THROTTLE-09 guesses sent all at once gain nothing', async () => {
  const { authenticate } = await authentication()
  const wrong = Array.from({ length: 20 }, () => refusal(authenticate(shop, 'wrong-secret')))
  const right = refusal(authenticate(shop, 'right-secret'))
  expect((await right).headers).toHaveProperty('retry-after')
  const answers = await Promise.all(wrong)
  expect(answers.filter(({ headers }) => !headers['retry-after'])).toHaveLength(5)
})

test('THROTTLE-10 right secrets sent all at once are all accepted', async () => {
  const { authenticate } = await authentication()
  const all = await Promise.all(Array.from({ length: 20 }, () => authenticate(shop, 'right-secret')))
  expect(all.map(({ id }) => id)).toEqual(Array(20).fill('shop'))
})
