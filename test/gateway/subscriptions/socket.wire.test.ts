/** Subscriptions over WebSocket: what is refused, what else goes over the socket, and who leaves. */

import { describe, expect, test } from 'vitest'
import { payment } from '#test/core/webhooks/support.ts'
import { createGraph } from '../../support/graph.ts'
import { SEPARATE } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'
import { listening, open, PAYMENTS, partner, stack, useClients } from './clients.ts'

useClients()

describe('what is refused', () => {
  const refusal = async (query: string, variables?: Record<string, unknown>) => {
    using socket = open(partner)
    using events = socket.subscribe(query, variables)
    return (await events.ended) as { message: string; extensions: { code: string } }[]
  }
  const deep = (levels: number): string =>
    levels === 0 ? 'id' : `customer { payments { nodes { ${deep(levels - 1)} } } }`

  test.each([
    ['a syntax error', 'subscription {'],
    ['an unknown field', 'subscription { paymentEvents { nothing } }'],
    ['more than one root field', 'subscription { a: paymentEvents { cursor } b: paymentEvents { cursor } }'],
    ['a wrong variable', PAYMENTS, { filter: { eventTypes: ['NO_SUCH'] } }],
    ['a cursor of another kind', PAYMENTS, { after: 'bjE6MQ' }],
    ['a cursor that was not given yet', PAYMENTS, { after: Buffer.from('e1:999999').toString('base64url') }],
    ['an id that is none', PAYMENTS, { filter: { paymentId: 'x' } }],
    ['a selection that is too deep', `subscription { paymentEvents { payment { ${deep(6)} } } }`],
    [
      'too many aliases',
      `subscription { paymentEvents { ${Array.from({ length: 40 }, (_, i) => `a${i}: cursor`).join(' ')} } }`,
    ],
    ['too many tokens', `subscription { paymentEvents { ${'cursor '.repeat(2_100)} } }`],
  ] as [string, string, Record<string, unknown>?][])(
    'SUB-09 %s, with INVALID_ARGUMENT',
    async (_, query, variables) => {
      const [error] = await refusal(query, variables)
      expect(error!.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', http: { status: 400 } })
    },
  )

  test.each([
    ['a syntax error', '{ me {'],
    ['an unknown field', '{ me {\n  nothing\n} }'],
    ['a wrong literal', 'subscription { paymentEvents(filter: { mobileNumber: "x" }) { cursor } }'],
    ['a wrong variable', 'query ($n: PhoneNumber!) { subscriber(mobileNumber: $n) { kind } }', { n: 'x' }],
  ] as [string, string, Record<string, unknown>?][])(
    'SUB-16 %s, with the error that HTTP has, its location included',
    async (_, query, variables) => {
      const { errors } = await createGraph(stack.address)(query, {
        token: partner,
        ...(variables && { variables }),
      })
      expect(errors[0]!.locations).toHaveLength(1)
      expect(await refusal(query, variables)).toEqual(errors)
    },
  )

  test('SUB-17 what its subgraph refuses, with the location of the field in the client’s own text', async () => {
    const [error] = await refusal('subscription {\n  mine: paymentEvents(after: "x") { cursor }\n}')
    expect(error).toMatchObject({ path: ['mine'], locations: [{ line: 2, column: 3 }] })
  })

  test('SUB-10 a subscription over plain HTTP, with words that say where to go', async () => {
    const { errors, status } = await createGraph(stack.address)('subscription { paymentEvents { cursor } }', {
      token: partner,
    })
    expect(status).toBe(400)
    expect(errors[0]!.message).toContain('WebSocket')
  })

  test.each([
    ['SUB-11 no token closes with 4401', undefined, 4401],
    ['SUB-12 a wrong token closes with 4403', { Authorization: 'Bearer wrong' }, 4403],
  ])('%s', async (_, params, code) => {
    using socket = connect(stack.address, params)
    expect((await socket.closed).code).toBe(code)
  })

  test('SUB-13 an upgrade anywhere else is refused', async () => {
    using socket = connect(`${stack.address}/elsewhere`, bearer(partner))
    expect(await socket.closed).toBeDefined()
  })
})

test('SUB-14 queries and mutations go over the same socket, with the same errors', async () => {
  using socket = open(partner)
  using me = socket.subscribe('{ me { id role } }')
  expect((await me.next()).data).toEqual({ me: { id: 'demo-partner', role: 'partner' } })
  using created = socket.subscribe(
    'mutation ($input: CreateBillPaymentInput!) { createPayment(input: $input) { outcome } }',
    { input: payment('100001') },
  )
  expect((await created.next()).data).toEqual({ createPayment: { outcome: 'PENDING' } })
  using refused = socket.subscribe(
    'mutation ($input: CreateBillPaymentInput!) { createPayment(input: $input) { outcome } }',
    { input: payment('999999') },
  )
  expect(await refused.next()).toMatchObject({ errors: [{ extensions: { code: 'INVALID_ARGUMENT' } }] })
})

test('SUB-15 a client that leaves is forgotten at once, and the feed rests when nobody listens', async () => {
  const before = stack.listeners()
  using socket = open(partner)
  const events = [1, 2, 3].map(() => socket.subscribe('subscription { paymentEvents { cursor } }'))
  // They want the same, so a gateway before other processes follows once for them.
  await listening(before + (SEPARATE ? 1 : 3))
  for (const one of events) one[Symbol.dispose]()
  await listening(before)
})
