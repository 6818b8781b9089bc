/** GraphQL over HTTP at the gateway: graphql-http's own audits, media types and persisted queries. */

import { serverAudits } from 'graphql-http'
import { describe, expect, it } from 'vitest'
import { payment } from '#test/core/webhooks/support.ts'
import { read, stack, token, useEndpoint, withToken } from './endpoint.ts'
import { auditPersistedQueries } from './persisted-queries.ts'

useEndpoint()

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

  /** An option of servers that this one does not take: to answer a GET without a header that makes a browser ask before (GRAPH-HTTP-02). */
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

/** The type that a client accepts, the type of the response, and the status of an operation that cannot be executed. */
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

  it.each(['text/plain', 'application/json;q=0', 'application/xml, image/*', 'multipart/form-data'])(
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
