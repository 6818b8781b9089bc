/** GraphQL over HTTP at the gateway: what is refused before it costs anything. */

import { describe, expect, it } from 'vitest'
import { REASONS } from '#core/errors/reasons.ts'
import { SEPARATE } from '../../support/stack.ts'
import { logLines, read, stack, useEndpoint, withToken } from './endpoint.ts'

useEndpoint()

const post = (body: unknown, headers: Record<string, string> = {}) =>
  withToken(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Operations that are too large, each refused before it is planned. */
const repeat = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

const nested = (depth: number) =>
  `{ subscriber(mobileNumber: "+96891000001") { ${repeat(depth, () => 'customer { subscribers {')} kind ${'} }'.repeat(depth)} } }`

/** Fourteen fragments, each naming the next three times. */
const unfolding = `{ me { ...F0 } } ${repeat(14, i => `fragment F${i} on Client { id a: name ${i < 13 ? `...F${i + 1} ... { ...F${i + 1} } ... { ...F${i + 1} }` : ''} }`)}`

const TOO_LARGE: [number: string, what: string, query: string][] = [
  ['01', 'too deep', nested(10)],
  ['02', 'too many aliases', `{ ${repeat(40, index => `a${index}: payments { totalCount }`)} }`],
  ['03', 'too many tokens', `{ ${repeat(2_100, () => '__typename')} }`],
  ['04', 'too many directives', `{ __typename ${repeat(60, () => '@include(if: true)')} }`],
  [
    '05',
    'too costly',
    `{ payments(first: 200) { nodes { customer { payments(first: 200) { nodes { id } } } } } }`,
  ],
  [
    '06',
    'too costly by default sizes alone',
    `{ payments { nodes { customer { payments { nodes { customer { payments { nodes { id } } } } } } } } }`,
  ],
  ['08', 'too large once its fragments unfold', unfolding],
  [
    '07',
    'too costly through a variable',
    `query ($n: Int = 200) { payments(first: $n) { nodes { customer { payments(first: $n) { nodes { id } } } } } }`,
  ],
]

describe('limits', () => {
  it.each(TOO_LARGE)('GRAPH-LIMITS-%s MUST refuse what is %s with INVALID_ARGUMENT', async (_, __, query) => {
    const response = await post({ query })
    const { data, errors } = await read(response)
    expect(response.status).toBe(400)
    expect(data).toBeUndefined()
    const reason = 'INVALID_OPERATION'
    expect(errors[0].extensions).toMatchObject({ code: 'INVALID_ARGUMENT', http: { status: 400 }, reason })
  })

  it('GRAPH-LIMITS-13 MUST say what may have been meant, since the schema may be read', async () => {
    const { errors } = await read(await post({ query: '{ paymnts { totalCount } }' }))
    expect(errors[0].message).toMatch(/Did you mean "payments"/)
  })

  it("GRAPH-LIMITS-10 MUST not mistake a portal's own operation for a large one", async () => {
    const fields = 'totalCount nodes { paymentId transactionOperationStatus amount { value currency } }'
    const query = `{ subscriber(mobileNumber: "+96891000001") { kind customer { customerName payments(first: 5) { ${fields} } } } }`
    expect(await read(await post({ query }))).not.toHaveProperty('errors')
  })

  it('GRAPH-LIMITS-11 MUST answer introspection to every client with a token', async () => {
    const { getIntrospectionQuery } = await import('graphql')
    const response = await post({ query: getIntrospectionQuery() })
    const { data } = await read(response)
    const types = data.__schema.types.map(({ name }: { name: string }) => name)
    expect(types).toEqual(expect.arrayContaining(['Subscriber', 'Customer', 'Payment', 'Transaction']))
    expect(types).not.toEqual(expect.arrayContaining(['_Entity']))
  })

  it('GRAPH-LIMITS-12 MUST refuse entity look-ups, which are between gateway and subgraphs', async () => {
    const query = '{ _entities(representations: []) { __typename } }'
    expect((await post({ query })).status).toBe(400)
  })
})

describe('requests', () => {
  it('GRAPH-HTTP-01 MUST refuse a batch', async () => {
    const response = await post([{ query: '{ __typename }' }, { query: '{ __typename }' }])
    expect(response.status).toBe(400)
    expect(await response.text()).not.toContain('"data"')
  })

  it('GRAPH-HTTP-02 MUST refuse what a browser sends without asking (CSRF)', async () => {
    const url = `${stack.address}/graphql?query=${encodeURIComponent('{ __typename }')}`
    expect((await withToken(url)).status).toBe(400)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await post('{"query":"{ __typename }"}', { 'content-type': type })).status).toBe(400)
  })

  it('GRAPH-HTTP-03 MUST answer queries by GET, and refuse mutations there', async () => {
    const get = (query: string) =>
      withToken(`${stack.address}/graphql?query=${encodeURIComponent(query)}`, {
        headers: { 'apollo-require-preflight': '1' },
      })
    expect(await read(await get('{ __typename }'))).toEqual({ data: { __typename: 'Query' } })
    expect((await get('mutation { __typename }')).status).toBe(405)
  })

  it('GRAPH-HTTP-04 MUST refuse a body over 1 MiB, and malformed JSON', async () => {
    const huge = await post({ query: `{ __typename } # ${'x'.repeat(1024 * 1024)}` })
    expect(huge.status).toBe(400)
    const malformed = await post('{"query":')
    expect(malformed.status).toBe(400)
    expect(await read(malformed)).toMatchObject({
      errors: [{ extensions: { code: 'INVALID_ARGUMENT', reason: 'INVALID_REQUEST' } }],
    })
  })

  it("GRAPH-HTTP-05 MUST answer faults of an operation in the catalogue's words", async () => {
    for (const query of [
      '{ nothing }',
      '{',
      'query A { __typename } query B { __typename }',
      '{ payment { id } }',
    ]) {
      const response = await post({ query })
      const { errors } = await read(response)
      expect(response.status, `${query}: ${errors[0].message}`).toBe(400)
      expect(errors[0].extensions).toMatchObject({ code: 'INVALID_ARGUMENT', http: { status: 400 } })
      expect(REASONS).toHaveProperty(errors[0].extensions.reason)
    }
  })

  it('GRAPH-HTTP-06 MUST answer an executed operation with 200, whatever became of its fields', async () => {
    const response = await post({ query: '{ customer { customerName } me: __typename }' })
    expect(response.status).toBe(200)
    const { data, errors } = await read(response)
    expect(data).toEqual({ customer: null, me: 'Query' })
    expect(errors[0].extensions.code).toBe('CARRIER_BILLING.PHONE_NUMBER_REQUIRED')
  })

  /** Puts a fault into the one process. */
  it.skipIf(SEPARATE)('GRAPH-HTTP-07 MUST mask what is not foreseen, and log it', async () => {
    const { directory } = stack.app
    const { line } = directory
    Object.assign(directory, {
      line: () => Promise.reject(new Error('secret-internals at 10.0.0.7')),
    })
    const response = await post({ query: '{ subscriber(mobileNumber: "+96891000001") { kind } }' })
    Object.assign(directory, { line })
    const text = await response.text()
    expect(text).not.toContain('secret-internals')
    expect(JSON.parse(text).errors[0]).toMatchObject({
      message: expect.stringContaining('quote x-correlator'),
      extensions: { code: 'SERVER_ERROR', http: { status: 500 } },
    })
    expect(logLines.join('')).toContain('secret-internals')
  })

  it('GRAPH-HTTP-08 MUST not show query plans or traces, though requested', async () => {
    const headers = { 'apollo-query-plan-experimental': '1', 'apollo-federation-include-trace': 'ftv1' }
    const answer = await read(await post({ query: '{ payments { totalCount } }' }, headers))
    expect(answer).not.toHaveProperty('extensions')
  })
})
