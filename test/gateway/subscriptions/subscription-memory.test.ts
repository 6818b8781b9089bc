import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { SubscriptionMemory } from '#gateway/subscriptions/subscription-memory.ts'

const LIMITS = { perOwner: 24_000, inAll: 30_000 }
/** Its text alone takes 16,000 bytes. */
const large = () => parse(`subscription { paymentEvents { cursor } } # ${'x'.repeat(8_000)}`)
test('MEMORY-01 a client holds operations up to its limit, all clients together up to theirs', () => {
  const memory = new SubscriptionMemory(LIMITS)
  const leave = memory.enter('one', large(), {})
  expect(() => memory.enter('one', large(), {})).toThrow(/as large as may be/)
  expect(() => memory.enter('two', large(), {})).toThrow(/as large as may be/)
  leave()
  const other = memory.enter('two', large(), {})
  other()
  memory.enter('one', large(), {})
})

test('MEMORY-02 a document that runs often is held once, until the last has ended', () => {
  const memory = new SubscriptionMemory(LIMITS)
  const document = large()
  const leaves = Array.from({ length: 50 }, () => memory.enter('one', document, {}))
  for (const leave of leaves.slice(1)) leave()
  expect(() => memory.enter('one', large(), {})).toThrow()
  leaves[0]!()
  memory.enter('one', large(), {})
})

test('MEMORY-03 variables are held by each, and a subscription that is refused leaves nothing', () => {
  const memory = new SubscriptionMemory(LIMITS)
  const variables = { text: 'y'.repeat(6_000) }
  expect(() => memory.enter('one', large(), variables)).toThrow()
  memory.enter('one', large(), {})
})
