/** The HTTP of a WebSocket's handshake: refused in the contract's form, and with a correlator whatever becomes of it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exchange, readResponse, requestText, sendRaw } from '#test/core/http/raw.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': 13,
  'sec-websocket-protocol': 'graphql-transport-ws',
}

it.each([
  ['another path', 'GET /nowhere', {}, [404, 'NOT_FOUND'], {}],
  [
    'a page of another origin',
    'GET /graphql',
    { origin: 'https://evil.test' },
    [403, 'PERMISSION_DENIED'],
    {},
  ],
  ['a wrong correlator', 'GET /graphql', { 'x-correlator': 'a b' }, [400, 'INVALID_ARGUMENT'], {}],
  [
    'a version that is not spoken',
    'GET /graphql',
    { 'sec-websocket-version': 12 },
    [400, 'INVALID_ARGUMENT'],
    { 'sec-websocket-version': '13, 8' },
  ],
  ['another method', 'POST /graphql', {}, [405, 'INVALID_ARGUMENT'], { allow: 'GET' }],
])(
  'HANDSHAKE-01 MUST be refused in the form of every refusal: %s',
  async (_, line, more, expected, headers) => {
    const request = requestText(line, { ...HANDSHAKE, 'x-correlator': 'mine', ...more })
    const answer = await exchange(stack.address, request)
    expect([answer.status, answer.body.code]).toEqual(expected)
    expect(answer.body).toEqual({
      code: expected[1],
      status: String(expected[0]),
      message: expect.any(String),
    })
    const correlator = answer.headers.get('x-correlator')
    if ('x-correlator' in more) expect(correlator).toMatch(/^[\da-f-]{36}$/)
    else expect(correlator).toBe('mine')
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value)
  },
)

it('HANDSHAKE-02 MUST have the correlator on the response that opens a connection', async () => {
  const connection = sendRaw(
    stack.address,
    requestText('GET /graphql', { ...HANDSHAKE, 'x-correlator': 'mine' }),
  )
  const { status, headers } = readResponse(await connection.until(text => text.includes('\r\n\r\n')))
  expect([status, headers.get('x-correlator')]).toEqual([101, 'mine'])
  connection.socket.destroy()
})
