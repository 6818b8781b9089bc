/** Access: tokens and roles, both looked at before anything else (docs/decisions.md, "Identity and access"). */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { audit, auditInterfaces, auditServices } from '../support/audit.ts'
import { graphOf, mutationOf, restOf } from '../support/both-interfaces.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { documentedOperations } from '../support/openapi.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
/** Before the start, so that the issuer takes it for its clock. */
const realNow = Date.now.bind(Date)
const clock = vi.spyOn(Date, 'now')
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack[Symbol.asyncDispose]())

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'
const OPERATIONS = FIXTURES.flatMap(({ name }) => documentedOperations(name))
const urlOf = (path: string) => path.replace(/\{[^}]+\}/, UNKNOWN_ID)

const tamper = (token: string) => `${token.slice(0, -8)}AAAAAAAA`
const unsigned = (token: string) => {
  const header = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}
const asPortal = (token: string) => {
  const [header, claims, signature] = token.split('.')
  const changed = { ...JSON.parse(Buffer.from(claims!, 'base64url').toString()), role: 'portal' }
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
}

/** A token issued two hours ago. */
const expired = async () => {
  clock.mockImplementation(() => realNow() - 7_200_000)
  return stack.token().finally(() => clock.mockReset())
}

const disabled = async () => {
  const token = await stack.token({ id: 'disabled-partner', role: 'partner' })
  await stack.app.access.clients.disable('disabled-partner')
  return token
}

/** Values of `Authorization` that are no valid token. */
const BAD_AUTHORIZATIONS: [number: string, what: string, make: () => Promise<string | undefined>][] = [
  ['01', 'there is none', async () => undefined],
  ['02', 'it is of another scheme', async () => 'Basic ZGVtby1wYXJ0bmVyOmRlbW8='],
  ['03', 'it holds no token', async () => 'Bearer '],
  ['04', 'the token is no JWT', async () => 'Bearer not-a-token'],
  ['05', 'the signature is altered', async () => `Bearer ${tamper(await stack.token())}`],
  ['06', 'the token is unsigned', async () => `Bearer ${unsigned(await stack.token())}`],
  ['07', 'the claims are altered', async () => `Bearer ${asPortal(await stack.token())}`],
  ['08', 'the token has expired', async () => `Bearer ${await expired()}`],
  ['09', 'the client is disabled', async () => `Bearer ${await disabled()}`],
]

describe.each(OPERATIONS)('$service $operationId', ({ method, path, body, roles }) => {
  it.each(BAD_AUTHORIZATIONS.slice(0, 8))('REST-TOKEN-%s MUST answer 401 when %s', async (_, __, make) => {
    const authorization = await make()
    const response = await restOf(stack)(method, urlOf(path), {
      headers: authorization === undefined ? {} : { authorization },
      ...(body && { body: {} }),
    })
    expect(response).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED', status: '401' } })
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/)
  })

  it.each(['partner', 'portal', 'analyst'])('REST-ROLE-01 MUST hold a %s to x-roles', async role => {
    const token = await stack.token(`demo-${role}`)
    const response = await restOf(stack)(method, urlOf(path), { token, ...(body && { body: {} }) })
    expect(response.status === 403 && response.body.code === 'PERMISSION_DENIED').toBe(!roles.includes(role))
  })
})

describe('the graph', () => {
  it.each(BAD_AUTHORIZATIONS)('GRAPH-TOKEN-%s MUST answer 401 when %s', async (_, __, make) => {
    const authorization = await make()
    const headers = authorization === undefined ? {} : { authorization }
    const response = await graphOf(stack)('{ __typename }', { headers: headers as Record<string, string> })
    expect(response.status).toBe(401)
    expect(response.data).toBeUndefined()
    expect(response.errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED' } }])
  })
})

auditServices('ORDER', FIXTURES, [
  [
    'TOKEN-BEFORE-BODY',
    'MUST answer 401, not 400, when both token and body are wrong',
    async ({ path }) => {
      for (const raw of ['{', '[]', 'x'.repeat(1_100_000)])
        expect(await restOf(stack)('POST', path, { raw })).toMatchObject({ status: 401 })
    },
  ],
  [
    'ROLE-BEFORE-BODY',
    'MUST answer 403, not 400, when both role and body are wrong',
    async ({ path }) => {
      const token = await stack.token('demo-analyst')
      const calls = [{ raw: '{' }, { body: {} }, { raw: '<a/>', headers: { 'content-type': 'text/xml' } }]
      for (const call of calls) {
        const response = await restOf(stack)('POST', path, { token, ...call })
        expect(response).toMatchObject({ status: 403, body: { code: 'PERMISSION_DENIED' } })
      }
    },
  ],
])

auditInterfaces('ROLE', FIXTURES, [
  [
    '02',
    'MUST refuse a portal and an analyst who post',
    async (fixture, api) => {
      for (const client of ['demo-portal', 'demo-analyst']) {
        const created = await api.create(stack, fixture, await stack.token(client), fixture.body())
        expect(created).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' })
      }
    },
  ],
  [
    '03',
    'MUST tell the role before a fault of the body',
    async (fixture, api) => {
      const body = withField(fixture.body(), fixture.correlator, '')
      const created = await api.create(stack, fixture, await stack.token('demo-portal'), body)
      expect(created).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' })
    },
  ],
])

audit('GRAPH-ROLE', [
  [
    '04',
    'MUST answer a refused mutation with null and the error at its path',
    async () => {
      const [fixture] = FIXTURES
      const token = await stack.token('demo-analyst')
      const variables = { input: fixture!.body() }
      const { status, data, errors } = await graphOf(stack)(mutationOf(fixture!), { token, variables })
      expect({ status, data }).toEqual({ status: 200, data: { [fixture!.mutation]: null } })
      expect(errors).toMatchObject([{ path: [fixture!.mutation] }])
    },
  ],
])
