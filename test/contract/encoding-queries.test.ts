/** Query strings are percent-encoded UTF-8, read strictly (docs/decisions.md, "Values"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange, requestText } from '#test/core/http/raw.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { createRest } from '../support/rest.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '../support/subgraph.ts'
import { cases, messageOf, percentEncoded, WRONG } from './encoding.ts'

let stack: Stack
let token: string
let port: LoneSubgraph
beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'silent' } })
  port = await serveSubgraph(stack.app, 'postpaid-billing')
  token = await stack.token()
})
afterAll(async () => {
  await port?.[Symbol.asyncDispose]()
  await stack?.[Symbol.asyncDispose]()
})

const [payment] = FIXTURES

type ParameterDoor = readonly [path: string, parameter: string, code: string, at?: () => string]

const INQUIRY = '/postpaid-billing/v1/customers'
const QUERIES: readonly ParameterDoor[] = [
  ...READABLE.map(({ path }) => [path, 'clientCorrelatorId', 'OUT_OF_RANGE'] as const),
  ...['fromDate', 'toDate', 'page', 'perPage', 'seek'].map(
    name => [payment!.path, name, 'OUT_OF_RANGE'] as const,
  ),
  ...['phoneNumber', 'fixedlineNumber', 'internetAccount', 'customerAccountNumber'].map(
    name => [INQUIRY, name, 'INVALID_ARGUMENT'] as const,
  ),
  ['/exports/timeline.csv', 'text', 'INVALID_ARGUMENT'],
  ['/graphql', 'query', 'INVALID_ARGUMENT'],
  ['/graphql/stream', 'query', 'INVALID_ARGUMENT'],
  ['/graphql', 'query', 'INVALID_ARGUMENT', () => port.address],
]

it.each(cases(QUERIES).map(([what, [path, name, ...rest]]) => [what, path, name, ...rest] as const))(
  'ENCODING-07 MUST be refused by name in a query: %s, %s?%s',
  async (what, path, name, code, at) => {
    const address = (at ?? (() => stack.address))()
    const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': '1' }
    const response = await fetch(`${address}${path}?${name}=a${percentEncoded(WRONG[what]!)}`, { headers })
    expect(response.status).toBe(400)
    const body = (await response.json()) as {
      code?: string
      errors?: { message: string; extensions: { code: string } }[]
    }
    expect(body.code ?? body.errors?.[0]?.extensions.code).toBe(code)
    expect(messageOf(body)).toContain(`${name} must be percent-encoded UTF-8`)
  },
)

it('ENCODING-08 MUST refuse a query whose bytes are not percent-encoded', async () => {
  const line = `GET ${payment!.path}?clientCorrelatorId=\u00e9`
  const text = requestText(line, { authorization: `Bearer ${token}`, connection: 'close' })
  expect((await exchange(stack.address, Buffer.from(text, 'latin1'))).status).toBe(400)
})

describe('a query', () => {
  const list = (query: string) =>
    fetch(`${stack.address}${payment!.path}?${query}`, { headers: { authorization: `Bearer ${token}` } })

  it('ENCODING-10 MAY hold in a parameter that is ignored what is not UTF-8', async () => {
    expect((await list('surprise=%E9')).status).toBe(200)
    expect((await list('clientCorrelatorId=none&fromDate=%E9')).status).toBe(200)
  })

  it('ENCODING-11 MUST find what was posted under a correlator of any script', async () => {
    const correlator = 'فاتورة 100% +é'
    const body = withField(payment!.body(), payment!.correlator, correlator)
    const { status } = await createRest(stack.address)('POST', payment!.path, { token, body })
    expect(status).toBe(201)
    const found = await list(`clientCorrelatorId=${encodeURIComponent(correlator)}`)
    expect(await found.json()).toHaveLength(1)
    // As browsers write it: blanks as plus, a percent sign that begins no code as it is.
    const asForm = encodeURIComponent(correlator).replaceAll('%20', '+').replace('%25', '%')
    expect(await (await list(`clientCorrelatorId=${asForm}`)).json()).toHaveLength(1)
  })
})
