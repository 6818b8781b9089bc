/** Parts and receipts as they are kept, where processes and message centres come into each other's way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createParts, type Parts } from '../../../../subgraphs/shared/charging/smpp/parts.ts'
import { applyKept, createReceiptStore } from '../../../../subgraphs/shared/charging/smpp/receipt-store.ts'
import type { Receipt } from '../../../../subgraphs/shared/charging/smpp/receipts.ts'
import { newId } from '../../../../subgraphs/shared/values/id.ts'
import { openTestApp, type TestApp } from '../../../support/stack.ts'

const LONG_MS = 60_000

let test: TestApp
let parts: Parts
let note: (receipt: Receipt) => Promise<string | undefined>
beforeAll(async () => {
  test = await openTestApp({ env: { DEMO: '0' } })
  parts = createParts(test.app.db, LONG_MS)
  note = createReceiptStore(test.app.db)
})
afterAll(() => test[Symbol.asyncDispose]())

const toSend = (transactionId = newId(), fields: object = {}) => ({
  transactionId,
  number: 1,
  total: 1,
  recipient: '96891000001',
  reference: 77,
  smsc: 'smsc:2775',
  ...fields,
})
const receipt = (messageId: string, fields: Partial<Receipt> = {}): Receipt => ({
  messageId,
  recipient: '96891000001',
  state: 'delivered',
  reason: null,
  reference: null,
  ...fields,
})
const taken = async (messageId: string, fields: object = {}): Promise<string> => {
  const part = toSend(undefined, fields)
  await parts.claim(part)
  const { transactionId } = part
  await parts.note({ transactionId, number: 1, state: 'accepted', reason: null, messageId })
  return transactionId
}
const stateOf = async (id: string) => (await parts.of(id))[0]!.state

describe('a part', () => {
  it('SMPP-23 is sent by one of two processes, and by the other only once it is stale', async () => {
    const part = toSend()
    const other = createParts(test.app.db, LONG_MS)
    expect((await Promise.all([parts.claim(part), other.claim(part)])).toSorted()).toEqual([false, true])
    expect(await other.claim(part)).toBe(false)
    expect(await createParts(test.app.db, -1).claim(part)).toBe(true)
  })

  it('SMPP-24 that has been taken is sent by nobody any more', async () => {
    const id = await taken(newId())
    expect(await createParts(test.app.db, -1).claim(toSend(id))).toBe(false)
    await parts.note({ transactionId: id, number: 1, state: 'waiting', reason: null, messageId: null })
    expect(await stateOf(id)).toBe('accepted')
  })
})

describe('a receipt', () => {
  it('SMPP-25 changes what it is of once, and never back', async () => {
    const messageId = newId()
    const id = await taken(messageId)
    expect(await note(receipt(messageId))).toBe(id)
    expect(await note(receipt(messageId, { state: 'failed', reason: 'no' }))).toBe(id)
    expect(await stateOf(id)).toBe('delivered')
  })

  it('SMPP-26 is of the part to its recipient, where two message centres gave the same id', async () => {
    const messageId = newId()
    const ids = [await taken(messageId), await taken(messageId, { recipient: '96892000002' })]
    expect(await note(receipt(messageId, { recipient: '91000001' }))).toBe(ids[0])
    expect([await stateOf(ids[0]!), await stateOf(ids[1]!)]).toEqual(['delivered', 'accepted'])
  })

  it('SMPP-27 waits for its part, and is applied once by whoever finds both', async () => {
    const messageId = newId()
    expect(await note(receipt(messageId))).toBeUndefined()
    const id = await taken(messageId)
    expect(await stateOf(id)).toBe('delivered')
    expect(await applyKept(test.app.db, [messageId])).toEqual([])
  })

  it('SMPP-28 with our reference is of the only part that it can be of', async () => {
    const one = toSend(undefined, { reference: 501 })
    await parts.claim(one)
    expect(await note(receipt(newId(), { reference: 501 }))).toBe(one.transactionId)
    const two = [toSend(undefined, { reference: 502 }), toSend(undefined, { reference: 502 })]
    for (const part of two) await parts.claim(part)
    expect(await note(receipt(newId(), { reference: 502 }))).toBeUndefined()
  })

  it('SMPP-29 that belongs to nobody is dropped after seven days', async () => {
    const messageId = newId()
    await note(receipt(messageId))
    const old = new Date(Date.now() - 7.01 * 86_400_000)
    await test.app.db.messageReceipt.updateMany({ where: { messageId }, data: { receivedAt: old } })
    await note(receipt(newId()))
    expect(await test.app.db.messageReceipt.count({ where: { messageId } })).toBe(0)
  })
})
