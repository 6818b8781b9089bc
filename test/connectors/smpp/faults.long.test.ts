/**
 * The SMPP connector where connections break, responses are late or never come, and message centres are away. Long,
 * because it waits for time-outs.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NO_FAULTS } from '#simulators/smpp/faults.ts'
import { type SmppSimulator, startSmppSimulator } from '#test/support/smpp-simulator.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'
import { type Connected, connect } from './support.ts'

const DONE = { outcome: 'done' }
const PATIENT = { timeout: 20_000, interval: 20 }

let test: TestApp
let simulator: SmppSimulator
let sms: Connected
beforeAll(async () => {
  ;[test, simulator] = await Promise.all([openTestApp({ env: { DEMO: '0' } }), startSmppSimulator()])
})
beforeEach(async () => {
  await simulator.set(NO_FAULTS)
  await simulator.forget()
  sms = await connect(test.app, {
    SMPP_URL: simulator.url('window=4&timeout=1&enquire=1'),
    SMPP_RESEND_SECONDS: '2',
  })
})
afterEach(() => sms[Symbol.asyncDispose]())
afterAll(async () => {
  await simulator[Symbol.asyncDispose]()
  await test[Symbol.asyncDispose]()
})

const isUp = () => sms.connector.unavailable() === undefined
const countOf = async () => (await simulator.book()).entries.length

/** Submits, which fails with its outcome unknown. */
const lose = async (body?: Record<string, string>) => {
  await expect.poll(isUp, PATIENT).toBe(true)
  const order = await sms.order(body)
  const failure = await sms.submit(order).catch((error: Error) => error)
  expect(failure).toBeInstanceOf(Error)
  expect((failure as Error).name).not.toBe('NotSentError')
  return order
}

describe('a connection that is cut', () => {
  it('SMPP-80 before the message arrived: it is sent again, once', async () => {
    await simulator.set({ cutUntaken: 1 })
    const order = await lose()
    expect(await sms.settle(order)).toEqual(DONE)
    expect(await countOf()).toBe(1)
  })

  it('SMPP-81 before the response: the receipt says which part it is, and nothing is sent twice', async () => {
    await simulator.set({ cutTaken: 1 })
    const order = await lose()
    expect(await sms.settle(order)).toEqual(DONE)
    expect(await countOf()).toBe(1)
  })

  it('SMPP-82 before the response, at a message centre that does not give our reference back: sent again, with the same references', async () => {
    await simulator.set({ cutTaken: 1, echoReference: 0 })
    const order = await lose({ smsText: 'a'.repeat(200) })
    expect(await sms.settle(order)).toEqual(DONE)
    const { entries } = await simulator.book()
    const first = entries.filter(({ concat }) => concat!.number === 1)
    expect([entries.length, first.length]).toEqual([3, 2])
    expect(first[0]!.concat).toEqual(first[1]!.concat)
    expect(first[0]!.reference).toBe(first[1]!.reference)
    // The other part was not sent again, and not before the time for late responses was over.
    expect(first[1]!.takenAt - first[0]!.takenAt).toBeGreaterThan(1_900)
  })

  it('SMPP-83 is made anew, and receipts that were held back come then', async () => {
    await simulator.set({ receiptMs: 500 })
    const order = await sms.order()
    await sms.submit(order)
    await simulator.cut()
    await expect.poll(() => sms.connector.unavailable(), PATIENT).toBeDefined()
    expect(await sms.result(order.transactionId)).toEqual(DONE)
    expect((await simulator.book()).binds).toBe(2)
  })
})

describe('a response', () => {
  it('SMPP-84 that is late is taken, and nothing is sent twice', async () => {
    await simulator.set({ responseMs: 1_300, echoReference: 0 })
    const order = await lose()
    expect(await sms.settle(order)).toEqual(DONE)
    expect(await countOf()).toBe(1)
  })

  it('SMPP-85 that never comes: the receipt is enough', async () => {
    await simulator.set({ hangTaken: 1 })
    const order = await lose()
    expect(await sms.settle(order)).toEqual(DONE)
    expect(await countOf()).toBe(1)
  })

  it('SMPP-86 that never comes, of a message that was not taken: it is sent again', async () => {
    await simulator.set({ hangUntaken: 1 })
    const order = await lose()
    expect(await sms.settle(order)).toEqual(DONE)
    expect(await countOf()).toBe(1)
  })

  it('SMPP-87 that never comes, and then the time is over: nobody knows, and that is said', async () => {
    await simulator.set({ hangUntaken: 1 })
    await expect.poll(isUp, PATIENT).toBe(true)
    const order = await sms.order({}, 1_500)
    await expect(sms.submit(order)).rejects.toThrow('no response')
    expect(await sms.settle(order)).toEqual({
      outcome: 'invalid',
      reason: expect.stringContaining('not known'),
    })
  })
})

describe('a bind', () => {
  it('SMPP-88 is made anew where enquire_link has no response', async () => {
    await expect.poll(isUp, PATIENT).toBe(true)
    await simulator.set({ silent: 1 })
    await expect.poll(() => sms.connector.unavailable(), PATIENT).toContain('enquire_link')
    await simulator.set({ silent: 0 })
    await expect.poll(isUp, PATIENT).toBe(true)
    const order = await sms.order()
    await sms.submit(order)
    expect(await sms.result(order.transactionId)).toEqual(DONE)
  })

  it('SMPP-89 that is refused says why, tries again, and never tells its password', async () => {
    await simulator.set({ refuseBind: 'ESME_RINVPASWD' })
    await simulator.cut()
    await expect.poll(() => sms.connector.unavailable(), PATIENT).toContain('ESME_RINVPASWD')
    await simulator.set({ refuseBind: '' })
    await expect.poll(isUp, PATIENT).toBe(true)
    expect(sms.logLines.length).toBeGreaterThan(1)
    expect(sms.logLines.join('') + (await sms.registry.metrics())).not.toMatch(/s@cret|s%40cret/)
  })

  it('SMPP-90 that is down leaves its work to the other', async () => {
    await using dead = await startSmppSimulator()
    const both = [dead.url('window=2'), simulator.url('window=2')].join()
    await using two = await connect(test.app, { SMPP_URL: both })
    const figures = () => two.registry.metrics()
    await expect.poll(async () => (await figures()).match(/smpp_bind_up\{.*\} 1/g), PATIENT).toHaveLength(2)
    await dead.kill()
    await expect.poll(async () => (await figures()).match(/smpp_bind_up\{.*\} 1/g), PATIENT).toHaveLength(1)
    expect(two.connector.unavailable()).toBeUndefined()
    const orders = await Promise.all(Array.from({ length: 10 }, () => two.order()))
    expect(await Promise.all(orders.map(order => two.settle(order)))).toEqual(orders.map(() => DONE))
    expect(await countOf()).toBe(10)
  })

  it('SMPP-91 that two have shares the work, each within its window', async () => {
    await simulator.set({ responseMs: 30 })
    await using two = await connect(test.app, {
      SMPP_URL: [1, 2].map(() => simulator.url('window=2')).join(),
    })
    await expect
      .poll(async () => (await two.registry.metrics()).match(/smpp_bind_up\{.*\} 1/g), PATIENT)
      .toHaveLength(2)
    const orders = await Promise.all(Array.from({ length: 20 }, () => two.order()))
    await Promise.all(orders.map(order => two.submit(order)))
    expect(await simulator.book()).toMatchObject({ mostOutstanding: 2 })
    const submits = (await two.registry.metrics()).match(/smpp_submits_total\{.*\} (\d+)/g)
    expect(submits).toHaveLength(2)
  })
})

describe('a rate', () => {
  it('SMPP-21 that the message centre allows is found, and every message is sent', async () => {
    await simulator.set({ perSecond: 6 })
    const orders = await Promise.all(Array.from({ length: 18 }, () => sms.order()))
    expect(await Promise.all(orders.map(order => sms.settle(order)))).toEqual(orders.map(() => DONE))
    const { entries, throttledAt } = await simulator.book()
    expect(entries).toHaveLength(18)
    // Unpaced, each place of the window would be refused as fast as it can ask.
    expect(throttledAt.length).toBeLessThan(18)
  })

  it('SMPP-22 that is set is kept to', async () => {
    await using paced = await connect(test.app, { SMPP_URL: simulator.url('rate=10') })
    const orders = await Promise.all(Array.from({ length: 10 }, () => paced.order()))
    await Promise.all(orders.map(order => paced.submit(order)))
    const times = (await simulator.book()).entries.map(({ takenAt }) => takenAt)
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(800)
  })
})

describe('another process', () => {
  it('SMPP-92 finalizes what this one has sent', async () => {
    await simulator.set({ receiptMs: 2_500 })
    const orders = [await sms.order(), await sms.order({ smsText: 'م'.repeat(150) })]
    for (const order of orders) await sms.submit(order)
    await sms[Symbol.asyncDispose]()
    await using next = await connect(test.app, { SMPP_URL: simulator.url() })
    for (const order of orders) expect(await next.result(order.transactionId)).toEqual(DONE)
    for (const order of orders)
      expect(await next.connector.inquire!(order, AbortSignal.timeout(5_000))).toEqual(DONE)
    expect(await countOf()).toBe(4)
  })

  it('SMPP-93 does not send what this one is sending', async () => {
    await simulator.set({ responseMs: 500 })
    await using other = await connect(test.app, { SMPP_URL: simulator.url() })
    await expect.poll(() => isUp() && other.connector.unavailable(), PATIENT).toBeUndefined()
    const order = await sms.order()
    await Promise.all([sms.submit(order), other.submit(order)])
    expect(await Promise.all([sms.settle(order), other.settle(order)])).toEqual([DONE, DONE])
    expect(await countOf()).toBe(1)
  })
})
