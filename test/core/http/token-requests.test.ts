/** Malformed requests to the token endpoint: answered by the rules of RFC 6749, and never with a server error. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from '#test/support/stack.ts'
import { exchange, requestText, sendRaw } from './raw.ts'

const logLines: string[] = []
let stack: Stack
beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'warn' }, logLines })
})
afterAll(() => stack[Symbol.asyncDispose]())

const PATH = 'POST /oauth2/accesstoken'
const TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const GRANT = 'grant_type=client_credentials'
const basic = (id: string, secret = 'x') => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const errorLines = () => logLines.map(line => JSON.parse(line)).filter(({ level }) => level >= 50)

const REQUESTS: Record<string, [headers: Record<string, string | number>, body: string]> = {
  'a malformed correlator': [{ ...TYPE, 'x-correlator': 'a b"c' }, GRANT],
  'a second Host': [{ ...TYPE, Host: 'y' }, GRANT],
  'no type': [{}, GRANT],
  JSON: [{ 'content-type': 'application/json' }, '{'],
  'a type that is none': [{ 'content-type': ';;;' }, GRANT],
  nothing: [TYPE, ''],
  'a coding': [{ ...TYPE, 'content-encoding': 'gzip' }, GRANT],
  'too much': [TYPE, `${GRANT}&a=${'x'.repeat(9_000)}`],
  'a parameter twice': [TYPE, `${GRANT}&${GRANT}`],
  'names of objects': [TYPE, `${GRANT}&__proto__=1&constructor=2&toString=3`],
  'another grant': [TYPE, 'grant_type=authorization_code&code=1'],
  'a grant of control characters': [TYPE, 'grant_type=%00%0a'],
  'an id with a zero byte': [TYPE, `${GRANT}&client_id=a%00b&client_secret=%00`],
  'an id of half a character': [TYPE, `${GRANT}&client_id=%ED%A0%80&client_secret=x`],
  'an id of nothing but percent': [TYPE, `${GRANT}&client_id=%&client_secret=%zz`],
  'a very long id': [TYPE, `${GRANT}&client_id=${'a'.repeat(5_000)}&client_secret=x`],
  'a zero byte as the secret': [TYPE, `${GRANT}&client_id=demo-partner&client_secret=%00`],
  'Basic with a zero byte': [{ ...TYPE, ...basic('a\0b') }, GRANT],
  'Basic of nothing': [{ ...TYPE, authorization: 'Basic ====' }, GRANT],
  'Basic that is not text': [{ ...TYPE, authorization: 'Basic \u00ff\u00fe' }, GRANT],
  'another scheme': [{ ...TYPE, authorization: 'Bearer x' }, GRANT],
  'two ways at once': [{ ...TYPE, ...basic('a') }, `${GRANT}&client_id=b&client_secret=c`],
}

describe('a token request', () => {
  it.each(Object.entries(REQUESTS))(
    'TOKEN-REQUEST-01 with %s MUST be 400 or 401, and no line at level error',
    async (_, [headers, body]) => {
      const length = { 'content-length': Buffer.byteLength(body) }
      const response = await exchange(stack.address, requestText(PATH, { ...headers, ...length }, body))
      expect([400, 401]).toContain(response.status)
      expect(Object.keys(response.body)).toEqual(['error', 'error_description'])
      expect(response.body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
      expect(errorLines()).toEqual([])
    },
  )

  it('TOKEN-REQUEST-02 MUST be no error of ours when its client goes', async () => {
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const connection = sendRaw(stack.address, requestText(PATH, { ...TYPE, 'content-length': 99 }, 'grant'))
      await once(connection.socket, 'connect')
      await fetch(`${stack.address}/health/live`)
      connection.socket[end]()
      await fetch(`${stack.address}/health/live`)
    }
    expect(errorLines()).toEqual([])
  })
})
