/** Customers as a token that is bound to a number sees them, by every way through the graph (docs/decisions.md, "Who sees what"). */
import type { GraphQLSchema } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit, auditServices } from '../support/audit.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { introspect, ownedIn, queriesFrom } from '../support/entity-paths.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

const NUMBER = '96891000008'
const ACCOUNT = '100008'
const ROLES = ['partner', 'portal', 'analyst'] as const

let stack: Stack
let schema: GraphQLSchema
/** Of the partner before it was bound: what it posted concerns other customers. */
let unbound: string
/** By role, of tokens that are bound. */
const bound: Record<string, string> = {}
/** One transaction of each service, on another customer. */
const ids: Record<string, string> = {}
/** The bound number's own message. */
let ownMessage: string

const sms = (recipient: string) => ({
  sender: 'SHOP',
  recipient,
  smsText: 'Hello',
  clientCorrelatorId: recipient,
})

const boundToken = async (id: string) => {
  const record = (await stack.app.access.clients.find(id))!
  return stack.app.access.issuer!.issue({ ...record, phoneNumber: NUMBER })
}

beforeAll(async () => {
  stack = await startStack()
  unbound = await stack.token({ id: 'shop', role: 'partner', dummyCards: true })
  for (const { name, path, idField, body } of FIXTURES) {
    const created = await restOf(stack)('POST', path, { token: unbound, body: body() })
    ids[name] = created.body[idField]
  }
  const path = FIXTURES.find(({ name }) => name === 'messaging')!.path
  ownMessage = (await restOf(stack)('POST', path, { token: unbound, body: sms(NUMBER) })).body
    .otlTransactionId
  await stack.settled()
  await stack.token({ id: 'desk', role: 'portal' })
  await stack.token({ id: 'eye', role: 'analyst' })
  bound['partner'] = await boundToken('shop')
  bound['portal'] = await boundToken('desk')
  bound['analyst'] = await boundToken('eye')
  schema = await introspect(graphOf(stack), unbound)
})
afterAll(() => stack[Symbol.asyncDispose]())

const foreignIn = (data: unknown) =>
  ownedIn(data).filter(
    ({ mobileNumber, customerAccountNumber }) =>
      mobileNumber !== `+${NUMBER}` && customerAccountNumber !== ACCOUNT,
  )

const ask = (role: string, query: string) => graphOf(stack)(query, { token: bound[role] })

const rootOf = ({ single, idField, name }: ServiceFixture) => `${single}(${idField}: "${ids[name]}")`

auditServices('GRAPH-VISIBLE', FIXTURES, [
  [
    '01',
    'MUST show a bound partner nobody else through its own transactions, by any field of the schema',
    async fixture => {
      const queries = [...queriesFrom(schema, fixture.single, rootOf(fixture))]
      expect(queries.length).toBeGreaterThan(3)
      for (const query of queries) {
        const { data, errors } = await ask('partner', query)
        expect([foreignIn(data), errors], query).toEqual([[], []])
        expect(data[fixture.single], query).not.toBeNull()
      }
      const all = await graphOf(stack)(queries[0]!, { token: unbound })
      expect(foreignIn(all.data)).not.toEqual([])
    },
  ],
  [
    '02',
    "MUST show a bound portal or analyst no transaction of another's, by id, in lists, or in the graph's lists",
    async fixture => {
      for (const role of ['portal', 'analyst']) {
        for (const root of [rootOf(fixture), `transaction(id: "${ids[fixture.name]}")`]) {
          const { data, errors } = await ask(role, `{ found: ${root} { id kind } }`)
          expect([data, errors], root).toEqual([{ found: null }, []])
        }
        const { data } = await ask(role, `{ ${fixture.list} { totalCount nodes { id } } }`)
        const own = fixture.name === 'messaging' ? [{ id: ownMessage }] : []
        expect(data[fixture.list].totalCount).toBe(data[fixture.list].nodes.length)
        expect(JSON.stringify(data)).not.toContain(ids[fixture.name])
        expect(data[fixture.list].nodes).toEqual(expect.arrayContaining(own))
      }
    },
  ],
])

auditServices('REST-VISIBLE', READABLE, [
  [
    '02',
    "MUST narrow a bound portal's and analyst's lists to its number, page by page, and answer 404 to another's id",
    async ({ path, name, idField }) => {
      for (const role of ['portal', 'analyst']) {
        const token = bound[role]
        expect(await restOf(stack)('GET', `${path}/${ids[name]}`, { token })).toMatchObject({ status: 404 })
        const list = await restOf(stack)('GET', path, { token })
        expect(list.body.map((one: Record<string, string>) => one[idField])).not.toContain(ids[name])
        expect(list.headers.get('x-total-count')).toBe(String(list.body.length))
      }
    },
  ],
])

const LISTS = ['payments', 'recharges', 'messages', 'rewards', 'redemptions', 'timeline', 'events']

it.each(ROLES)(
  'GRAPH-VISIBLE-03 MUST show a bound %s nobody else through any list of the schema',
  async role => {
    for (const list of LISTS)
      for (const query of queriesFrom(schema, list, `${list}(first: 20)`, 3)) {
        const { data, errors } = await ask(role, query)
        expect([foreignIn(data), errors], query).toEqual([[], []])
      }
  },
)

it.each(ROLES)(
  'GRAPH-VISIBLE-04 MUST show a bound %s its own account and nothing of its other numbers',
  async role => {
    const own = await ask(
      role,
      '{ subscriber(mobileNumber: "+96891000008") { active customer { customerName totalDues } } }',
    )
    expect(own).toMatchObject({
      errors: [],
      data: { subscriber: { active: true, customer: { customerName: 'Desert Telemetry' } } },
    })
    for (const query of queriesFrom(schema, 'subscriber', 'subscriber(mobileNumber: "+96891000008")')) {
      const { data, errors } = await ask(role, query)
      expect([foreignIn(data), errors], query).toEqual([[], []])
    }
  },
)

it.each(ROLES)(
  'GRAPH-VISIBLE-05 MUST not tell a bound %s whether a number or an account is there',
  async role => {
    const response = async (query: string) => {
      const { data, errors } = await ask(role, query)
      return { data, errors: errors.map(({ message, extensions }) => [message, extensions.code]) }
    }
    for (const [there, absent] of [
      [
        'subscriber(mobileNumber: "+96891000002") { kind }',
        'subscriber(mobileNumber: "+96899999999") { kind }',
      ],
      [
        'customer(customerAccountNumber: "100002") { customerName }',
        'customer(customerAccountNumber: "999999") { customerName }',
      ],
      [
        'customer(internetAccount: "muna.home@fiber") { customerName }',
        'customer(internetAccount: "nobody@fiber") { customerName }',
      ],
      [
        'messages(filter: { customerAccountNumber: "100002" }) { totalCount }',
        'messages(filter: { customerAccountNumber: "999999" }) { totalCount }',
      ],
    ])
      expect(await response(`{ found: ${there} }`), there).toEqual(await response(`{ found: ${absent} }`))
  },
)

audit('GRAPH-VISIBLE', [
  [
    '06',
    'MUST not tell a bound partner by a filter to whose account a number belongs that it wrote to',
    async () => {
      const query = (account: string) =>
        `{ messages(filter: { customerAccountNumber: "${account}" }) { totalCount } }`
      for (const account of ['100002', '100003', '999999']) {
        const { data, errors } = await ask('partner', query(account))
        expect([data.messages, errors[0]?.extensions.code]).toEqual([
          null,
          'CARRIER_BILLING.INVALID_TOKEN_CONTEXT',
        ])
      }
      expect((await ask('partner', query(ACCOUNT))).data.messages.totalCount).toBe(1)
    },
  ],
  [
    '07',
    "MUST narrow timelines and sums of a bound portal's own account to its number, and its webhooks and events",
    async () => {
      const query = `{ customer { timeline { totalCount nodes: edges { node { transaction { id } } } } summary { count } }
        timeline { totalCount } summary { count } webhookDeliveries { totalCount } events { totalCount } }`
      const { data, errors } = await ask('portal', query)
      expect(errors).toEqual([])
      expect(data).toMatchObject({
        customer: {
          timeline: { nodes: expect.arrayContaining([{ node: { transaction: { id: ownMessage } } }]) },
        },
        webhookDeliveries: { totalCount: 0 },
      })
      expect(data.customer.timeline.totalCount).toBe(data.timeline.totalCount)
      expect(data.customer.summary).toEqual(data.summary)
      const everyone = await graphOf(stack)(
        query.replace('customer {', 'customer(customerAccountNumber: "100008") {'),
        {
          token: await stack.token('demo-portal'),
        },
      )
      expect(everyone.data.webhookDeliveries.totalCount).toBeGreaterThan(0)
    },
  ],
  [
    '08',
    'MUST not let a bound portal redeliver what it may not see',
    async () => {
      const all = await graphOf(stack)('{ webhookDeliveries { nodes { id } } }', {
        token: await stack.token('demo-portal'),
      })
      const [{ id }] = all.data.webhookDeliveries.nodes
      const { errors } = await ask('portal', `mutation { redeliverWebhook(deliveryId: "${id}") { id } }`)
      expect(errors[0]!.extensions.code).toBe('NOT_FOUND')
    },
  ],
])
