/** The supergraph and the subgraphs as they are, under another federation router: the same answers as by our gateway. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { createGateway } from '../support/separate.ts'
import { type LoneSubgraphs, startSubgraphs } from '../support/subgraph.ts'
import { bearer, connect } from '../support/subscribe.ts'
import { type Hive, startHive } from './hive.ts'

const CUSTOMER_360 = readFileSync(
  join(import.meta.dirname, '../../schema/operations/customer-360.graphql'),
  'utf8',
)

const NEWS = `subscription ($after: String) { transactionEvents(after: $after) {
  cursor eventid kind eventType
  transaction {
    id transactionOperationStatus
    subscriber { mobileNumber pointsBalance prepaidBalance { value } }
    ... on Payment { amount { value currency } customer { customerName totalDues } }
  } } }`

const NAMES = SERVICES.map(({ name }) => name)

let subgraphs: LoneSubgraphs
let gateway: Awaited<ReturnType<typeof createGateway>>
let urls: Record<string, string>
let ours: string

beforeAll(async () => {
  subgraphs = await startSubgraphs(NAMES)
  urls = Object.fromEntries(NAMES.map(name => [name, `${subgraphs.of(name).address}/graphql`]))
  const { app } = subgraphs
  const subgraphUrls = new Map(Object.entries(urls).map(([name, url]) => [name, url]))
  gateway = await createGateway({ ...app, config: { ...app.config, subgraphUrls } })
  ours = await gateway.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await gateway?.stop()
  await subgraphs?.[Symbol.asyncDispose]()
})

// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
type Answer = { data?: any; errors?: unknown[] }

const ask = async (address: string, token: string, query: string, variables = {}): Promise<Answer> => {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.json()) as Answer
}

/** Both routers show the events that the demo's history left, replayed from the log's beginning. */
const replay = async (address: string, token: string, count: number) => {
  using socket = connect(address, bearer(token))
  using events = socket.subscribe(NEWS, { after: Buffer.from('e1:0').toString('base64url') })
  return (await events.take(count)).map(({ data, errors }) => ({ data, errors }))
}

describe.each([
  ['default planner', {}],
  ['compiled planner', { HIVE_ROUTER_RUNTIME: '1' }],
] as const)('Hive Gateway, %s', (_, env) => {
  let hive: Hive
  beforeAll(async () => {
    hive = await startHive(urls, env)
  })
  afterAll(() => hive?.[Symbol.asyncDispose]())

  it.each(['+96891000002', '+96892000001', '+96890000000'])(
    "PORT-01 MUST answer the analyst's query as our gateway does: %s",
    async n => {
      const token = await subgraphs.token('demo-analyst')
      const expected = await ask(ours, token, CUSTOMER_360, { n })
      expect(expected).toHaveProperty('data')
      expect(await ask(hive.address, token, CUSTOMER_360, { n })).toEqual(expected)
    },
  )

  it('PORT-02 MUST bring the same events, each with what other subgraphs know of it', async () => {
    const token = await subgraphs.token('demo-portal')
    const expected = await replay(ours, token, 20)
    expect(expected.flatMap(({ errors = [] }) => errors)).toEqual([])
    expect(await replay(hive.address, token, 20)).toEqual(expected)
  })

  it("PORT-03 MUST see no more of others' transactions than our gateway lets see", async () => {
    const portal = await subgraphs.token('demo-portal')
    const { data } = await ask(ours, portal, '{ payments(first: 1) { nodes { paymentId } } }')
    const [{ paymentId }] = data.payments.nodes
    const stranger = await subgraphs.token('demo-partner')
    const query = `{ payment(paymentId: "${paymentId}") { id } }`
    expect(await ask(hive.address, stranger, query)).toEqual({ data: { payment: null } })
  })
})
