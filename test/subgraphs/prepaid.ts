/** Shared by the tests of recharges: a stack, both forms of a body, and posting. */

import { afterAll, beforeAll } from 'vitest'
import { restOf } from '../support/both-interfaces.ts'
import { type Body, unique } from '../support/fixtures/fixture.ts'
import { prepaid } from '../support/fixtures/prepaid.ts'
import { type Stack, startStack } from '../support/stack.ts'

export const INFO = 'rechargeTransaction.rechargeInfo'

export let stack: Stack

export let token: string

export const money = (amount: number) => ({ amount, currency: 'OMR', description: 'Top-up' })

export const recharge = (rechargeInfo: unknown, mobileNumber = '96892000001'): Body => ({
  rechargeTransaction: {
    clientCorrelatorId: unique(),
    referenceCode: unique(),
    mobileNumber,
    ...(rechargeInfo !== undefined && { rechargeInfo }),
  },
})

export const nested = (amount: number, mobileNumber?: string) =>
  recharge({ rechargeInformation: money(amount) }, mobileNumber)

export const flat = (amount: number, mobileNumber?: string) => recharge(money(amount), mobileNumber)

export const post = (body: Body, as = token) => restOf(stack)('POST', prepaid.path, { token: as, body })

/** Starts the stack before the file's tests. */
export const useRecharges = () => {
  beforeAll(async () => {
    stack = await startStack()
    token = await stack.token()
  })
  afterAll(() => stack[Symbol.asyncDispose]())
}
