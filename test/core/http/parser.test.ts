/** Refusals of the HTTP parser, and upgrades to unknown protocols, in the contract's form like all others; and several requests at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from '#test/support/stack.ts'
import { exchange, readResponse, requestText, sendRaw } from './raw.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack[Symbol.asyncDispose]())

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CHUNKED = 'POST /graphql HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n'

describe('bytes that are no request', () => {
  it.each([
    [400, 'no HTTP', 'hello\r\n\r\n'],
    [400, 'another version', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n'],
    [400, 'HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [400, 'two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    [400, 'a length and chunks', `${CHUNKED}content-length: 5\r\n\r\n`],
    [400, 'a header that is none', 'GET / HTTP/1.1\r\nhost: x\r\nbad header: 1\r\n\r\n'],
    [431, 'headers too large', `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`],
    [417, 'another expectation', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n'],
  ])(
    'PARSER-01 MUST be answered %i in the envelope, and the connection ended: %s',
    async (status, _, bytes) => {
      const response = readResponse(await sendRaw(stack.address, bytes).closed())
      expect(response).toMatchObject({ status, body: { code: 'INVALID_ARGUMENT', status: String(status) } })
      expect(response.headers.get('connection')).toBe('close')
      expect(response.headers.get('x-correlator')).toMatch(UUID)
    },
  )
})

describe('Host', () => {
  it.each([
    ['two', 'GET /health/live HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n'],
    ['two that are the same', 'GET /health/live HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n'],
    ['none', 'GET /health/live HTTP/1.1\r\nx: a\r\n\r\n'],
  ])('PARSER-10 MUST be given once: %s', async (_, bytes) => {
    const response = await exchange(stack.address, bytes)
    expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT', status: '400' } })
    expect(response.headers.get('x-correlator')).toMatch(UUID)
  })

  it('PARSER-11 MUST not be needed in HTTP/1.0', async () => {
    expect(await exchange(stack.address, 'GET /health/live HTTP/1.0\r\n\r\n')).toMatchObject({ status: 200 })
  })
})

describe('an upgrade', () => {
  const H2C = { upgrade: 'h2c', connection: 'Upgrade, HTTP2-Settings', 'http2-settings': 'AAMAAABk' }

  it.each([
    ['GET /health/live', 200],
    ['POST /graphql', 401],
    ['GET /prepaid/v1/recharges', 401],
    ['GET /nowhere', 404],
  ])('PARSER-20 MUST be passed over where it is to something else: %s', async (line, status) => {
    expect(await exchange(stack.address, requestText(line, H2C))).toMatchObject({ status })
  })
})

describe('requests that come at once', () => {
  const ask = (line: string, headers = {}, body = '') =>
    requestText(line, { connection: 'x-pipelining', 'x-pipelining': 'ask', ...headers }, body)
  const QUERY = '{"query":"{__typename}"}'
  const JSON_BODY = { 'content-type': 'application/json', 'content-length': QUERY.length }

  it.each([
    ['Fastify', ask('GET /health/live')],
    ['the direct way', ask('POST /graphql', JSON_BODY, QUERY)],
  ])('PARSER-30 MUST be told the port of their end where they ask, by %s', async (_, bytes) => {
    const { socket, until } = sendRaw(stack.address, bytes)
    const { headers } = readResponse(await until(text => text.includes('\r\n\r\n')))
    expect(headers.get('x-pipelining')).toBe(String(socket.localPort))
    socket.destroy()
  })

  it('PARSER-31 MUST be served side by side, and answered in their sequence', async () => {
    const names = ['first', 'second', 'third'].map(name => `${name}-0000-4000-8000`)
    const bytes = names.map(name =>
      requestText('POST /graphql', { ...JSON_BODY, 'x-correlator': name }, QUERY),
    )
    const { socket, until } = sendRaw(stack.address, bytes.join(''))
    const all = await until(text => text.split('HTTP/1.1 ').length === 4 && text.endsWith('}'))
    expect([...all.matchAll(/x-correlator: (\S+)/g)].map(([, name]) => name)).toEqual(names)
    expect(all).not.toContain('x-pipelining')
    socket.destroy()
  })
})
