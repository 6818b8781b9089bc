/** Faults of clients are reported as theirs, never as the server's, and are never logged as such. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGraph, type Graph } from '#test/support/graph.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '#test/support/subgraph.ts'

const logLines: string[] = []
let stack: Stack
let token: string
let graph: Graph
let port: LoneSubgraph
beforeAll(async () => {
  stack = await startStack({ logLines })
  token = await stack.token('demo-portal')
  graph = createGraph(stack.address)
  port = await serveSubgraph(stack.app, 'postpaid-billing')
})
afterAll(async () => {
  await port?.[Symbol.asyncDispose]()
  await stack[Symbol.asyncDispose]()
})

const isTheirFault = ({ errors }: Awaited<ReturnType<Graph>>, message = /./) => {
  expect(errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
  expect(errors[0]!.message).toMatch(message)
  expect(logLines).toEqual([])
}

describe('scalars', () => {
  const LONG = '9'.repeat(400)
  const BEYOND = /Decimal must be a number with at most 15 significant digits/
  const NONE = /Decimal must be a number or its text/
  test.each([
    ['1e400', BEYOND],
    [`-${LONG}`, BEYOND],
    [LONG, BEYOND],
    [`0.${LONG}`, BEYOND],
    ['NaN', NONE],
    ['Infinity', NONE],
    ['1234567890123456', BEYOND],
    ['1e-400', BEYOND],
    [' 1', NONE],
    ['', NONE],
  ])('a Decimal of %s', async (value, says) => {
    const query = 'query ($v: Decimal) { timeline(filter: { minAmount: $v }) { totalCount } }'
    isTheirFault(await graph(query, { token, variables: { v: value } }), says)
    const literal = `{ timeline(filter: { minAmount: ${JSON.stringify(value)} }) { totalCount } }`
    isTheirFault(await graph(literal, { token }), says)
  })

  test.each([
    '300000-01-01T00:00:00Z',
    '+300000-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    8.64e15,
    1e300,
    '2026-02-30T00:00:00Z',
    'x',
  ])('a DateTime of %s', async value => {
    const query = 'query ($v: DateTime) { timeline(filter: { from: $v }) { totalCount } }'
    isTheirFault(await graph(query, { token, variables: { v: value } }), /DateTime must be a date-time/)
  })

  test('the edges of both are served', async () => {
    const query = `query ($a: DateTime!, $z: DateTime!, $d: Decimal) {
      timeline(first: 1, filter: { from: $a, to: $z, minAmount: $d }) { totalCount nodes { kind } }
      summary(from: $a, to: $z, by: MONTH) { count }
      payments(first: 1, filter: { from: $a, to: $z }) { totalCount } }`
    const variables = { a: '0001-01-01T00:00:00Z', z: '9999-12-31T23:59:59.999Z', d: '1e-300' }
    const { data, errors } = await graph(query, { token, variables })
    expect(errors).toEqual([])
    expect(data.timeline.totalCount).toBeGreaterThan(0)
    expect(data.summary.length).toBeGreaterThan(0)
  })
})

test('an amount that is beyond any is no failure of the server', async () => {
  const query = `query ($d: Decimal!) { subscriber(mobileNumber: "+96891000001") {
    rechargeEligibility(amount: $d) { eligible } } timeline(filter: { minAmount: $d }) { totalCount } }`
  for (const d of ['1e300', '-1e300', '1e-300']) {
    const { errors } = await graph(query, { token, variables: { d } })
    expect(errors.map(({ extensions }) => extensions.code)).not.toContain('SERVER_ERROR')
  }
  expect(logLines).toEqual([])
})

describe('entities', () => {
  const ENTITIES = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }'
  test.each<[object, RegExp]>([
    [{ __typename: 'Payment' }, /A Payment must be named by its key, of the right type: paymentId/],
    [{ __typename: 'Payment', paymentId: null }, /paymentId/],
    [{ __typename: 'Payment', paymentId: {} }, /paymentId/],
    [{ __typename: 'Payment', paymentId: ['x'] }, /paymentId/],
    [{ __typename: 'Customer', customerAccountNumber: 5.5 }, /customerAccountNumber/],
    [{ __typename: 'Subscriber', mobileNumber: 96891000001 }, /mobileNumber/],
    [{ __typename: 'Subscriber', mobileNumber: 'x4929#' }, /mobileNumber/],
    [{ __typename: ['Payment'] }, /__typename/],
    [{ __typename: '__proto__' }, /__typename/],
    [[], /__typename/],
  ])('%j', async (representation, message) => {
    const ask = createGraph(port.address)
    const answer = await ask(ENTITIES, { token, variables: { r: [representation] } })
    isTheirFault(answer, message)
    expect(answer.errors[0]!.message).not.toContain('x4929#')
  })

  test('a key that fits is looked up', async () => {
    const ask = createGraph(port.address)
    const r = [{ __typename: 'Customer', customerAccountNumber: '100001' }]
    const { data } = await ask(ENTITIES, { token, variables: { r } })
    expect(data._entities).toEqual([{ __typename: 'Customer' }])
  })
})

describe('persisted queries', () => {
  const query = '{ __typename }'
  const send = async (persistedQuery: unknown, text?: string) => {
    const response = await fetch(`${stack.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: text, extensions: { persistedQuery } }),
    })
    return {
      status: response.status,
      body: (await response.json()) as { errors?: { message: string; extensions: { code: string } }[] },
    }
  }
  const sha256Hash = createHash('sha256').update(query).digest('hex')

  test.each<[string, unknown]>([
    ['a hash of something else', { version: 1, sha256Hash: sha256Hash.replace(/./, 'x') }],
    ['another version', { version: 2, sha256Hash }],
    ['no hash', { version: 1 }],
    ['no object', 5],
  ])('%s', async (_, persisted) => {
    const { status, body } = await send(persisted, query)
    expect(status).toBe(400)
    expect(body.errors![0]!.extensions.code).toBe('INVALID_ARGUMENT')
    expect(logLines).toEqual([])
  })

  test('one that fits', async () => {
    expect((await send({ version: 1, sha256Hash }, query)).body.errors).toBeUndefined()
    expect((await send({ version: 1, sha256Hash })).body.errors).toBeUndefined()
  })
})
