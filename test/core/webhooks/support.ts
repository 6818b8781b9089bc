/** Setup of the tests of delivery: posting in plenty, and reading the log. */
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { unique } from '#test/support/fixtures/fixture.ts'
import { createRest } from '#test/support/rest.ts'
import type { Stack } from '#test/support/stack.ts'

export const fixtureOf = (kind: string) => FIXTURES.find(fixture => fixture.kind === kind)!

/** A payment of an account, smaller than every demo limit. */
export const payment = (customerAccountNumber: string, phoneNumber?: string, amount = 0.001) => ({
  paymentTransaction: {
    clientCorrelatorId: unique(),
    referenceCode: unique(),
    customerInfo: { customerAccountNumber, phoneNumber },
    paymentInfo: { paymentInformation: { amount, currency: 'OMR', description: 'test' } },
  },
})

/** Posts a payment and returns its id. */
export const pay = async (stack: Stack, token: string, body = payment('100001')): Promise<string> => {
  const response = await createRest(stack.address)('POST', '/postpaid-billing/v1/payments', { token, body })
  return response.body.paymentId
}

/** Posts several payments one after the other. */
export const payMany = async (stack: Stack, token: string, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await pay(stack, token))
  return ids
}

/** Posts several payments at the same time. */
export const payAtOnce = (stack: Stack, token: string, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => pay(stack, token)))
