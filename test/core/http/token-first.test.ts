/** The token comes before the body: of a request that may not be served, nothing more is read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '#test/support/subgraph.ts'
import { exchange, requestText, sendRaw } from './raw.ts'

let stack: Stack
let subgraph: LoneSubgraph
let token: string
beforeAll(async () => {
  stack = await startStack()
  subgraph = await serveSubgraph(stack.app, 'prepaid')
  token = await stack.token()
})
afterAll(async () => {
  await subgraph[Symbol.asyncDispose]()
  await stack[Symbol.asyncDispose]()
})

const [first] = FIXTURES
const HALF = { 'content-type': 'application/json', 'content-length': 100 }
const MALFORMED = { 'content-type': 'application/json', 'content-length': 9 }
const post = (path: string, headers: Record<string, string | number>, body: string) =>
  exchange(stack.address, requestText(`POST ${path}`, headers, body))

const WRONG = [
  ['none', undefined],
  ['one that is none', 'Bearer x'],
  ['another scheme', 'Basic eDp5'],
] as const
const withToken = (authorization: string | undefined): Record<string, string> =>
  authorization ? { authorization } : {}

describe.each(WRONG)('with a wrong token: %s', (_, authorization) => {
  it('TOKEN-FIRST-01 MUST answer 401 on a REST path before the body has come', async () => {
    const response = await post(first!.path, { ...HALF, ...withToken(authorization) }, '{"a":')
    expect(response).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED', status: '401' } })
  })

  it('TOKEN-FIRST-02 MUST answer 401 at /graphql before the body has come', async () => {
    const response = await post('/graphql', { ...HALF, ...withToken(authorization) }, '{"query":')
    const extensions = { code: 'UNAUTHORIZED', http: { status: 401 } }
    expect(response).toMatchObject({ status: 401, body: { errors: [{ extensions }] } })
    expect(response.headers.get('www-authenticate')).toContain('Bearer')
  })

  it('TOKEN-FIRST-03 MUST not say what is wrong with a body', async () => {
    const headers = { ...MALFORMED, ...withToken(authorization) }
    for (const path of [first!.path, '/graphql'])
      expect(await post(path, headers, '{"query":')).toMatchObject({ status: 401 })
  })

  it('TOKEN-FIRST-04 MUST not invite the body that the client asks about', async () => {
    const headers = { ...HALF, ...withToken(authorization), expect: '100-continue' }
    const paths = [first!.path, '/graphql', '/nowhere']
    const responses = await Promise.all(paths.map(path => post(path, headers, '')))
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 404])
  })
})

describe('a path', () => {
  it.each([
    ['POST', '/nowhere', 404],
    ['PUT', first!.path, 405],
    ['PATCH', '/health/live', 405],
  ])('TOKEN-FIRST-10 MUST be judged before the body has come: %s %s', async (method, path, status) => {
    const response = await exchange(stack.address, requestText(`${method} ${path}`, HALF, '{"a":'))
    expect(response).toMatchObject({ status, body: { status: String(status) } })
  })

  it.each(['/health/live', '/health/ready'])('TOKEN-FIRST-11 MUST answer HEAD: %s', async path => {
    expect((await fetch(stack.address + path, { method: 'HEAD' })).status).toBe(200)
  })

  it('TOKEN-FIRST-12 MUST answer HEAD as it answers GET, or say what is possible', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const head = async (path: string) =>
      (await fetch(stack.address + path, { method: 'HEAD', headers })).status
    expect(await head('/prepaid/v1/recharges')).toBe(200)
    expect(await head('/v1/unified-messaging/send-single')).toBe(405)
    expect(await head('/nowhere')).toBe(404)
  })
})

it('TOKEN-FIRST-20 MUST invite the body of who has a token', async () => {
  const raw = JSON.stringify(first!.body())
  const headers = { ...HALF, 'content-length': raw.length, authorization: `Bearer ${token}` }
  const text = requestText(`POST ${first!.path}`, { ...headers, expect: '100-continue' })
  const connection = sendRaw(stack.address, text)
  expect(await connection.until(got => got.includes('\r\n\r\n'))).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  connection.socket.write(raw)
  expect(await connection.until(got => got.includes('processing'))).toContain('HTTP/1.1 201')
  connection.socket.destroy()
})

it('TOKEN-FIRST-21 MUST hold at the port of a subgraph too', async () => {
  const response = await exchange(subgraph.address, requestText('POST /graphql', HALF, '{"query":'))
  expect(response).toMatchObject({ status: 401 })
})
