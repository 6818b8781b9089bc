/** The protocol over the wire, against the simulator in its own process: what each fault means, and that nothing is done twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HttpCharging } from '#connectors/http/connector.ts'
import { type ChargeOrder, NotSentError } from '#core/charging/charging.ts'
import { newId } from '#core/values/id.ts'
import { toDecimal } from '#core/values/money.ts'
import type { FaultName } from '#simulators/charging/faults.ts'
import { freePort, Simulator, TOKEN } from '#test/support/charging-simulator.ts'

let simulator: Simulator
let charging: HttpCharging

beforeAll(async () => {
  simulator = await Simulator.start()
})
afterAll(() => simulator?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await simulator.faults()
  charging = connect(simulator.address)
})

const connect = (url: string, token = TOKEN, now?: () => number) =>
  new HttpCharging({ url, token, timeoutMs: 5_000, parallel: 8, now })

const payment = (amount = '10.005'): ChargeOrder => ({
  transactionId: newId(),
  operation: 'payBill',
  accountNumber: '100002',
  currency: 'OMR',
  amount: toDecimal(amount),
})

const within = (ms = 5_000) => AbortSignal.timeout(ms)
const entryOf = async ({ transactionId }: ChargeOrder) =>
  (await simulator.book()).find(entry => entry.transactionId === transactionId)

/** The progress that it reported, or the reason why it reported none. */
const resultOrError = (work: Promise<unknown>) => work.catch(error => error as Error)

const DONE = { outcome: 'done' }
const UNKNOWN = expect.any(Error)

describe('a fault on the wire', () => {
  // What sending tells, and whether the order has been carried out then.
  it.each<[FaultName, unknown, boolean]>([
    ['latency', DONE, true],
    ['twice', DONE, true],
    ['error', UNKNOWN, false],
    ['error-after', UNKNOWN, true],
    ['hang', UNKNOWN, false],
    ['cut', UNKNOWN, false],
    ['lost', UNKNOWN, true],
    ['late', UNKNOWN, true],
    ['later', UNKNOWN, false],
    ['nonsense', UNKNOWN, true],
    ['other', UNKNOWN, true],
    ['endless', UNKNOWN, true],
    ['redirect', UNKNOWN, false],
    ['throttle', expect.any(NotSentError), false],
  ])(
    'WIRE-01 %s is never taken for a result, and the order is carried out once',
    async (fault, expected, isDone) => {
      const ms = { latency: 20, late: 10_000, later: 300 }[fault as string]
      await simulator.faults({ fault, times: 1, ms })
      const order = payment()
      const limit = within(fault === 'hang' || fault === 'late' ? 200 : 5_000)
      expect(await resultOrError(charging.submit(order, limit))).toEqual(expected)
      expect(await charging.inquire(order, within())).toEqual(isDone ? DONE : undefined)
      expect(await charging.submit(order, within())).toEqual(DONE)
      // The one that was on its way arrives late.
      if (fault === 'later')
        await expect.poll(() => entryOf(order), { timeout: 10_000 }).toMatchObject({ arrivals: 2 })
      expect(await entryOf(order)).toMatchObject({
        carriedOut: 1,
        order: { amount: '10.005', currency: 'OMR' },
      })
    },
  )

  it('WIRE-02 a system that does not listen: certainly not sent', async () => {
    const absent = connect(`http://127.0.0.1:${await freePort()}`)
    expect(await resultOrError(absent.submit(payment(), within()))).toBeInstanceOf(NotSentError)
  })

  it('WIRE-03 reports a wait that the system requests', async () => {
    await simulator.faults({ fault: 'throttle', ms: 3_000 })
    expect(await resultOrError(charging.submit(payment(), within()))).toMatchObject({ retryAfterMs: 3_000 })
  })

  it('WIRE-04 a wrong token is no result, and stands in no message', async () => {
    const stranger = connect(simulator.address, 'wrong-token')
    const error = (await resultOrError(stranger.submit(payment(), within()))) as Error
    expect(error.message).toBe('an answer that is none (401 UNAUTHORIZED)')
  })

  it('WIRE-05 an unknown order is one only where the system says so', async () => {
    const misled = connect(`${simulator.address}/somewhere/else`)
    expect(await resultOrError(misled.inquire(payment(), within()))).toEqual(UNKNOWN)
    expect(await charging.inquire(payment(), within())).toBeUndefined()
  })
})

describe('an order', () => {
  it('WIRE-10 is declined with the reason', async () => {
    await simulator.faults({ fault: 'decline', above: 100, reason: 'Too much' })
    expect(await charging.submit(payment('100'), within())).toEqual(DONE)
    const order = payment('100.001')
    expect(await charging.submit(order, within())).toEqual({ outcome: 'declined', reason: 'Too much' })
    expect(await entryOf(order)).toMatchObject({ carriedOut: 0 })
  })

  it('WIRE-11 that is another one under the same id is refused, and nothing is done', async () => {
    const order = payment('1')
    await charging.submit(order, within())
    const error = (await resultOrError(
      charging.submit({ ...order, amount: toDecimal('2') }, within()),
    )) as Error
    expect(error.message).toBe('an answer that is none (409 ORDER_DIFFERS)')
    expect(await entryOf(order)).toMatchObject({ carriedOut: 1, order: { amount: '1' } })
  })

  it('WIRE-13 that is pending has its result later', async () => {
    await simulator.faults({ fault: 'pending', ms: 200 })
    const order = payment()
    expect(await charging.submit(order, within())).toMatchObject({ outcome: 'pending', isReserved: false })
    await expect.poll(() => charging.inquire(order, within()), { timeout: 10_000 }).toEqual(DONE)
  })

  it('WIRE-14 that is reserved is carried out when it is captured, once', async () => {
    await simulator.faults({ fault: 'reserve' })
    const order = payment()
    expect(await charging.submit(order, within())).toMatchObject({ outcome: 'pending', isReserved: true })
    expect(await entryOf(order)).toMatchObject({ carriedOut: 0 })
    for (let time = 0; time < 2; time++) expect(await charging.capture(order, within())).toEqual(DONE)
    expect(await entryOf(order)).toMatchObject({ carriedOut: 1 })
  })

  it('WIRE-15 is given up while it is held, or before it arrived', async () => {
    await simulator.faults({ fault: 'reserve', times: 1 })
    const [held, unseen, done] = [payment(), payment(), payment()]
    await charging.submit(held, within())
    expect(await charging.cancel(held, within())).toMatchObject({ outcome: 'cancelled' })
    expect(await charging.cancel(unseen, within())).toMatchObject({ outcome: 'cancelled' })
    expect(await charging.submit(unseen, within())).toMatchObject({ outcome: 'cancelled' })
    await charging.submit(done, within())
    expect(await charging.cancel(done, within())).toEqual(DONE)
  })

  it('WIRE-16 is taken back once it was carried out, and not otherwise', async () => {
    await simulator.faults({ fault: 'decline', times: 1 })
    const [declined, done] = [payment(), payment()]
    for (const order of [declined, done]) await charging.submit(order, within())
    expect(await charging.reverse(declined, within())).toMatchObject({ outcome: 'declined' })
    for (let time = 0; time < 2; time++) expect(await charging.reverse(done, within())).toEqual(DONE)
    expect(await charging.inquire(done, within())).toMatchObject({ outcome: 'cancelled' })
  })
})

describe('the circuit', () => {
  it('WIRE-20 opens after failures in a row, lets one probe through, and closes with the first answer', async () => {
    let now = 0
    const probing = connect(simulator.address, TOKEN, () => now)
    await simulator.faults({ fault: 'error' })
    for (let time = 0; time < 5; time++) await resultOrError(probing.submit(payment(), within()))
    expect(probing.unavailable()).toBe(
      'it failed several times in a row, the last time: an answer that is none (500 SIMULATED)',
    )
    expect(probing.parallel).toBe(1)
    const [kept] = [payment()]
    expect(await resultOrError(probing.submit(kept, within()))).toBeInstanceOf(NotSentError)
    await simulator.faults()
    now += 60_000
    expect(probing.unavailable()).toBeUndefined()
    expect(await probing.submit(kept, within())).toEqual(DONE)
    expect(probing.parallel).toBe(8)
  })
})

describe('the simulator', () => {
  it('WIRE-30 refuses who has no token, and faults that are none', async () => {
    const { status } = await fetch(`${simulator.address}/orders`)
    expect(status).toBe(401)
    await expect(simulator.faults({ fault: 'nothing' as FaultName })).rejects.toThrow('faults are a list')
  })
})
