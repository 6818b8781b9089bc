/** The check of new transactions against those that exist: correlator, limits and references, in that order. */
import { describe, expect, it } from 'vitest'
import {
  checkPosting,
  correlatorKey,
  type ExistingTransactions,
  referenceKey,
  spentKey,
} from '#core/transactions/post/check.ts'
import type { NewTransaction } from '#core/transactions/post/validate.ts'
import { toDecimal } from '#core/values/money.ts'
import { MESSAGE } from '#subgraphs/messaging/kind.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { payment } from './support.ts'

const nothing = (): ExistingTransactions => ({
  correlators: new Map(),
  references: new Set(),
  spent: new Map(),
  keys: new Set(),
})

const check = (transaction: NewTransaction, existing = nothing()) =>
  checkPosting(PAYMENT, transaction, existing)

const limited = (limits: object, fields: Partial<NewTransaction> = {}) =>
  payment({ ...fields, limits: { ...payment().limits, ...limits } })

describe('a new transaction', () => {
  it('is accepted and remembered where nothing is against it', () => {
    const existing = nothing()
    const transaction = payment({ clientCorrelatorId: 'c-1', referenceCode: 'r-1' })
    expect(check(transaction, existing)).toBeUndefined()
    expect(existing.correlators.get(correlatorKey(transaction))).toBe(transaction.id)
    expect(existing.references.has(referenceKey(transaction))).toBe(true)
    expect(existing.spent.get(spentKey('shop', '100001', 'OMR'))?.toString()).toBe('10')
  })

  it('is refused with the id of the first under the same correlator', () => {
    const transaction = payment({ clientCorrelatorId: 'c-1' })
    const existing = { ...nothing(), correlators: new Map([[correlatorKey(transaction), 'first']]) }
    expect(check(transaction, existing)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      extensions: { existingId: 'first', reason: 'DUPLICATE_CORRELATOR' },
      headers: { location: '/postpaid-billing/v1/payments/first' },
    })
  })

  it('conflicts with the one before it in the same batch', () => {
    const existing = nothing()
    const one = { clientCorrelatorId: 'c-1' }
    expect(check(payment({ ...one, id: 'a' }), existing)).toBeUndefined()
    expect(check(payment({ ...one, id: 'b' }), existing)).toMatchObject({ extensions: { existingId: 'a' } })
  })

  it("is not compared with another client's correlators and references", () => {
    const existing = nothing()
    const one = { clientCorrelatorId: 'c-1', referenceCode: 'r-1' }
    expect(check(payment(one), existing)).toBeUndefined()
    expect(check(payment({ ...one, clientId: 'bank' }), existing)).toBeUndefined()
  })
})

describe('limits', () => {
  it('refuse an amount above what the client may post at once, and accept that amount itself', () => {
    expect(check(limited({ maxAmount: toDecimal('9.999') }))).toMatchObject({
      code: 'CARRIER_BILLING.UNAUTHORIZED_AMOUNT',
      extensions: { limit: { max: 9.999 } },
    })
    expect(check(limited({ maxAmount: toDecimal(10) }))).toBeUndefined()
  })

  it('count what was accepted of the month, for each owner and currency by itself', () => {
    const existing = nothing()
    const month = { monthlyAmount: toDecimal(25) }
    for (const clientCorrelatorId of ['1', '2'])
      expect(check(limited(month, { clientCorrelatorId }), existing)).toBeUndefined()
    expect(check(limited(month, { clientCorrelatorId: '3' }), existing)).toMatchObject({
      code: 'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED',
      extensions: { limit: { max: 5 } },
    })
    expect(check(limited(month, { clientCorrelatorId: '4', accountNumber: '2' }), existing)).toBeUndefined()
    expect(check(limited(month, { clientCorrelatorId: '5', currency: 'USD' }), existing)).toBeUndefined()
  })

  it('leave what was refused uncounted', () => {
    const existing = nothing()
    const month = { monthlyAmount: toDecimal(15) }
    const tooMuch = limited(month, { clientCorrelatorId: '1', amount: toDecimal(16) })
    expect(check(tooMuch, existing)).toBeDefined()
    expect(check(limited(month, { clientCorrelatorId: '2' }), existing)).toBeUndefined()
  })

  it('are none of a kind that has none', () => {
    const message = limited({ maxAmount: toDecimal(1) }, { clientCorrelatorId: '1' })
    expect(checkPosting(MESSAGE, message, nothing())).toBeUndefined()
  })
})

describe('a reference', () => {
  it('is refused a second time for the same account, without a correlator alone', () => {
    const existing = nothing()
    const one = { referenceCode: 'r-1' }
    expect(check(payment(one), existing)).toBeUndefined()
    expect(check(payment(one), existing)).toMatchObject({ code: 'ALREADY_EXISTS', status: 409 })
    expect(check(payment({ ...one, clientCorrelatorId: 'c-1' }), existing)).toBeUndefined()
    expect(check(payment({ ...one, accountNumber: '100002' }), existing)).toBeUndefined()
  })

  it('comes after the limits', () => {
    const existing = nothing()
    expect(check(payment({ referenceCode: 'r-1' }), existing)).toBeUndefined()
    const both = limited({ maxAmount: toDecimal(1) }, { referenceCode: 'r-1' })
    expect(check(both, existing)).toMatchObject({ code: 'CARRIER_BILLING.UNAUTHORIZED_AMOUNT' })
  })
})
