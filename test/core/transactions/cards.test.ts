/** Payment cards in requests: what is kept of them, and texts that hold what looks like a number of one. */
import { describe, expect, it, vi } from 'vitest'
import type { App } from '#core/context/app.ts'
import { checkCardTexts, keepMetaData } from '#core/transactions/post/validate.ts'
import { payment } from './support.ts'

const { limits } = payment()
const CARD = '4111 1111 1111 1111'

/** A process that counts and logs, and refuses or not. */
const stage = (cardTexts: 'warn' | 'refuse') => {
  const inc = vi.fn()
  const warn = vi.fn()
  const app = { config: { cardTexts }, metrics: { cardLikeTexts: { inc } }, log: { warn } } as unknown as App
  const check = (body: object) =>
    checkCardTexts(app, { correlator: 'x-1' } as Parameters<typeof checkCardTexts>[1], 'prepaid', 'top', body)
  return { check, inc, warn }
}

describe('card details', () => {
  it('are kept without security code, with a masked number', () => {
    const creditCardDetails = { cardNumber: '4111111111111111', cvv: '123', expiryMonth: 1, expiryYear: 30 }
    expect(keepMetaData('meta', { creditCardDetails }, limits)).toEqual({
      creditCardDetails: { cardNumber: '411111******1111', expiryMonth: 1, expiryYear: 30 },
    })
  })

  it('are refused with all that is wrong with them, and never with their digits', () => {
    const creditCardDetails = { cardNumber: '4111111111111112', expiryMonth: 13 }
    const keep = () => keepMetaData('meta', { fee: -1, creditCardDetails }, limits)
    expect(keep).toThrow(/meta\.fee .*meta\.creditCardDetails\.cardNumber .*expiryMonth/)
    expect(keep).not.toThrow(/4111/)
  })

  it('need not pass the check of a client with dummy cards', () => {
    const metaData = { creditCardDetails: { cardNumber: 'dummy' } }
    const kept = keepMetaData('meta', metaData, { ...limits, dummyCards: true })
    expect(kept).toEqual({ creditCardDetails: { cardNumber: '*****' } })
  })
})

describe('a free text with a card number', () => {
  it('is counted by its field and logged by its path, without digits', () => {
    const { check, inc, warn } = stage('warn')
    check({ items: [{ note: 'hello' }, { note: `card ${CARD}` }] })
    expect(inc.mock.calls).toEqual([[{ service: 'prepaid', field: 'top.items.note' }]])
    expect(warn.mock.calls[0]![0]).toEqual({
      service: 'prepaid',
      path: 'top.items[1].note',
      correlator: 'x-1',
    })
    expect(JSON.stringify(warn.mock.calls)).not.toContain('4111')
  })

  it('is refused by its path where that is set', () => {
    const { check } = stage('refuse')
    expect(() => check({ note: CARD })).toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ field: 'top.note' }) }),
    )
    expect(() => check({ note: 'nothing' })).not.toThrow()
  })

  it('is none where numbers have a field of their own', () => {
    const { check, inc } = stage('refuse')
    check({ cardNumber: CARD, mobileNumber: '4111111111111111' })
    expect(inc).not.toHaveBeenCalled()
  })
})
