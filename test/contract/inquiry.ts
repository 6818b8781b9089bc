/** Shared by the tests of inquiry and search: a stack and tokens. */

import { afterAll, beforeAll } from 'vitest'
import { type Stack, startStack } from '../support/stack.ts'

export let stack: Stack

export let token: string

export let bound: string

export type Found = { account: string } | { status: number; code: string; says?: string }

export const found = (account: string): Found => ({ account })

/** Starts the stack before the file's tests. */
export const useInquiries = () => {
  beforeAll(async () => {
    stack = await startStack()
    token = await stack.token()
    bound = await stack.token({ id: 'bound-inquirer', role: 'partner', phoneNumber: '96891000003' })
  })
  afterAll(() => stack[Symbol.asyncDispose]())
}
