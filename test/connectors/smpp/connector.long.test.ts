/** The SMPP connector over the wire: what is sent, what its receipts mean, and what it does at faults that are over at once. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NO_FAULTS } from '#simulators/smpp/faults.ts'
import { type SmppSimulator, startSmppSimulator } from '#test/support/smpp-simulator.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'
import { type Connected, connect } from './support.ts'

let test: TestApp
let simulator: SmppSimulator
let sms: Connected
beforeAll(async () => {
  ;[test, simulator] = await Promise.all([openTestApp({ env: { DEMO: '0' } }), startSmppSimulator()])
})
beforeEach(async () => {
  await simulator.set(NO_FAULTS)
  await simulator.forget()
  sms = await connect(test.app, { SMPP_URL: simulator.url('window=4&timeout=5') })
})
afterEach(() => sms[Symbol.asyncDispose]())
afterAll(async () => {
  await simulator[Symbol.asyncDispose]()
  await test[Symbol.asyncDispose]()
})

/** Submits, and waits for what the receipts say. */
const send = async (body?: Record<string, string | number | boolean>, expiresInMs?: number) => {
  const order = await sms.order(body, expiresInMs)
  const progress = await sms.submit(order)
  return progress.outcome === 'pending' ? sms.result(order.transactionId) : progress
}

const ARABIC = 'عزيزنا العميل، فاتورتك لشهر نوفمبر بمبلغ ١٢٫٥٠٠ ريال مستحقة السداد. شكراً لك 🙏. '.repeat(8)

describe('a message', () => {
  it('SMPP-01 is done once its receipt has come, and the receipt is answered', async () => {
    expect(await send()).toEqual({ outcome: 'done' })
    await expect
      .poll(async () => (await simulator.book()).entries)
      .toMatchObject([
        { text: 'Hello', source: 'MuscatPay', destination: '96891000001', registered: 1, acknowledged: 1 },
      ])
    expect(await simulator.book()).toMatchObject({ refusedReceipts: 0 })
    expect(sms.logLines.join('')).not.toContain('"level":40')
  })

  it('SMPP-02 that is long and Arabic arrives as it was written, and is done with its last receipt', async () => {
    await simulator.set({ earlyReceipts: 1, responseMs: 20 })
    expect(await send({ smsText: ARABIC })).toEqual({ outcome: 'done' })
    const { entries } = await simulator.book()
    expect(entries.length).toBeGreaterThan(5)
    expect(new Set(entries.map(({ concat }) => concat!.reference)).size).toBe(1)
    for (const { octets, dataCoding } of entries) expect([octets <= 140, dataCoding]).toEqual([true, 8])
    expect(await simulator.texts()).toEqual([{ destination: '96891000001', text: ARABIC }])
    // Reports of each part would have finalized it with the first.
    expect(sms.reported.length).toBeLessThan(2)
  })

  it('SMPP-03 has its expiry, priority and flash', async () => {
    const before = Date.now()
    await send({ flashMessage: true, priority: 1 }, 600_000)
    await send({ flashMessage: true, smsText: 'مرحبا 😀' }, 600_000)
    const { entries } = await simulator.book()
    expect(entries).toMatchObject([
      { dataCoding: 0x10, priority: 3, text: 'Hello' },
      { dataCoding: 0x18, priority: 0, text: 'مرحبا 😀' },
    ])
    for (const { validityPeriod } of entries) {
      const ms = Date.parse(validityPeriod) - before
      expect([ms > 595_000, ms < 605_000]).toEqual([true, true])
    }
  })

  it.each([
    ['EXPIRED', 'expired'],
    ['UNDELIV', 'failed'],
    ['DELETED', 'failed'],
    ['REJECTD', 'invalid'],
    ['UNKNOWN', 'invalid'],
  ])('SMPP-04 is what its receipt says: %s', async (receipt, outcome) => {
    await simulator.set({ receipt })
    expect(await send()).toEqual({ outcome, reason: expect.stringContaining('The message') })
  })

  it.each(['text', 'tlv'])('SMPP-05 is known by its receipt alone: %s', async receiptForm => {
    await simulator.set({ receiptForm, echoReference: 0 })
    expect(await send()).toEqual({ outcome: 'done' })
  })

  it('SMPP-06 is done once, however often its receipt comes', async () => {
    await simulator.set({ doubleReceipts: 1 })
    expect(await send()).toEqual({ outcome: 'done' })
    await expect.poll(async () => (await simulator.book()).entries[0]!.acknowledged).toBe(2)
    expect(sms.reported.every(({ progress }) => progress.outcome === 'done')).toBe(true)
    expect(await test.app.db.messageReceipt.count()).toBe(0)
  })

  it('SMPP-07 whose receipt comes before the response is done all the same', async () => {
    await simulator.set({ earlyReceipts: 1, echoReference: 0, responseMs: 100 })
    const order = await sms.order()
    expect(await sms.submit(order)).toEqual({ outcome: 'done' })
    expect(await test.app.db.messageReceipt.count()).toBe(0)
    await expect.poll(async () => (await simulator.book()).entries[0]!.acknowledged).toBe(1)
  })

  it('SMPP-08 that is submitted again is not sent again', async () => {
    await simulator.set({ receiptMs: 200 })
    const order = await sms.order()
    await Promise.all([sms.submit(order), sms.submit(order)])
    expect(await sms.submit(order)).toMatchObject({ outcome: 'pending' })
    expect(await sms.result(order.transactionId)).toEqual({ outcome: 'done' })
    expect(await sms.submit(order)).toEqual({ outcome: 'done' })
    expect((await simulator.book()).entries).toHaveLength(1)
  })

  it('SMPP-09 is not sent once its time is over, nor with a sender that no address can hold', async () => {
    expect(await send({}, -1_000)).toMatchObject({ outcome: 'expired' })
    expect(await send({ sender: 'مسقط' })).toMatchObject({ outcome: 'invalid' })
    expect((await simulator.book()).entries).toEqual([])
  })
})

describe('a refusal', () => {
  it.each([
    ['ESME_RINVDSTADR', 'invalid'],
    ['ESME_RPROHIBITED', 'declined'],
    ['ESME_RSUBMITFAIL', 'failed'],
  ])('SMPP-10 ends the message: %s', async (refuseWith, outcome) => {
    await simulator.set({ refuse: 1, refuseWith })
    expect(await send()).toEqual({ outcome, reason: expect.stringContaining(refuseWith) })
  })

  it('SMPP-11 of one part ends the message, and no more of it is sent', async () => {
    await simulator.set({ responseMs: 50, receiptMs: 60_000 })
    const order = await sms.order({ smsText: ARABIC })
    const submitted = sms.submit(order)
    await expect.poll(async () => (await simulator.book()).entries.length, { interval: 5 }).toBeGreaterThan(0)
    await simulator.set({ refuse: 1, refuseWith: 'ESME_RSUBMITFAIL' })
    expect(await submitted).toMatchObject({ outcome: 'failed' })
    expect((await simulator.book()).entries.length).toBeLessThan(4)
  })

  it('SMPP-12 that is of the moment leaves the message as it was', async () => {
    await simulator.set({ refuse: 1, refuseWith: 'ESME_RSYSERR' })
    const order = await sms.order()
    await expect(sms.submit(order)).rejects.toMatchObject({ name: 'NotSentError' })
    expect(await sms.connector.inquire!(order, AbortSignal.timeout(5_000))).toBeUndefined()
    await sms.submit(order)
    expect(await sms.result(order.transactionId)).toEqual({ outcome: 'done' })
  })
})

describe('throttling', () => {
  it('SMPP-13 slows down, twice as much each time, and the message is sent', async () => {
    await simulator.set({ throttle: 3 })
    expect(await send()).toEqual({ outcome: 'done' })
    const { entries, throttledAt } = await simulator.book()
    const times = [...throttledAt, entries[0]!.takenAt]
    const waits = times.slice(1).map((time, index) => time - times[index]!)
    expect(waits.map((wait, index) => wait >= 100 * 2 ** index - 5)).toEqual([true, true, true])
  })

  it('SMPP-14 by a full queue is waited for', async () => {
    await simulator.set({ queueFull: 2 })
    expect(await send()).toEqual({ outcome: 'done' })
    expect((await simulator.book()).entries).toHaveLength(1)
  })

  it('SMPP-15 the window is used, and never exceeded', async () => {
    await simulator.set({ responseMs: 20 })
    await Promise.all(Array.from({ length: 30 }, () => send()))
    expect(await simulator.book()).toMatchObject({ mostOutstanding: 4 })
  })
})

describe('what came of a message', () => {
  it('SMPP-16 is queried once, where no receipt came by the end of its time', async () => {
    await using hasty = await connect(test.app, {
      SMPP_URL: simulator.url(),
      SMPP_RECEIPT_MARGIN_SECONDS: '0',
    })
    await simulator.set({ loseReceipts: 1 })
    const order = await hasty.order({}, 700)
    expect(await hasty.submit(order)).toMatchObject({ outcome: 'pending' })
    expect(await hasty.connector.inquire!(order, AbortSignal.timeout(5_000))).toMatchObject({
      outcome: 'pending',
    })
    expect(await hasty.settle(order)).toEqual({ outcome: 'done' })
  })

  it.each([
    ['', 'ESME_RQUERYFAIL'],
    ['ENROUTE', 'ENROUTE'],
  ])('SMPP-17 is an error where the message centre does not know it either: %j', async (query, why) => {
    await using hasty = await connect(test.app, {
      SMPP_URL: simulator.url(),
      SMPP_RECEIPT_MARGIN_SECONDS: '0',
    })
    await simulator.set({ loseReceipts: 1, query })
    const order = await hasty.order({}, 700)
    await hasty.submit(order)
    expect(await hasty.settle(order)).toEqual({ outcome: 'invalid', reason: expect.stringContaining(why) })
  })

  it('SMPP-18 is done at once where receipts are not requested', async () => {
    await using without = await connect(test.app, { SMPP_URL: simulator.url('receipts=0') })
    expect(await without.submit(await without.order())).toEqual({ outcome: 'done' })
    expect((await simulator.book()).entries).toMatchObject([{ registered: 0 }])
  })

  it('SMPP-19 is reported again where it could not be finalized the first time', async () => {
    sms.refuseNext()
    expect(await send()).toEqual({ outcome: 'done' })
    await expect
      .poll(() => simulator.book())
      .toMatchObject({ refusedReceipts: 1, entries: [{ acknowledged: 1 }] })
  })
})

describe('what is shown', () => {
  it('SMPP-20 is counted, by bind and outcome', async () => {
    await send()
    const figures = await sms.registry.metrics()
    expect(figures).toMatch(/smpp_bind_up\{bind="127\.0\.0\.1:\d+"\} 1/)
    expect(figures).toMatch(/smpp_submits_total\{bind="127\.0\.0\.1:\d+",outcome="taken"\} 1/)
    expect(figures).toMatch(/smpp_receipts_total\{state="(delivered|early)"\} 1/)
  })
})
