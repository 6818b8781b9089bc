/** Large answers are compressed for those who take it, and say the same as others: graph, lists, exports, documents, pages. */
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payMany } from '#test/core/webhooks/support.ts'
import { type CodedCall, callCoded } from '../../support/coded.ts'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
let partner: string
let analyst: string
beforeAll(async () => {
  stack = await startStack({ env: { CORS_ORIGINS: 'https://portal.test' } })
  partner = await stack.token()
  analyst = await stack.token('demo-analyst')
  await payMany(stack, partner, 5)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const JSON_BODY = { 'content-type': 'application/json' }
const LARGE = '{ __schema { types { name description fields { name description } } } }'

const call = (path: string, accept: string | undefined, options: CodedCall = {}) =>
  callCoded(stack.address + path, {
    ...options,
    headers: { ...options.headers, ...(accept !== undefined && { 'accept-encoding': accept }) },
  })

const graph = (query: string, accept?: string, headers: Record<string, string> = {}) =>
  call('/graphql', accept, {
    method: 'POST',
    token: partner,
    headers: { ...JSON_BODY, ...headers },
    body: JSON.stringify({ query }),
  })

/** Headers that may differ with a response's encoding, or with its time. */
const OF_CODING = ['content-encoding', 'content-length', 'transfer-encoding', 'etag', 'date', 'x-correlator']
const others = (headers: object) =>
  Object.entries(headers).filter(([name]) => !OF_CODING.includes(name) && !name.startsWith('ratelimit'))

describe('codings', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['identity;q=0.5, gzip;q=0.9', 'gzip'],
    [undefined, undefined],
    ['', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['gzip;q=x', undefined],
  ])('COMPRESS-01 MUST be what the client takes, and likes best: %s', async (accept, coding) => {
    const { status, headers, bytes, text } = await graph(LARGE, accept)
    expect([status, headers['content-encoding']]).toEqual([200, coding])
    expect(headers['vary']).toBe('Origin, Accept-Encoding')
    expect(Number(headers['content-length'])).toBe(bytes.length)
    expect(JSON.parse(text).data.__schema.types.length).toBeGreaterThan(20)
    if (coding) expect(bytes.length).toBeLessThan(text.length / 3)
  })

  it('COMPRESS-02 MUST be none of what is below 1 KiB, which then depends on no header', async () => {
    const { headers, text } = await graph('{ __typename }', 'br')
    expect(text).toContain('Query')
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers['vary']).toBe('Origin')
  })

  it('COMPRESS-03 MUST be none of a stream of events', async () => {
    const query = `subscription { paymentEvents(after: "0") { cursor eventDetail { paymentId } } }`
    const response = await fetch(`${stack.address}/graphql`, {
      method: 'POST',
      headers: {
        ...JSON_BODY,
        accept: 'text/event-stream',
        'accept-encoding': 'br',
        authorization: `Bearer ${partner}`,
      },
      body: JSON.stringify({ query }),
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('content-encoding')).toBeNull()
    await response.body?.cancel()
  })

  it('COMPRESS-04 MUST be of errors too', async () => {
    const { status, headers, text } = await graph(`{ ${'unknown '.repeat(50)} }`, 'gzip')
    expect([status, headers['content-encoding']]).toEqual([400, 'gzip'])
    expect(JSON.parse(text).errors.length).toBeGreaterThan(1)
  })
})

describe('REST', () => {
  it.each(['br', 'gzip'])('COMPRESS-10 MUST answer a list as without a coding: %s', async coding => {
    const path = '/postpaid-billing/v1/payments'
    await stack.settled()
    const plain = await call(path, undefined, { token: partner })
    const coded = await call(path, coding, { token: partner })
    expect(plain.bytes.length).toBeGreaterThan(1_024)
    expect(coded.headers['content-encoding']).toBe(coding)
    expect(coded.text).toBe(plain.text)
    expect(others(coded.headers)).toEqual(others(plain.headers))
    expect(coded.headers['vary']).toBe('Origin, Accept-Encoding')
  })

  it.each([undefined, 'br'])('COMPRESS-11 MUST answer HEAD with the headers of GET: %s', async accept => {
    const path = '/postpaid-billing/v1/payments'
    const get = await call(path, accept, { token: partner })
    const head = await call(path, accept, { token: partner, method: 'HEAD' })
    expect([head.status, head.bytes.length]).toEqual([get.status, 0])
    const { 'content-encoding': coding, 'content-length': length } = get.headers
    expect(head.headers).toMatchObject({
      ...(coding && { 'content-encoding': coding }),
      'content-length': length,
    })
  })
})

describe('exports', () => {
  it.each(['csv', 'ndjson'])('COMPRESS-20 MUST have the same rows in each coding: %s', async format => {
    const path = `/exports/timeline.${format}`
    await stack.settled()
    const plain = await call(path, undefined, { token: analyst })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.text.split('\n').length).toBeGreaterThan(20)
    for (const coding of ['br', 'gzip']) {
      const coded = await call(path, coding, { token: analyst })
      expect(coded.headers['content-encoding']).toBe(coding)
      expect(coded.text).toBe(plain.text)
      expect(others(coded.headers)).toEqual(others(plain.headers))
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2)
    }
  })
})

describe('documents and pages', () => {
  const HTML = { accept: 'text/html' }
  it.each([
    ['/schema.graphql', {}],
    ['/openapi/prepaid.yaml', {}],
    ['/openapi/prepaid.json', {}],
    ['/pages/swagger-ui.js', {}],
    ['/pages/swagger-ui.css', {}],
    ['/', HTML],
  ])(
    'COMPRESS-30 MUST be the same in each coding, each with a validator of its own: %s',
    async (path, headers) => {
      const codings = [undefined, 'br', 'gzip']
      const answers = await Promise.all(codings.map(coding => call(path, coding, { headers })))
      expect(answers.map(one => one.headers['content-encoding'])).toEqual(codings)
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(new Set(answers.map(one => one.headers['etag'])).size).toBe(3)
      for (const one of answers) expect(one.headers['vary']).toMatch(/Accept-Encoding$/)
    },
  )

  it.each(['/schema.graphql', '/pages/swagger-ui.js'])(
    'COMPRESS-31 MUST be 304 for who has that coding, and no other: %s',
    async path => {
      for (const coding of ['br', 'gzip', undefined]) {
        const { etag, vary } = (await call(path, coding)).headers
        const known = { headers: { 'if-none-match': String(etag) } }
        const again = await call(path, coding, known)
        expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, etag])
        expect(again.headers['vary']).toBe(vary)
        expect(again.headers).not.toHaveProperty('content-encoding')
        expect((await call(path, coding === 'br' ? 'gzip' : 'br', known)).status).toBe(200)
      }
    },
  )
})

describe('what is sent to the server', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1_024 * 1_024, '{"query":"{ __typename }"} '))

  it('COMPRESS-40 MUST not be decompressed', async () => {
    for (const path of ['/graphql', '/postpaid-billing/v1/payments']) {
      const headers = { ...JSON_BODY, 'content-encoding': 'gzip' }
      const { status, text } = await call(path, undefined, {
        method: 'POST',
        token: partner,
        headers,
        body: bomb,
      })
      const { message, errors } = JSON.parse(text)
      expect([path, status, message ?? errors[0].message]).toEqual([
        path,
        400,
        expect.stringContaining('must be encoded in UTF-8'),
      ])
    }
  })
})

/** The last, for it stops the server. */
describe('a server that stops', () => {
  it('COMPRESS-50 MUST finish what is being compressed', async () => {
    const received = once(stack.server.http.server, 'request')
    const answer = graph(LARGE, 'br')
    await received
    await stack.server.stop()
    const { status, headers, text } = await answer
    expect([status, headers['content-encoding']]).toEqual([200, 'br'])
    expect(JSON.parse(text)).toHaveProperty('data')
  })
})
