/** Message centres that do as SMPP leaves open, over the wire: forms of ids, several centres, unbinding, floods. */
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CentreWarnings } from '#connectors/smpp/metrics.ts'
import { createLog } from '#core/observability/log.ts'
import { type Faults, NO_FAULTS } from '#simulators/smpp/faults.ts'
import { type SmppSimulator, startSmppSimulator } from '#test/support/smpp-simulator.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'
import { type Connected, connect } from './support.ts'

const DONE = { outcome: 'done' }
const PATIENT = { timeout: 20_000, interval: 20 }

let test: TestApp
let simulator: SmppSimulator
let other: SmppSimulator
let sms: Connected
beforeAll(async () => {
  ;[test, simulator, other] = await Promise.all([
    openTestApp({ env: { DEMO: '0' } }),
    startSmppSimulator(),
    startSmppSimulator(),
  ])
})
beforeEach(async () => {
  for (const one of [simulator, other]) {
    await one.set(NO_FAULTS)
    await one.forget()
  }
  sms = await connect(test.app, { SMPP_URL: simulator.url('window=8&timeout=5') })
})
afterEach(() => sms[Symbol.asyncDispose]())
afterAll(async () => {
  for (const one of [simulator, other]) await one[Symbol.asyncDispose]()
  await test[Symbol.asyncDispose]()
})

/** Submits, and waits for what the receipts say. */
const send = async (connected: Connected, recipient = '96891000001') => {
  const order = await connected.order({ recipient })
  const progress = await connected.submit(order)
  return progress.outcome === 'pending' ? connected.result(order.transactionId) : progress
}

const FORMS: readonly (readonly [string, Partial<Faults>])[] = [
  ['hex in receipts', { responseIds: 'decimal', receiptIds: 'hex' }],
  ['capital hex in receipts', { responseIds: 'decimal', receiptIds: 'HEX' }],
  ['decimal in receipts', { responseIds: 'hex', receiptIds: 'decimal' }],
  ['padded in receipts', { responseIds: 'decimal', receiptIds: 'padded' }],
  ['padded in responses', { responseIds: 'padded-hex', receiptIds: 'decimal' }],
  ['another in the TLV than in the text', { responseIds: 'decimal', receiptIds: 'decimal', tlvIds: 'HEX' }],
]

describe('an id', () => {
  it.each(FORMS)('SMPP-120 is the same number: %s', async (_, forms) => {
    // Given back or not, before the response or after it.
    for (const [echoReference, earlyReceipts] of [
      [1, 0],
      [0, 0],
      [0, 1],
    ] as const) {
      const nextId = 1_000_000_000 + Math.floor(Math.random() * 1e9)
      await simulator.set({ ...forms, nextId, echoReference, earlyReceipts })
      expect(await Promise.all([send(sms), send(sms), send(sms, '96891000002')])).toEqual([DONE, DONE, DONE])
    }
    expect(await test.app.db.messageReceipt.count()).toBe(0)
  })

  it('SMPP-121 that is empty is reported at once, and the receipt is known by our reference', async () => {
    await simulator.set({ emptyIds: 1 })
    expect(await send(sms)).toEqual(DONE)
    expect(sms.logLines.join('')).toContain('without giving them an id')
    expect(await sms.registry.metrics()).toMatch(/smpp_submits_without_id_total\{bind="127.0.0.1:\d+"\} 1/)
  })
})

describe('a receipt', () => {
  it('SMPP-122 of one message centre never ends the message of another with the same id', async () => {
    const numbers = { nextId: 4_711, echoReference: 0 }
    await simulator.set({ ...numbers, loseReceipts: 1 })
    await other.set({ ...numbers, receipt: 'UNDELIV' })
    const kept = await sms.order()
    await sms.submit(kept)
    await using another = await connect(test.app, { SMPP_URL: other.url() })
    expect(await send(another)).toMatchObject({ outcome: 'failed' })
    expect(sms.reported).toEqual([])
    expect(another.reported).toHaveLength(1)
    expect(await sms.connector.inquire!(kept, AbortSignal.timeout(5_000))).toMatchObject({
      outcome: 'pending',
    })
  })

  it('SMPP-124 for another number ends nothing, and is reported once it is old', async () => {
    await simulator.set({ receiptTo: '96892000009', echoReference: 0 })
    const order = await sms.order()
    await sms.submit(order)
    await expect.poll(() => test.app.db.messageReceipt.count(), PATIENT).toBe(1)
    expect(sms.reported).toEqual([])
    const lines: string[] = []
    const log = createLog('info', { write: line => void lines.push(line) })
    const warnings = new CentreWarnings({ db: test.app.db, log, registry: new Registry(), oldMs: 0 })
    for (let time = 0; time < 3; time++) await warnings.look()
    expect(lines.filter(line => line.includes('fit no message'))).toHaveLength(1)
    await test.app.db.messageReceipt.deleteMany()
  })

  it.each(['ENROUTE', 'ACCEPTED', 'UNDELIV'])(
    'SMPP-125 that is intermediate ends nothing: %s',
    async intermediate => {
      await simulator.set({ intermediate })
      expect(await send(sms)).toEqual(DONE)
      expect(sms.reported).toHaveLength(1)
    },
  )
})

describe('a message centre', () => {
  it('SMPP-126 that unbinds has its responses read first: nothing is sent twice', async () => {
    await simulator.set({ responseMs: 400, echoReference: 0 })
    const orders = await Promise.all(Array.from({ length: 8 }, () => sms.order()))
    const submitted = Promise.all(orders.map(order => sms.submit(order)))
    await expect.poll(async () => (await simulator.book()).entries.length, { interval: 5 }).toBe(8)
    await simulator.unbind()
    await submitted
    expect(await Promise.all(orders.map(order => sms.settle(order)))).toEqual(orders.map(() => DONE))
    expect((await simulator.book()).entries).toHaveLength(8)
    await expect.poll(() => simulator.book(), PATIENT).toMatchObject({ binds: 2 })
    expect(sms.logLines.join('')).toContain('the message centre unbound')
  })

  it.each([
    ['none', 'query=1', 'ESME_RINVCMDID'],
    ['DELIVRD', 'query=0', 'takes no queries (query=0)'],
  ])(
    'SMPP-127 without queries leaves a message without receipt in error, with the reason: %s',
    async (query, option, why) => {
      await using hasty = await connect(test.app, {
        SMPP_URL: simulator.url(option),
        SMPP_RECEIPT_MARGIN_SECONDS: '0',
      })
      await simulator.set({ loseReceipts: 1, query })
      const order = await hasty.order({}, 500)
      await hasty.submit(order)
      expect(await hasty.settle(order)).toEqual({ outcome: 'invalid', reason: expect.stringContaining(why) })
    },
  )
})
