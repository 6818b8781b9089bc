/** Requests by which both ways of the graph are compared: bodies, headers, and how they arrive. */
import { createHash } from 'node:crypto'
import { requestBytes, type WaysCase } from './direct-way.ts'

/** Names as long as each other, so that responses are. */
export type Way = 'prepare' | 'fastify' | 'directx'
/** Tokens of the clients of one way. */
export interface Tokens {
  readonly portal: string
  readonly partner: string
  readonly limited: string
  readonly poor: string
  readonly changed: string
  readonly expired: string
}

export const ME = { query: '{ me { id name } }' }
export const LINE = `query Line($n: PhoneNumber!, $more: Boolean = false) {
  subscriber(mobileNumber: $n) { mobileNumber kind customer { customerName customerStatus } recharges(first: 2) { totalCount }
    payments: timeline(first: 3) @include(if: $more) { totalCount } } }`
export const NUMBER = { n: '+96891000002' }
const CREATE = 'mutation Create($input: CreateBillPaymentInput!) { createPayment(input: $input) { outcome } }'
const createWith = (correlator: string) => ({
  query: CREATE,
  variables: {
    input: {
      paymentTransaction: {
        clientCorrelatorId: correlator,
        referenceCode: correlator,
        customerInfo: { customerAccountNumber: '100001' },
        paymentInfo: { paymentInformation: { amount: 0.001, currency: 'OMR', description: 'test' } },
      },
    },
  },
})

const persisted = (text: string) => ({
  persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
})

/** Bodies by name, with texts that each way sees for the first time. */
const bodiesOf = (way: Way): Record<string, unknown> => ({
  'a known operation': ME,
  variables: { query: LINE, variables: NUMBER },
  'a variable with a default': { query: LINE, variables: { ...NUMBER, more: true }, operationName: 'Line' },
  'a wrong variable': { query: LINE, variables: { n: 'x' } },
  'a missing variable': { query: LINE },
  'variables that are none': { query: LINE, variables: 5 },
  'an unknown number': { query: LINE, variables: { n: '+96899999999' } },
  'another name': { query: LINE, variables: NUMBER, operationName: 'Other' },
  'an empty name': { ...ME, operationName: '' },
  'two operations': { query: 'query A { me { id } } query B { me { name } }', operationName: 'B' },
  'two operations, none named': { query: 'query A { me { id } } query B { me { name } }' },
  'an unknown field': { query: '{ me { nothing } }' },
  'no syntax': { query: '{ me {' },
  'an empty text': { query: '' },
  'no text': {},
  'a text of another type': { query: 7 },
  'a batch': [ME, ME],
  'a number': 5,
  'a string': 'text',
  null: null,
  introspection: { query: '{ __schema { queryType { name } } }' },
  'an unknown hash': { extensions: persisted(`{ me { role } } # ${way}`) },
  'a hash and its text': { ...ME, extensions: persisted(ME.query) },
  'a known hash': { extensions: persisted(ME.query) },
  'a hash of another text': { ...ME, extensions: persisted('{ other }') },
  'an unknown document': { documentId: 'no-such-document' },
  'extensions of another type': { ...ME, extensions: 'x' },
  'too many fields': {
    query:
      '{ payments(first: 200) { nodes { subscriber { customer { payments(first: 50) { totalCount } } } webhookDeliveries { id } } } }',
  },
  'too deep': { query: `{ me ${'{ a '.repeat(20)}${'}'.repeat(20)} }` },
  'a subscription': { query: 'subscription { transactionEvents { id } }' },
  'parts that are deferred': { query: '{ me { id ... @defer { name } } }' },
  'a mutation': createWith('ways-graph-1'),
  'a mutation that is wrong': { query: CREATE, variables: { input: {} } },
})

const RAW_BODIES: Record<string, string | Buffer> = {
  'no JSON': '{"query": ',
  'JSON and more': `${JSON.stringify(ME)}x`,
  'a byte that is no UTF-8': Buffer.from([...Buffer.from('{"query":"'), 0xff, ...Buffer.from('"}')]),
  'a byte order mark': `\uFEFF${JSON.stringify(ME)}`,
  'a number that is not exact': '{"query":"{ me { id } }","variables":{"a":0.12345678901234567890123}}',
  'levels without end': `{"query":"{ me { id } }","variables":${'['.repeat(80)}${']'.repeat(80)}}`,
  'a name twice': '{"query":"{ x }","query":"{ me { id } }"}',
  spaces: '   ',
  'an umlaut': JSON.stringify({ query: '{ me { id } } # äöü€𝄞' }),
}

/** Headers beside those of every request, by name; of each a known operation, one with errors, and no JSON are sent. */
const HEADERS: Record<string, Record<string, string>> = {
  'accept JSON': { accept: 'application/json' },
  'accept the type of GraphQL': { accept: 'application/graphql-response+json; charset=utf-8' },
  'accept both': { accept: 'application/graphql-response+json, application/json;q=0.9' },
  'accept anything': { accept: '*/*' },
  'accept no type': { accept: 'text/html' },
  'accept a stream': { accept: 'text/html, application/json;q=0, */*;q=0' },
  'accept rows': { accept: 'text/csv;q=0.1, application/json' },
  'accept parts': { accept: 'multipart/mixed;deferSpec=20220824, application/json' },
  gzip: { 'accept-encoding': 'gzip, deflate' },
  br: { 'accept-encoding': 'gzip, br' },
  identity: { 'accept-encoding': 'identity;q=1, *;q=0' },
  'a page': { origin: 'https://page.test' },
  'another page': { origin: 'https://other.test' },
  'a correlator': { 'x-correlator': 'given-1' },
  'a malformed correlator': { 'x-correlator': 'a b' },
  'an empty correlator': { 'x-correlator': ' ' },
  'a charset': { 'content-type': 'application/json; charset=utf-8' },
  'another charset': { 'content-type': 'application/json; charset=latin1' },
  'a type with a suffix': { 'content-type': 'application/graphql+json' },
  'another type': { 'content-type': 'text/plain' },
  'no type': { 'content-type': '' },
  'a form': { 'content-type': 'application/x-www-form-urlencoded' },
  'a boundary': { 'content-type': 'multipart/form-data; boundary=x' },
  'no token': { authorization: '' },
  'no bearer': { authorization: 'Basic eDp5' },
  'a malformed token': { authorization: 'Bearer x.y.z' },
  'a trace': { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'a=b' },
  'a person': { 'x-acting-user': 'anna' },
  'a malformed person': { 'x-acting-user': 'a'.repeat(300) },
  'a proxy': {
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-proto': 'http, https',
    'x-forwarded-host': 'a.test, b.test:8443',
  },
  'an end': { connection: 'close' },
  'an upgrade': { connection: 'upgrade', upgrade: 'h2c' },
  'an upgrade to nothing': { upgrade: '' },
  trailers: { te: 'trailers' },
  'no host': { host: '' },
}

export const jsonOf = (value: unknown) => JSON.stringify(value)

const oneCase = (name: string, ...pieces: (string | Buffer)[]): WaysCase => ({ name, pieces, responses: 1 })

const apart = (cases: WaysCase[]): WaysCase[] => cases.map(one => ({ ...one, isApart: true }))

const framings = ({ authorization }: { authorization: string }): WaysCase[] => {
  const me = jsonOf(ME)
  const bytes = (headers: Record<string, string> = {}, line?: string, body: string | Buffer = me) =>
    requestBytes({ ...(line && { line }), headers: { authorization, ...headers }, body })
  const plain = bytes()
  const head = bytes({}, undefined, '')
  const middle = plain.length - 5
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const chunked = bytes({ 'content-length': '', 'transfer-encoding': 'chunked' }, undefined, '')
  const big = jsonOf({ query: `{ me { id } } #${' '.repeat(17_000)}` })
  return [
    { name: 'three at once', pieces: [Buffer.concat([plain, plain, plain])], responses: 3 },
    {
      name: 'one in pieces behind a whole one',
      pieces: [Buffer.concat([plain, plain.subarray(0, middle)]), plain.subarray(middle)],
      responses: 2,
    },
    oneCase('a body that comes later', plain.subarray(0, middle), plain.subarray(middle)),
    oneCase('a head in pieces', plain.subarray(0, 30), plain.subarray(30)),
    oneCase('a body in chunks', Buffer.concat([chunked, Buffer.from(`${chunk(me)}0\r\n\r\n`)])),
    { name: 'a body that is asked for', pieces: [bytes({ expect: '100-continue' })], responses: 2 },
    oneCase('another expectation', bytes({ expect: 'x' })),
    oneCase('HTTP/1.0', bytes({}, 'POST /graphql HTTP/1.0')),
    oneCase('HTTP/1.0 that is kept', bytes({ connection: 'keep-alive' }, 'POST /graphql HTTP/1.0')),
    oneCase('no body', bytes({ 'content-length': '0' }, undefined, '')),
    oneCase('no length', bytes({ 'content-length': '' }, undefined, '')),
    oneCase('two lengths', bytes({ 'Content-Length': '3' })),
    oneCase('a length and chunks', bytes({ 'transfer-encoding': 'chunked' }, undefined, '')),
    oneCase('a length that is none', bytes({ 'content-length': '+5' })),
    oneCase('two hosts', bytes({ Host: 'y' })),
    oneCase('a large body', bytes({}, undefined, big)),
    oneCase('a body that is too large', bytes({ 'content-length': '2000000' }, undefined, '')),
    oneCase('a query string', bytes({}, 'POST /graphql?a=1 HTTP/1.1')),
    oneCase('another path', bytes({}, 'POST /graphql/ HTTP/1.1')),
    oneCase('an absolute address', bytes({}, 'POST http://x/graphql HTTP/1.1')),
    oneCase(
      'GET',
      bytes(
        { 'content-length': '', 'content-type': '', 'apollo-require-preflight': '1' },
        'GET /graphql?query=%7Bme%7Bid%7D%7D HTTP/1.1',
        '',
      ),
    ),
    oneCase('PUT', bytes({}, 'PUT /graphql HTTP/1.1')),
    oneCase(
      'OPTIONS of a page',
      bytes(
        { connection: 'close', origin: 'https://page.test', 'access-control-request-method': 'POST' },
        'OPTIONS /graphql HTTP/1.1',
        '',
      ),
    ),
    oneCase('no HTTP', Buffer.concat([head.subarray(0, 10), Buffer.from('\0')])),
  ]
}

export const of = (token: string) => ({ authorization: `Bearer ${token}` })

export const post = (headers: Record<string, string>, body: string | Buffer) =>
  requestBytes({ headers, body })

/** All cases, by the token of their client. */
export const casesOf = (way: Way, tokens: Tokens): WaysCase[] => {
  const bodies = [
    ...Object.entries(bodiesOf(way)).map(([name, body]) => [name, jsonOf(body)] as const),
    ...Object.entries(RAW_BODIES),
  ]
  const bodyCases = bodies.flatMap(([name, body]) =>
    ([{}, { accept: 'application/graphql-response+json' }] as const).map(accept =>
      oneCase(`${name}, ${jsonOf(accept)}`, post({ ...of(tokens.portal), ...accept }, body)),
    ),
  )
  const partnerCases = bodies.map(([name, body]) =>
    oneCase(`${name}, as a partner`, post(of(tokens.partner), body)),
  )
  const headerCases = Object.entries(HEADERS).flatMap(([name, headers]) =>
    [jsonOf(ME), jsonOf({ query: '{ no }' }), '{'].map(body =>
      oneCase(`${name}, ${body.slice(0, 12)}`, post({ ...of(tokens.portal), ...headers }, body)),
    ),
  )
  const refused = post(of(tokens.limited), jsonOf(ME))
  const poor = post(of(tokens.poor), jsonOf({ query: '{ payments(first: 100) { __typename } }' }))
  return [
    ...bodyCases,
    ...partnerCases,
    ...headerCases,
    ...apart(framings(of(tokens.portal))),
    { name: 'more than a second allows', pieces: [Buffer.concat(Array(6).fill(refused))], responses: 6 },
    { name: 'more than a minute allows', pieces: [Buffer.concat(Array(6).fill(poor))], responses: 6 },
    oneCase('an operation that is new', post(of(tokens.portal), jsonOf({ query: `{ me { id } } # ${way}` }))),
    oneCase('a token that was changed', post(of(tokens.changed), jsonOf(ME))),
    oneCase('a token that has expired', post(of(tokens.expired), jsonOf(ME))),
  ]
}
