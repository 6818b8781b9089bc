/** Messages name nothing that was not requested with `INTROSPECTION=0`, since the schema is not the client's to read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGraph } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '../../support/subgraph.ts'
import { bearer, connect, subscribeSse } from '../../support/subscribe.ts'

/** Each with a name that is nearly right, and would be suggested. */
const MISSPELT: [what: string, query: string, variables?: object][] = [
  ['a field', '{ paymnts { totalCount } }'],
  ['an argument', '{ payments(frst: 1) { totalCount } }'],
  ['a type', '{ payments { nodes { ... on Paymet { id } } } }'],
  ['a value', '{ payments(orderBy: NEWEST_FRST) { totalCount } }'],
  [
    'a value in a variable',
    'query ($order: TransactionOrder) { payments(orderBy: $order) { totalCount } }',
    { order: 'NEWEST_FRST' },
  ],
  [
    'a field of an input in a variable',
    'query ($filter: TransactionFilter) { payments(filter: $filter) { totalCount } }',
    { filter: { customerAccountNumbr: '1' } },
  ],
]

/** A field of what an interface, or a union, may be. */
const OF_A_TYPE = {
  gateway: '{ transaction(id: "x") { paymentId } }',
  subgraph: '{ _entities(representations: []) { customerName } }',
}

const SUBSCRIPTION =
  'subscription ($types: [EventType!]) { paymentEvents(filter: { eventTypes: $types }) { cursor } }'
const TYPES = { types: ['PAYMENT_COMPLETD'] }

/** A suggestion, or all values that are allowed. */
const MEANT = /Did you mean|must be one of/

/** Whether an error says what was meant, in whichever of its texts. */
const saysWhatWasMeant = (error: object): boolean => MEANT.test(JSON.stringify(error))

describe.each([
  ['INTROSPECTION=1 MUST suggest what was meant by', '1'],
  ['INTROSPECTION=0 MUST suggest nothing for', '0'],
] as const)('GRAPH-LIMITS-14 %s', (_, INTROSPECTION) => {
  const suggests = INTROSPECTION === '1'
  let stack: Stack
  let subgraph: LoneSubgraph
  let token: string
  beforeAll(async () => {
    stack = await startStack({ env: { INTROSPECTION } })
    subgraph = await serveSubgraph(stack.app, 'postpaid-billing')
    token = await stack.token('demo-portal')
  })
  afterAll(async () => {
    await subgraph?.[Symbol.asyncDispose]()
    await stack?.[Symbol.asyncDispose]()
  })

  const addressOf = (place: 'gateway' | 'subgraph') => (place === 'gateway' ? stack : subgraph).address

  describe.each(['gateway', 'subgraph'] as const)('at the %s', place => {
    const cases = [...MISSPELT, ['what only a type has', OF_A_TYPE[place]]] as typeof MISSPELT

    it.each(cases)('%s', async (_, query, variables) => {
      const { status, errors } = await createGraph(addressOf(place))(query, { token, variables })
      expect([status, errors.length]).toEqual([400, 1])
      expect(saysWhatWasMeant(errors[0]!)).toBe(suggests)
    })

    it.each([
      ['a subscription', SUBSCRIPTION.replace('paymentEvents', 'paymentEvent'), {}],
      ['a variable of a subscription', SUBSCRIPTION, TYPES],
    ])('%s over WebSocket', async (_, query, variables) => {
      using socket = connect(addressOf(place), bearer(token))
      using events = socket.subscribe(query, variables)
      const [error] = (await events.ended) as Error[]
      expect(saysWhatWasMeant(error!)).toBe(suggests)
    })
  })

  it('a variable of a subscription over server-sent events', async () => {
    using events = subscribeSse(`${stack.address}/graphql/stream`, token, SUBSCRIPTION, TYPES)
    const { errors } = await events.next()
    expect(saysWhatWasMeant(errors![0]!)).toBe(suggests)
  })

  it('introspection is what the setting says', async () => {
    const { errors } = await createGraph(stack.address)('{ __schema { types { name } } }', { token })
    expect(errors.length === 0).toBe(suggests)
  })
})
