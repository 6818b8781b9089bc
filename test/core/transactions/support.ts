/** A new payment for tests of posting. */
import type { NewTransaction } from '#core/transactions/post/validate.ts'
import { toDecimal } from '#core/values/money.ts'

/** A payment of 10 OMR that no rule is against. */
export const payment = (fields: Partial<NewTransaction> = {}): NewTransaction => ({
  id: '018f0000-0000-7000-8000-000000000001',
  clientId: 'shop',
  limits: { currencies: ['OMR', 'USD'], dummyCards: false },
  correlator: 'x-1',
  accountNumber: '100001',
  currency: 'OMR',
  amount: toDecimal(10),
  body: {},
  ...fields,
})
