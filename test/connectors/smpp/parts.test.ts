/** Parts and receipts in the database, where processes and message centres interfere with each other. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPartStore, type PartKey, type PartStore } from '#connectors/smpp/parts.ts'
import { createReceiptStore, type ReceiptStore } from '#connectors/smpp/receipt-store.ts'
import type { ReceivedReceipt } from '#connectors/smpp/receipts.ts'
import type { IdForm } from '#core/config/smpp.ts'
import { newId } from '#core/values/id.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

const LONG_MS = 60_000

let test: TestApp
let parts: PartStore
let receipts: ReceiptStore
/** Messages that ended by receipts that were kept. */
let applied: string[]
let forms: Record<string, IdForm>

const createParts = (staleMs: number) =>
  createPartStore({
    db: test.app.db,
    watchdog: test.app.watchdog,
    staleMs,
    applyKept: (keys: readonly PartKey[]) => receipts.applyKept(keys),
  })

beforeAll(async () => {
  test = await openTestApp({ env: { DEMO: '0' } })
})
beforeEach(() => {
  applied = []
  forms = {}
  receipts = createReceiptStore({
    db: test.app.db,
    watchdog: test.app.watchdog,
    formOf: smsc => forms[smsc] ?? 'any',
    onApplied: ids => void applied.push(...ids),
  })
  parts = createParts(LONG_MS)
})
afterAll(() => test[Symbol.asyncDispose]())

const record = (receipt: ReceivedReceipt) => receipts.record(receipt)

const toSend = (transactionId = newId(), fields: object = {}) => ({
  transactionId,
  number: 1,
  total: 1,
  recipient: '96891000001',
  reference: 77,
  smsc: 'smsc:2775',
  ...fields,
})
const receipt = (messageId: string, fields: Partial<ReceivedReceipt> = {}): ReceivedReceipt => ({
  messageId,
  textId: messageId,
  smsc: 'smsc:2775',
  recipient: '96891000001',
  state: 'delivered',
  reason: null,
  reference: null,
  concat: null,
  ...fields,
})
const taken = async (messageId: string, fields: object = {}): Promise<string> => {
  const part = toSend(undefined, fields)
  await parts.claim(part)
  const { transactionId } = part
  await parts.record({ transactionId, number: 1, state: 'accepted', reason: null, messageId })
  return transactionId
}
const stateOf = async (id: string) => (await parts.of(id))[0]!.state

describe('a part', () => {
  it('SMPP-23 is sent by one of two processes, and by the other only once it is stale', async () => {
    const part = toSend()
    const other = createParts(LONG_MS)
    expect((await Promise.all([parts.claim(part), other.claim(part)])).toSorted()).toEqual([false, true])
    expect(await other.claim(part)).toBe(false)
    expect(await createParts(-1).claim(part)).toBe(true)
  })

  it('SMPP-24 that has been taken is sent by nobody any more', async () => {
    const id = await taken(newId())
    expect(await createParts(-1).claim(toSend(id))).toBe(false)
    await parts.record({ transactionId: id, number: 1, state: 'waiting', reason: null, messageId: null })
    expect(await stateOf(id)).toBe('accepted')
  })
})

describe('a receipt', () => {
  it('SMPP-25 changes what it is of once, and never back', async () => {
    const messageId = newId()
    const id = await taken(messageId)
    expect(await record(receipt(messageId))).toBe(id)
    expect(await record(receipt(messageId, { state: 'failed', reason: 'no' }))).toBe(id)
    expect(await stateOf(id)).toBe('delivered')
  })

  it('SMPP-26 is of the part to its recipient, where two message centres gave the same id', async () => {
    const messageId = newId()
    const ids = [await taken(messageId), await taken(messageId, { recipient: '96892000002' })]
    expect(await record(receipt(messageId, { recipient: '91000001' }))).toBe(ids[0])
    expect([await stateOf(ids[0]!), await stateOf(ids[1]!)]).toEqual(['delivered', 'accepted'])
  })

  it('SMPP-27 waits for its part, and is applied once by whoever finds both', async () => {
    const messageId = newId()
    expect(await record(receipt(messageId))).toBeUndefined()
    const id = await taken(messageId)
    expect(await stateOf(id)).toBe('delivered')
    expect(await receipts.applyKept([{ transactionId: id, number: 1 }])).toEqual([])
    expect(await test.app.db.messageReceipt.count({ where: { messageId } })).toBe(0)
  })

  it('SMPP-28 with our reference is of the only part that it can be of', async () => {
    const one = toSend(undefined, { reference: 501 })
    await parts.claim(one)
    expect(await record(receipt(newId(), { reference: 501 }))).toBe(one.transactionId)
    const two = [toSend(undefined, { reference: 502 }), toSend(undefined, { reference: 502 })]
    for (const part of two) await parts.claim(part)
    expect(await record(receipt(newId(), { reference: 502 }))).toBeUndefined()
  })

  it('SMPP-29 that belongs to nobody is dropped after seven days', async () => {
    const messageId = newId()
    await record(receipt(messageId))
    const old = new Date(Date.now() - 7.01 * 86_400_000)
    await test.app.db.messageReceipt.updateMany({ where: { messageId }, data: { receivedAt: old } })
    await record(receipt(newId()))
    expect(await test.app.db.messageReceipt.count({ where: { messageId } })).toBe(0)
  })

  it('SMPP-113 is of its own message centre, also where another gave the same id or reference', async () => {
    const messageId = newId()
    const [here, there] = [await taken(messageId), await taken(messageId, { smsc: 'partner@other:2775' })]
    expect(await record(receipt(messageId, { smsc: 'partner@third:2775' }))).toBeUndefined()
    expect(await record(receipt(newId(), { smsc: 'partner@third:2775', reference: 77 }))).toBeUndefined()
    expect(await record(receipt(messageId, { smsc: 'partner@other:2775', state: 'failed' }))).toBe(there)
    expect([await stateOf(here), await stateOf(there)]).toEqual(['accepted', 'failed'])
    // Parts that were sent before the name of a centre had its account.
    expect(await record(receipt(messageId, { smsc: 'partner@smsc:2775' }))).toBe(here)
  })

  it('SMPP-114 to another number is nobody’s here, and waits in vain', async () => {
    const messageId = newId()
    const id = await taken(messageId)
    expect(await record(receipt(messageId, { recipient: '96892000009' }))).toBeUndefined()
    expect(await stateOf(id)).toBe('accepted')
    expect(await record(receipt(messageId))).toBe(id)
  })

  it('SMPP-115 that comes early, in another form than its id, finds its part by the response', async () => {
    const smsc = newId()
    expect(await record(receipt('0075BCD15', { smsc }))).toBeUndefined()
    const id = await taken('123456789', { smsc })
    expect(await stateOf(id)).toBe('delivered')
  })

  it('SMPP-116 that two parts could have waits until another receipt shows which', async () => {
    const smsc = newId()
    const [decimal, hex] = [await taken('16', { smsc }), await taken('10', { smsc })]
    expect(await record(receipt('10', { smsc, state: 'failed', reason: 'no' }))).toBeUndefined()
    expect([await stateOf(decimal), await stateOf(hex)]).toEqual(['accepted', 'accepted'])
    const other = await taken('26', { smsc })
    expect(await record(receipt('1a', { smsc }))).toBe(other)
    expect([await stateOf(decimal), await stateOf(hex)]).toEqual(['failed', 'accepted'])
    expect(applied).toEqual([decimal])
    expect(await record(receipt('a', { smsc }))).toBe(hex)
    expect(await test.app.db.messageReceipt.count({ where: { smsc } })).toBe(0)
  })

  it('SMPP-117 of many small numbers to one recipient each finds its own, in either form', async () => {
    for (const write of [(id: number) => String(id), (id: number) => id.toString(16)]) {
      const smsc = newId()
      const ids = await Promise.all(
        Array.from({ length: 40 }, (_, index) => taken(String(index + 1), { smsc })),
      )
      const reported = await Promise.all(
        ids.map((_, index) =>
          record(receipt(write(index + 1), { smsc, reason: String(index), state: 'failed' })),
        ),
      )
      for (const [index, id] of ids.entries()) {
        expect((await parts.of(id))[0]).toMatchObject({ state: 'failed', reason: String(index) })
        expect([undefined, id]).toContain(reported[index])
      }
    }
  })
})
