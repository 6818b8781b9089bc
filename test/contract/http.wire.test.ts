/** HTTP as the contract uses it: media types, sizes, correlators, unknown paths and methods, the error envelope. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit, auditServices } from '../support/audit.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { auditCors, auditPages } from './browsers.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const MIB = 1024 * 1024
const [first] = FIXTURES
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Bodies that are no JSON object, or do not say so. */
const UNREADABLE: [
  number: string,
  what: string,
  raw: string,
  contentType: string | undefined,
  says: RegExp,
][] = [
  ['01', 'it is cut off', '{"a": ', 'application/json', /JSON/],
  ['02', 'it is no JSON', 'hello', 'application/json', /JSON/],
  ['03', 'it is empty', '', 'application/json', /JSON object/],
  ['04', 'it is null', 'null', 'application/json', /JSON object/],
  ['05', 'it is an array', '[{}]', 'application/json', /JSON object/],
  ['06', 'it is a text', '"{}"', 'application/json', /JSON object/],
  ['07', 'it is a form', 'a=1', 'application/x-www-form-urlencoded', /content-type/],
  ['08', 'it is XML', '<a/>', 'text/xml', /content-type/],
  ['09', 'it is plain text', '{}', 'text/plain', /content-type/],
  ['10', 'it is over 1 MiB', `{"a":"${'x'.repeat(MIB)}"}`, 'application/json', /1 MiB/],
  ['12', 'its charset is another', '{}', 'application/json; charset=utf-16', /content-type/],
  ['13', 'its type has another parameter', '{}', 'application/json; version=1', /content-type/],
  ['14', 'it has more than a charset', '{}', 'application/json; charset=utf-8; v=1', /content-type/],
  ['15', 'it says that it is text', '{}', 'text/json', /content-type/],
  ['16', 'it is a list of JSON texts', '{}', 'application/json-seq', /content-type/],
  ['11', 'it is nested without end', '['.repeat(100_000), 'application/json', /JSON/],
]

describe.each(FIXTURES)('$name', ({ path }) => {
  it.each(UNREADABLE)('REST-HTTP-%s MUST answer 400 to a body when %s', async (_, __, raw, type, says) => {
    const headers = type ? { 'content-type': type } : undefined
    const answer = await restOf(stack)('POST', path, { token, raw, headers })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT', status: '400' } })
    expect(answer.body.message).toMatch(says)
  })
})

auditServices('REST-HTTP', FIXTURES, [
  [
    '20',
    'MUST accept a body of exactly 1 MiB, and a charset',
    async ({ path, body }) => {
      const sent = JSON.stringify({ ...body(), padding: '' })
      const raw = sent.replace('"padding":""', `"padding":"${' '.repeat(MIB - Buffer.byteLength(sent))}"`)
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      expect(await restOf(stack)('POST', path, { token, raw, headers })).toMatchObject({ status: 201 })
    },
  ],
  [
    '21',
    'MUST answer 405 with Allow to a method that the path does not have',
    async ({ path }) => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const answer = await restOf(stack)(method, path, { token })
        expect(answer).toMatchObject({ status: 405, body: { code: 'INVALID_ARGUMENT', status: '405' } })
        expect(answer.headers.get('allow')).toContain('POST')
      }
    },
  ],
  [
    '22',
    'MUST answer 404 to a path that nobody serves',
    async ({ path }) => {
      for (const unknown of [`${path}/a/b/c`, `${path}s-not-here`, path.replace('v1', 'v2')]) {
        const answer = await restOf(stack)('GET', unknown, { token })
        expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', status: '404' } })
      }
    },
  ],
  [
    '23',
    'MUST ignore unknown query parameters',
    async ({ path, body }) => {
      const answer = await restOf(stack)('POST', `${path}?surprise=1&page=x`, { token, body: body() })
      expect(answer.status).toBe(201)
    },
  ],
])

auditServices('REST-HTTP', READABLE, [
  [
    '30',
    'MUST answer 404 to ids that nothing has, whatever they look like',
    async ({ path, idField }) => {
      const ids = [
        '01890000-0000-7000-8000-000000000000',
        'x',
        '%20',
        '..%2f',
        '%00',
        'a'.repeat(600),
        '1%27--',
      ]
      for (const id of ids) {
        const answer = await restOf(stack)('GET', `${path}/${id}`, { token })
        expect(answer, id).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', status: '404' } })
        if (id.length < 100) expect(answer.body.message).toContain(idField)
      }
    },
  ],
])

/** The characters of an `x-correlator`: letters, digits and `-_:;./<>{}`, at most 256. */
const CORRELATORS: [number: string, what: string, correlator: string, accepted: boolean][] = [
  ['01', 'a UUID', '5f3c2a9e-4d0b-4f7a-9c51-2b8e6f1d7a34', true],
  ['02', 'every character there may be', 'AZaz09-_:;./<>{}', true],
  ['03', 'one character', 'x', true],
  ['04', '256 characters', 'c'.repeat(256), true],
  ['05', '257 characters', 'c'.repeat(257), false],
  ['06', 'a space', 'a b', false],
  ['07', 'a quote', `a'b`, false],
  ['08', 'a percent sign', 'a%0ab', false],
  ['09', 'a letter beyond ASCII', 'caf\u00e9', false],
  ['10', 'two values', 'a,b', false],
]

describe.each([...READABLE.map(({ path }) => path), '/graphql?query={__typename}', '/nowhere'])(
  '%s',
  path => {
    it.each(CORRELATORS)('HTTP-CORRELATOR-%s MUST judge %s', async (_, __, correlator, accepted) => {
      const headers = { 'x-correlator': correlator, 'apollo-require-preflight': '1' }
      const response = await fetch(stack.address + path, {
        headers: { ...headers, authorization: `Bearer ${token}` },
      })
      if (accepted) expect(response.headers.get('x-correlator')).toBe(correlator)
      else {
        expect(response.status).toBe(400)
        expect(response.headers.get('x-correlator')).toMatch(UUID)
        const isList = READABLE.some(fixture => fixture.path === path)
        if (isList) expect(await response.json()).toMatchObject({ code: 'OUT_OF_RANGE', status: '400' })
      }
    })
  },
)

audit('HTTP-CORRELATOR', [
  [
    '20',
    'MUST make up a new UUID for each answer to a request without one, or with an empty one, failures included',
    async () => {
      const rest = restOf(stack)
      const responses = await Promise.all([
        rest('POST', first!.path, { token, body: first!.body() }),
        rest('POST', first!.path, { token, raw: '{' }),
        rest('POST', first!.path, { body: {} }),
        rest('GET', '/nowhere'),
        rest('DELETE', first!.path),
        rest('GET', `${first!.path}/%zz`, { token }),
        graphOf(stack)('{ __typename }', { token }),
        graphOf(stack)('{ __typename }'),
        rest('GET', first!.path, { token, headers: { 'x-correlator': '' } }),
        graphOf(stack)('{ __typename }', { token, headers: { 'x-correlator': ' ' } }),
      ])
      expect(responses.at(-2)!.status).toBe(200)
      const correlators = responses.map(({ headers }) => headers.get('x-correlator'))
      for (const correlator of correlators) expect(correlator).toMatch(UUID)
      expect(new Set(correlators).size).toBe(responses.length)
    },
  ],
  [
    '21',
    'MUST stand in the log lines of the request',
    async () => {
      const logLines: string[] = []
      await using other = await startStack({ env: { LOG_LEVEL: 'info' }, logLines })
      const headers = { 'x-correlator': 'find-me-5521' }
      const body = withField(first!.body(), first!.phone, '96891999999')
      await restOf(other)('POST', first!.path, { token: await other.token(), body, headers })
      expect(logLines.filter(line => line.includes('"find-me-5521"'))).not.toHaveLength(0)
    },
  ],
])

describe('CORS', () => auditCors(() => stack))
describe('pages', () => auditPages(() => stack))
