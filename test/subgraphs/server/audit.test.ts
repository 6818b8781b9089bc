/** GraphQL over HTTP at a subgraph's own port: graphql-http's audits, and what is refused before it costs anything. */
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGraph } from '../../support/graph.ts'
import { type LoneSubgraphs, startSubgraphs } from '../../support/subgraph.ts'

let subgraphs: LoneSubgraphs
let url: string
let token: string

beforeAll(async () => {
  subgraphs = await startSubgraphs(['postpaid-billing'])
  url = `${subgraphs.of('postpaid-billing').address}/graphql`
  token = await subgraphs.token()
})
afterAll(() => subgraphs?.[Symbol.asyncDispose]())

const withToken = (address: string, init: RequestInit = {}) =>
  fetch(address, { ...init, headers: { authorization: `Bearer ${token}`, ...(init.headers as object) } })

const post = (body: unknown, headers: Record<string, string> = {}) =>
  withToken(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const get = (query: string) => withToken(`${url}?query=${encodeURIComponent(query)}`)

const errorOf = async (response: Response) => {
  const { data, errors } = (await response.json()) as { data?: unknown; errors: { extensions: unknown }[] }
  return { data, extensions: errors[0]!.extensions }
}

const refused = (status: number, code: string) => ({
  data: undefined,
  extensions: { code, http: { status } },
})

const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ')

describe('graphql-http', () => {
  it.each(serverAudits({ url: () => url, fetchFn: withToken }))('$id $name', async ({ fn }) => {
    const result = await fn()
    expect(result.status, 'reason' in result ? result.reason : '').not.toBe('error')
  })
})

describe('requests', () => {
  it('SUBGRAPH-HTTP-01 MUST answer queries by GET and POST with 200, whatever became of their fields', async () => {
    expect(await (await get('{ __typename }')).json()).toEqual({ data: { __typename: 'Query' } })
    const response = await post({ query: '{ customer { customerName } me: __typename }' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      data: { customer: null, me: 'Query' },
      errors: [{ extensions: { code: 'CARRIER_BILLING.PHONE_NUMBER_REQUIRED', http: { status: 403 } } }],
    })
  })

  it('SUBGRAPH-HTTP-02 MUST refuse mutations by GET', async () => {
    const response = await get('mutation { __typename }')
    expect(response.status).toBe(405)
    expect(await errorOf(response)).toMatchObject(refused(405, 'INVALID_ARGUMENT'))
  })

  it.each([
    ['an unknown field', { query: '{ nothing }' }],
    ['a text that is no operation', { query: '{' }],
    ['a missing query', {}],
    ['a query that is no text', { query: 7 }],
    ['an operation that is not named', { query: 'query A { __typename } query B { __typename }' }],
    ['variables that do not fit', { query: 'query ($n: Int!) { payments(first: $n) { totalCount } }' }],
    ['a subscription', { query: 'subscription { paymentEvents { cursor } }' }],
    ['a batch', [{ query: '{ __typename }' }]],
    ['malformed JSON', '{"query":'],
    ['a body over 1 MiB', { query: `{ __typename } # ${'x'.repeat(1024 * 1024)}` }],
  ])("SUBGRAPH-HTTP-03 MUST refuse %s in the catalogue's words", async (_, body) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject(refused(400, 'INVALID_ARGUMENT'))
  })

  it('SUBGRAPH-HTTP-04 MUST put the correlator on every answer', async () => {
    const response = await post({ query: '{ __typename }' }, { 'x-correlator': 'c-1' })
    expect(response.headers.get('x-correlator')).toBe('c-1')
  })

  it('SUBGRAPH-HTTP-05 MUST serve its REST paths, the keys and its health beside it', async () => {
    const { address } = subgraphs.of('postpaid-billing')
    const list = await withToken(`${address}/postpaid-billing/v1/payments`)
    expect([list.status, await list.json()]).toEqual([200, expect.any(Array)])
    for (const path of ['/health/live', '/health/ready', '/metrics', '/.well-known/jwks.json'])
      expect((await fetch(address + path)).status, path).toBe(200)
  })

  it("SUBGRAPH-HTTP-06 MUST not serve another service's REST paths", async () => {
    const { address } = subgraphs.of('postpaid-billing')
    expect((await withToken(`${address}/prepaid/v1/recharges`)).status).toBe(404)
  })
})

/** Each more than four times what the gateway lets through, or longer than it would write. */
const NESTED =
  '{ payments(first: 200) { nodes { customer { payments(first: 200) { nodes { customer { customerName payments(first: 10) { nodes { id } } } } } } } } }'
const ENTITIES =
  'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Customer { payments(first: 200) { nodes { paymentId outcome } } } } }'
const customers = (count: number) =>
  Array.from({ length: count }, () => ({ __typename: 'Customer', customerAccountNumber: '100001' }))

describe('limits', () => {
  const graph = (query: string, variables?: object) =>
    createGraph(url.replace('/graphql', ''))(query, { token, variables })

  it('SUBGRAPH-LIMITS-01 MUST refuse what can come to too many fields', async () => {
    const { status, data, errors } = await graph(NESTED)
    expect([status, data]).toEqual([400, undefined])
    expect(errors[0]!.message).toContain('more than 200000 fields')
  })

  it('SUBGRAPH-LIMITS-02 MUST count entities by the number of representations', async () => {
    expect((await graph(ENTITIES, { r: customers(200) })).errors).toEqual([])
    const { status, errors } = await graph(ENTITIES, { r: customers(2_000) })
    expect(status).toBe(400)
    expect(errors[0]!.message).toContain('more than 200000 fields')
  })

  it('SUBGRAPH-LIMITS-03 MUST refuse more than 10,000 tokens', async () => {
    const { status, errors } = await graph(`{ ${repeat(10_100, () => '__typename')} }`)
    expect(status).toBe(400)
    expect(errors[0]!.message).toContain('10000 tokens')
  })

  it('SUBGRAPH-LIMITS-04 MUST take a fetch longer than what the gateway takes from clients', async () => {
    const { errors } = await graph(`{ ${repeat(900, index => `a${index}: __typename`)} }`)
    expect(errors).toEqual([])
  })
})
