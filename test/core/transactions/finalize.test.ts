/** Results of orders as statuses: which statement is sent, and that nothing is where a status may not follow. */
import { describe, expect, it, vi } from 'vitest'
import type { Statements } from '#core/data/db.ts'
import { toRow } from '#core/transactions/columns.ts'
import { orderOf, type TransactionRow } from '#core/transactions/kind.ts'
import { finalize, recordProgress } from '#core/transactions/settle/finalize.ts'
import { expiryOf, settlement as messages } from '#subgraphs/messaging/rules.ts'
import { settlement as payments } from '#subgraphs/postpaid-billing/rules.ts'
import { settlement as recharges } from '#subgraphs/prepaid/rules.ts'

const row = (status: string, fields: object = {}): TransactionRow<never> =>
  toRow({
    id: '018f0000-0000-7000-8000-000000000001',
    position: 1n,
    clientId: 'shop',
    clientPosition: 1n,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    status,
    body: {},
    ...fields,
  }) as TransactionRow<never>

/** A database transaction that counts its statements. */
const statements = () => {
  const $executeRaw = vi.fn(async () => 1)
  const $queryRaw = vi.fn(async () => [])
  return { tx: { $executeRaw, $queryRaw } as unknown as Statements, $executeRaw, $queryRaw }
}

describe('finalizing', () => {
  it.each(['succeeded', 'denied', 'cancelled'])(
    'refuses a payment that is %s already, before anything is written',
    async status => {
      const { tx, $executeRaw, $queryRaw } = statements()
      const finished = [
        { row: row('processing'), result: { outcome: 'done' } as const },
        { row: row(status), result: { outcome: 'done' } as const },
      ]
      await expect(finalize(tx, payments, finished)).rejects.toThrow(
        `Payment ${status} may not become succeeded`,
      )
      expect($executeRaw).not.toHaveBeenCalled()
      expect($queryRaw).not.toHaveBeenCalled()
    },
  )

  it('sends nothing for no transactions', async () => {
    const { tx, $executeRaw, $queryRaw } = statements()
    expect(await finalize(tx, payments, [])).toEqual([])
    expect([$executeRaw, $queryRaw].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  })
})

describe('progress', () => {
  const held = (status: string, isReserved: boolean) => [
    { row: row(status), progress: { outcome: 'pending', isReserved } as const },
  ]

  it('becomes a status that the kind has for it', async () => {
    const { tx, $executeRaw } = statements()
    expect(await recordProgress(tx, payments, held('processing', true))).toBe(1)
    expect($executeRaw).toHaveBeenCalledOnce()
  })

  it.each([
    ['the kind has no status for it', payments, held('processing', false)],
    ['the kind has none at all', recharges, held('processing', true)],
    ['the row has gone further', payments, held('succeeded', true)],
    ['the row says so already', payments, held('reserved', true)],
  ] as const)('changes nothing where %s', async (_, settlement, progressed) => {
    const { tx, $executeRaw } = statements()
    expect(await recordProgress(tx, settlement, progressed)).toBe(0)
    expect($executeRaw).not.toHaveBeenCalled()
  })
})

describe('an order', () => {
  it('has what the row says, and what the kind asks for', () => {
    const order = orderOf(payments, row('processing', { accountNumber: '1', currency: 'OMR' }))
    expect(order).toMatchObject({
      operation: 'payBill',
      moves: { balance: 'dues', direction: 'down' },
      account: 'open',
      accountNumber: '1',
      mobileNumber: undefined,
      currency: 'OMR',
      amount: undefined,
      expiresAt: undefined,
    })
  })

  it('of a message expires when its client says, else after a day', () => {
    const createdAt = new Date('2026-01-01T00:00:00Z')
    const body = { sender: 'A', recipient: '96891000001', smsText: 'a' } as Parameters<
      typeof expiryOf
    >[0]['body']
    expect(expiryOf({ body, createdAt })).toEqual(new Date('2026-01-02T00:00:00Z'))
    const expiryTime = '2026-01-01T01:00:00+04:00'
    expect(expiryOf({ body: { ...body, expiryTime }, createdAt })).toEqual(new Date(expiryTime))
    expect(orderOf(messages as never, row('accepted')).expiresAt).toEqual(new Date('2026-01-02T00:00:00Z'))
  })
})
