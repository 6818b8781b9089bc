/** GraphQL over HTTP at the gateway: graphql-http's own audits, and what is refused before it costs anything. */
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REASONS } from '../../../subgraphs/shared/errors/reasons.ts'
import { payment } from '../../shared/webhooks/support.ts'
import { SEPARATE, type Stack, startStack } from '../../support/stack.ts'
import { auditPersistedQueries } from './persisted-queries.ts'

let stack: Stack
let token: string
const logLines: string[] = []
beforeAll(async () => {
  stack = await startStack({ logLines })
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

/** What a response of the graph holds, for an audit to look into. */
// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
const read = async (response: Response): Promise<any> => response.json()

const withToken = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { authorization: `Bearer ${token}`, ...(init.headers as object) } })

const post = (body: unknown, headers: Record<string, string> = {}) =>
  withToken(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const CREATE = 'mutation ($input: CreateBillPaymentInput!) { createPayment(input: $input) { outcome } }'

/** An answer with its media type. */
const request = async (body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, type: response.headers.get('content-type'), body: await read(response) }
}

describe('graphql-http', () => {
  const audits = serverAudits({ url: () => `${stack.address}/graphql`, fetchFn: withToken })

  /** What a server may do and this one does not: answer a GET without a header that makes a browser ask before (GRAPH-HTTP-02). */
  const LEFT_OUT = ['5A70', 'D6D5', '6A70']

  it.each(audits)('$id $name', async ({ id, fn }) => {
    const result = await fn()
    const reason = 'reason' in result ? result.reason : ''
    if (LEFT_OUT.includes(id)) expect(result.status, reason).toBe('notice')
    else expect(result.status, reason).toBe('ok')
  })
})

const JSON_TYPE = 'application/json; charset=utf-8'
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8'

/** What a client accepts, what it is answered in, and with which status an operation that cannot be executed. */
const ACCEPTED: [accept: string | undefined, type: string, status: number][] = [
  [undefined, JSON_TYPE, 400],
  ['*/*', JSON_TYPE, 400],
  ['application/*', JSON_TYPE, 400],
  ['application/json', JSON_TYPE, 200],
  ['application/json; charset=utf-8', JSON_TYPE, 200],
  ['application/graphql-response+json', GRAPHQL_TYPE, 400],
  ['Application/GraphQL-Response+JSON; charset=utf-8', GRAPHQL_TYPE, 400],
  ['application/graphql-response+json, application/json;q=0.9', GRAPHQL_TYPE, 400],
  ['application/json;q=0.9, application/graphql-response+json', GRAPHQL_TYPE, 400],
  ['application/graphql-response+json;q=0.5, application/json', JSON_TYPE, 200],
  ['application/graphql-response+json, application/json', GRAPHQL_TYPE, 400],
  ['application/json, application/graphql-response+json', JSON_TYPE, 200],
  ['application/graphql-response+json, */*', GRAPHQL_TYPE, 400],
  ['application/json;q=0, */*', GRAPHQL_TYPE, 400],
  ['application/json;q=0.1, */*;q=0.2', GRAPHQL_TYPE, 400],
  ['text/html, application/json', JSON_TYPE, 200],
  ['application/json, multipart/mixed', JSON_TYPE, 200],
]

describe('media types', () => {
  it.each(ACCEPTED)('GRAPH-TYPE-01 MUST be what is accepted: %s', async (accept, type, status) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    const executed = await request({ query: '{ __typename }' }, headers)
    expect(executed).toEqual({ status: 200, type, body: { data: { __typename: 'Query' } } })
    for (const query of ['{ nothing }', '{', 'query ($n: Int!) { payments(first: $n) { totalCount } }']) {
      const refused = await request({ query }, headers)
      expect([refused.status, refused.type, 'data' in refused.body]).toEqual([status, type, false])
      expect(refused.body).toMatchObject({ errors: [{ extensions: { http: { status: 400 } } }] })
    }
  })

  it.each([
    ['a field that fails', { query: '{ customer { customerName } me: __typename }' }, 200],
    ['what is no request', { qeury: '{ __typename }' }, 400],
    ['variables that are none', { query: '{ __typename }', variables: 5 }, 400],
    ['a text that is too long', { query: `{ __typename }${' '.repeat(100_000)}` }, 400],
  ])('GRAPH-TYPE-02 MUST say by the status what the operation came to: %s', async (_, body, status) => {
    for (const accept of ['application/json', 'application/graphql-response+json'])
      expect(await request(body, { accept })).toMatchObject({ status, type: `${accept}; charset=utf-8` })
  })

  it('GRAPH-TYPE-03 MUST be that of refusals before the operation is read', async () => {
    const accept = 'application/graphql-response+json'
    for (const headers of [{ authorization: 'Bearer x' }, { authorization: '' }])
      expect(await request({ query: '{ __typename }' }, { accept, ...headers })).toMatchObject({
        status: 401,
        type: GRAPHQL_TYPE,
        body: { errors: [{ extensions: { code: 'UNAUTHORIZED' } }] },
      })
  })

  it.each(['text/plain', 'application/json;q=0', 'application/xml, image/*', 'multipart/mixed'])(
    'GRAPH-TYPE-04 MUST be known before anything is executed: %s',
    async accept => {
      const posted = async () => (await request({ query: '{ payments { totalCount } }' })).body
      const before = await posted()
      const create = { query: CREATE, variables: { input: payment('100001') } }
      const refused = await request(create, { accept })
      expect(refused).toMatchObject({
        status: 406,
        type: JSON_TYPE,
        body: { errors: [{ extensions: { code: 'INVALID_ARGUMENT' } }] },
      })
      expect(await posted()).toEqual(before)
      expect((await request(create)).body).toEqual({ data: { createPayment: { outcome: 'PENDING' } } })
    },
  )
})

describe('automatic persisted queries', () =>
  auditPersistedQueries(
    () => stack,
    () => token,
  ))

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
    expect(errors[0].extensions).toEqual({ code: 'INVALID_ARGUMENT', http: { status: 400 }, reason })
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

  it('GRAPH-LIMITS-11 MUST answer introspection to whoever has a token', async () => {
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
    const line = directory.linesByNumber
    Object.assign(directory, {
      linesByNumber: () => Promise.reject(new Error('secret-internals at 10.0.0.7')),
    })
    const response = await post({ query: '{ subscriber(mobileNumber: "+96891000001") { kind } }' })
    Object.assign(directory, { linesByNumber: line })
    const text = await response.text()
    expect(text).not.toContain('secret-internals')
    expect(JSON.parse(text).errors[0]).toMatchObject({
      message: expect.stringContaining('quote x-correlator'),
      extensions: { code: 'SERVER_ERROR', http: { status: 500 } },
    })
    expect(logLines.join('')).toContain('secret-internals')
  })

  it('GRAPH-HTTP-08 MUST not tell query plans or traces, though asked for', async () => {
    const headers = { 'apollo-query-plan-experimental': '1', 'apollo-federation-include-trace': 'ftv1' }
    const answer = await read(await post({ query: '{ payments { totalCount } }' }, headers))
    expect(answer).not.toHaveProperty('extensions')
  })
})
