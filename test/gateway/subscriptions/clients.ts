/** A stack and subscribers for the tests of subscriptions. */

import { afterAll, beforeAll, expect, vi } from 'vitest'
import { pay } from '#test/core/webhooks/support.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'

export let stack: Stack

export let partner: string

export let other: string

export let portal: string

export const open = (token: string) => connect(stack.address, bearer(token))

export const listening = (count: number) =>
  vi.waitFor(() => expect(stack.listeners()).toBe(count), { interval: 5, timeout: 10_000 })

export const PAYMENTS = `subscription ($after: String, $filter: PaymentEventFilter) {
  paymentEvents(after: $after, filter: $filter) { cursor eventDetail { paymentId } } }`

/** Starts the stack before the file's tests. */
export const useClients = () => {
  beforeAll(async () => {
    stack = await startStack()
    partner = await stack.token('demo-partner')
    other = await stack.token('demo-partner-2')
    portal = await stack.token('demo-portal')
    await pay(stack, partner)
    await pay(stack, other)
    await stack.settled()
  })
  afterAll(() => stack?.[Symbol.asyncDispose]())
}
