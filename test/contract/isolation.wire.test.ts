/** Isolation: a partner sees its own, portal and analyst everything (docs/decisions.md, "Identity and access"). */
import { afterAll, beforeAll, expect } from 'vitest'
import { audit, auditInterfaces, auditServices } from '../support/audit.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { fieldOf } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { type ServiceFixture, WEBHOOK } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

const OWN = 'own-partner'
const OTHER = 'other-partner'
const READERS = ['demo-portal', 'demo-analyst']

let stack: Stack
const tokens: Record<string, string> = {}
/** One transaction of each service, by the first partner. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  stack = await startStack()
  for (const id of [OWN, OTHER])
    tokens[id] = await stack.token({ id, role: 'partner', name: `Name of ${id}`, dummyCards: true })
  for (const id of READERS) tokens[id] = await stack.token(id)
  for (const { name, path, idField, body } of FIXTURES) {
    const created = await restOf(stack)('POST', path, { token: tokens[OWN], body: body() })
    ids[name] = created.body[idField]
  }
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

const ask = (client: string, query: string) => graphOf(stack)(query, { token: tokens[client] })
const byId = ({ single, idField, name }: ServiceFixture, fields: string) =>
  `{ ${single}(${idField}: "${ids[name]}") { ${fields} } }`
const numberOf = ({ body, phone }: ServiceFixture) => `+${fieldOf(body(), phone)}`

/** Ways through the graph to a service's transactions, as paths of the ids found. */
const waysTo = ({ list, idField }: ServiceFixture, number: string) => {
  const found = `${list} { totalCount nodes { ${idField} } edges { node { id } } }`
  return [
    `{ ${found} }`,
    `{ subscriber(mobileNumber: "${number}") { ${found} } }`,
    `{ subscriber(mobileNumber: "${number}") { customer { subscribers { ${found} } } } }`,
    `{ customer(phoneNumber: "${number}") { lines { subscriber { ${found} } } } }`,
  ]
}

auditServices('REST-ISOLATION', READABLE, [
  [
    '01',
    'MUST answer 404 to another partner who asks by id, as if it were absent',
    async ({ path, name }) => {
      const get = (id: string) => restOf(stack)('GET', `${path}/${id}`, { token: tokens[OTHER] })
      const [foreign, absent] = [await get(ids[name]!), await get(ids[name]!.replace(/.$/, 'f'))]
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      const shape = (text: string) => text.replace(/[0-9a-f-]{36}/, '<id>')
      expect(shape(foreign.text)).toBe(shape(absent.text))
    },
  ],
  [
    '02',
    "MUST leave it out of another partner's lists, also by correlator",
    async ({ path, name, correlator }) => {
      const rest = restOf(stack)
      const own = await rest('GET', `${path}/${ids[name]}`, { token: tokens[OWN] })
      for (const query of ['', `?clientCorrelatorId=${fieldOf(own.body, correlator)}`]) {
        const other = await rest('GET', path + query, { token: tokens[OTHER] })
        expect(other).toMatchObject({ status: 200, body: [] })
        expect(other.headers.get('x-total-count')).toBe('0')
      }
    },
  ],
  [
    '03',
    'MUST show a portal and an analyst everything',
    async ({ path, name, idField }) => {
      for (const client of READERS) {
        const token = tokens[client]
        const one = await restOf(stack)('GET', `${path}/${ids[name]}`, { token })
        expect(one).toMatchObject({ status: 200, body: { [idField]: ids[name] } })
        const all = await restOf(stack)('GET', path, { token })
        expect(all.body.map((row: Record<string, string>) => row[idField])).toContain(ids[name])
        expect(all.headers.get('x-total-count')).toBe(String(all.body.length))
      }
    },
  ],
  [
    '04',
    'MUST echo the webhook without its token, and not to an analyst',
    async ({ path, name }) => {
      const webhook = { notificationUrl: WEBHOOK.notificationUrl }
      for (const client of [OWN, 'demo-portal', 'demo-analyst']) {
        const { body } = await restOf(stack)('GET', `${path}/${ids[name]}`, { token: tokens[client] })
        expect(body.webhook).toEqual(client === 'demo-analyst' ? undefined : webhook)
        const list = await restOf(stack)('GET', path, { token: tokens[client] })
        const listed = list.body.find((row: object) => Object.values(row).includes(ids[name]))
        expect(listed.webhook).toEqual(client === 'demo-analyst' ? undefined : webhook)
      }
    },
  ],
])

auditServices('GRAPH-ISOLATION', FIXTURES, [
  [
    '01',
    'MUST answer null, without an error, to another partner who asks by id',
    async fixture => {
      const { data, errors } = await ask(OTHER, byId(fixture, 'id'))
      expect({ data, errors }).toEqual({ data: { [fixture.single]: null }, errors: [] })
    },
  ],
  [
    '02',
    'MUST find nothing of another partner, by whatever way through the graph',
    async fixture => {
      for (const query of waysTo(fixture, numberOf(fixture))) {
        const { data, errors } = await ask(OTHER, query)
        expect(errors, query).toEqual([])
        expect(JSON.stringify(data)).not.toContain(ids[fixture.name])
        expect(JSON.stringify(data)).not.toMatch(/"totalCount":[1-9]/)
      }
    },
  ],
  [
    '03',
    'MUST find it for its own partner, a portal and an analyst, by every way through the graph',
    async fixture => {
      for (const client of [OWN, ...READERS]) {
        for (const query of waysTo(fixture, numberOf(fixture))) {
          const { data, errors } = await ask(client, query)
          expect(errors, query).toEqual([])
          expect(JSON.stringify(data)).toContain(ids[fixture.name])
          expect(JSON.stringify(data)).toMatch(client === OWN ? /"totalCount":1\D/ : /"totalCount":[1-9]/)
        }
      }
    },
  ],
  [
    '04',
    'MUST tell who posted it to a portal and an analyst alone',
    async fixture => {
      for (const client of READERS) {
        const { data } = await ask(client, byId(fixture, 'postedBy { id name }'))
        expect(data[fixture.single].postedBy).toEqual({ id: OWN, name: `Name of ${OWN}` })
      }
      const { data, errors } = await ask(OWN, byId(fixture, 'id postedBy { id }'))
      expect(data[fixture.single]).toEqual({ id: ids[fixture.name], postedBy: null })
      expect(errors).toMatchObject([
        { path: [fixture.single, 'postedBy'], extensions: { code: 'PERMISSION_DENIED' } },
      ])
    },
  ],
  [
    '05',
    'MUST keep the webhook from an analyst, with an error for that field and the rest answered',
    async fixture => {
      for (const client of [OWN, 'demo-portal']) {
        const { data } = await ask(client, byId(fixture, 'webhook { notificationUrl }'))
        expect(data[fixture.single].webhook).toEqual({ notificationUrl: WEBHOOK.notificationUrl })
      }
      const { status, data, errors } = await ask(
        'demo-analyst',
        byId(fixture, 'id webhook { notificationUrl }'),
      )
      expect(status).toBe(200)
      expect(data[fixture.single]).toEqual({ id: ids[fixture.name], webhook: null })
      expect(errors).toMatchObject([
        { path: [fixture.single, 'webhook'], extensions: { code: 'PERMISSION_DENIED' } },
      ])
    },
  ],
])

auditInterfaces('ISOLATION', FIXTURES, [
  [
    '10',
    "MUST not tell one partner of another's correlator",
    async (fixture, api) => {
      const body = fixture.body()
      expect(await api.create(stack, fixture, tokens[OWN]!, body)).toMatchObject({ status: 201 })
      expect(await api.create(stack, fixture, tokens[OTHER]!, body)).toMatchObject({ status: 201 })
    },
  ],
])

audit('GRAPH-ISOLATION', [
  [
    '20',
    "MUST hide another partner's payments of a customer",
    async () => {
      const query =
        '{ customer(customerAccountNumber: "100003") { payments { totalCount nodes { paymentId } } } }'
      const { data: own } = await ask('demo-portal', query)
      expect(own.customer.payments.nodes.map((one: { paymentId: string }) => one.paymentId)).toContain(
        ids['postpaid-billing'],
      )
      const { data } = await ask(OTHER, query)
      expect(JSON.stringify(data)).not.toContain(ids['postpaid-billing'])
    },
  ],
])
