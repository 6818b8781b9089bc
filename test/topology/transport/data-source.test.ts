/** The data source of a subgraph in another process: what goes along, and every failure as an error of the catalogue. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ErrorCode, REASON_OF } from '#core/errors/catalogue.ts'
import { createLog } from '#core/observability/log.ts'
import { ask, log } from '#test/support/fetches.ts'
import {
  type Answer,
  broken,
  json,
  silent,
  startInstance,
  type TestInstance,
} from '#test/support/http-instance.ts'
import { upstreamsOver } from '#test/topology/upstream/support.ts'
import { createHttpSource } from '#topology/transport/data-source.ts'

let instance: TestInstance
let upstreams: ReturnType<typeof upstreamsOver>

// A clock that runs on takes every instance back at once, so that the tests do not meet each other's failures.
let time = 0
const now = () => (time += 60_000)

beforeAll(async () => {
  instance = await startInstance()
  upstreams = upstreamsOver([instance], { now })
})
afterAll(async () => {
  await upstreams.close()
  await instance[Symbol.asyncDispose]()
})

const source = (own = log) => createHttpSource(upstreams.of('loyalty')!, own)

const answered = (answer: Answer, call: Parameters<typeof ask>[1] = {}) => {
  instance.answer = answer
  return ask(source(), call)
}

const text =
  (body: string, status = 200): Answer =>
  response =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(body)

/** A subgraph's response, or what a client gets: a sentence for people stands in each. */
const failure = (message: string, code: ErrorCode, status: number) => ({
  errors: [
    {
      message,
      extensions: {
        code,
        http: { status },
        reason: REASON_OF[code],
        sentence: `${message}${message.endsWith('.') ? '' : '.'}`,
      },
    },
  ],
})

const MASKED = failure('The request could not be served; quote x-correlator to support', 'SERVER_ERROR', 500)

describe('a request', () => {
  it('SRC-01 MUST carry the operation, the token, the correlator and the place in the trace', async () => {
    const result = await answered(json({ data: { ok: true } }), {
      query: 'query($n: Int) {ok}',
      variables: { n: 1 },
      trace: { traceparent: '00-1-2-01' },
    })
    expect(result).toEqual({ data: { ok: true } })
    const { method, url, headers, body } = instance.requests.at(-1)!
    expect([method, url]).toEqual(['POST', '/graphql'])
    expect(JSON.parse(body.toString())).toEqual({ query: 'query($n: Int) {ok}', variables: { n: 1 } })
    expect(headers).toMatchObject({
      authorization: 'Bearer of demo',
      'x-correlator': 'c-demo',
      traceparent: '00-1-2-01',
      'content-type': 'application/json',
    })
  })

  it('SRC-02 MUST be repeated when it reads, and not when it writes', async () => {
    const before = instance.requests.length
    await answered(broken, { query: 'query A__loyalty__0{ok}' })
    expect(instance.requests.length - before).toBe(2)
    const write = await answered(broken, { query: 'mutation A__loyalty__0{post}' })
    expect(instance.requests.length - before).toBe(3)
    expect(write).toEqual(
      failure(
        'The connection to the subgraph loyalty broke; the request may have been executed',
        'SERVICE_UNAVAILABLE',
        503,
      ),
    )
  })
})

describe('an answer', () => {
  it('SRC-10 MUST pass with its data and its errors, whatever the HTTP status', async () => {
    const result = {
      data: { reward: null },
      errors: [{ message: 'No such', path: ['reward'], extensions: { code: 'NOT_FOUND' } }],
    }
    expect(await answered(json(result))).toEqual(result)
    const refused = failure('No', 'UNAUTHORIZED', 401)
    expect(await answered(json(refused, 401))).toEqual(refused)
    expect(await answered(json(refused, 500))).toEqual(refused)
  })

  it.each<[string, Answer, object]>([
    ['HTML', text('<html>'), MASKED],
    ['nothing', text(''), MASKED],
    ['a list', json([]), MASKED],
    ['neither data nor errors', json({ hello: 1 }), MASKED],
    ['data that is no object', json({ data: 5 }), MASKED],
    ['errors that are none', json({ data: {}, errors: ['x', null] }), MASKED],
    ['an empty list of errors', json({ errors: [] }), MASKED],
    ['a bug', json({ code: 'SERVER_ERROR' }, 500), MASKED],
    [
      '401',
      text('no', 401),
      failure('The subgraph loyalty did not accept the access token', 'UNAUTHORIZED', 401),
    ],
    [
      '503',
      json({}, 503),
      failure('The subgraph loyalty cannot serve at the moment', 'SERVICE_UNAVAILABLE', 503),
    ],
    [
      '504',
      text('', 504),
      failure('The subgraph loyalty did not answer in time', 'REQUEST_TIMEOUT_EXCEEDED', 504),
    ],
  ])('SRC-11 MUST become an error of the catalogue: %s', async (_, answer, expected) => {
    expect(await answered(answer)).toEqual(expected)
  })

  it('SRC-12 MUST have as many entities as were requested', async () => {
    const query = 'query($representations:[_Any!]!){_entities(representations:$representations){__typename}}'
    const variables = { representations: [{ __typename: 'A', id: 1 }] }
    const call = { query, variables }
    expect(await answered(json({ data: { _entities: [null] } }), call)).toEqual({
      data: { _entities: [null] },
    })
    expect(await answered(json({ data: { _entities: [] } }), call)).toEqual(MASKED)
    expect(await answered(json({ data: { other: 1 } }), call)).toEqual(MASKED)
    const byName = { query: 'query($representations:[Int]){other}', variables }
    expect(await answered(json({ data: { other: 1 } }), byName)).toEqual({ data: { other: 1 } })
  })

  it('SRC-13 MUST be logged under the correlator where it is nonsense', async () => {
    const lines: string[] = []
    instance.answer = text('<html>')
    await ask(source(createLog('error', { write: line => void lines.push(line) })))
    expect(JSON.parse(lines[0]!)).toMatchObject({ correlator: 'c-demo', subgraph: 'loyalty', level: 50 })
    expect(lines.join()).not.toContain('Bearer of demo')
  })

  it('SRC-14 MUST be REQUEST_TIMEOUT_EXCEEDED when the operation is out of time', async () => {
    expect(await answered(silent, { timeoutMs: 30 })).toEqual(
      failure('The request took longer than 30 ms', 'REQUEST_TIMEOUT_EXCEEDED', 504),
    )
  })

  it('SRC-18 MUST be awaited a moment longer where something is written: the service says whether it was too late', async () => {
    const own = failure('The request took too long; nothing was posted', 'REQUEST_TIMEOUT_EXCEEDED', 504)
    const late: Answer = response => void setTimeout(() => json(own)(response, instance.requests.at(-1)!), 60)
    expect(await answered(late, { query: 'mutation {post}', timeoutMs: 30 })).toEqual(own)
    const unknown = 'The service did not answer in time; the request may have been executed'
    expect(await answered(silent, { query: 'mutation {post}', timeoutMs: 30 })).toEqual(
      failure(unknown, 'SERVICE_UNAVAILABLE', 503),
    )
  })

  it('SRC-15 MUST be SERVICE_UNAVAILABLE naming the subgraph when it is down', async () => {
    await instance.kill()
    expect(await answered(silent)).toEqual(
      failure('The subgraph loyalty cannot be reached', 'SERVICE_UNAVAILABLE', 503),
    )
    await instance.revive()
    expect(await answered(json({ data: {} }))).toEqual({ data: {} })
  })

  it('SRC-16 MUST count against the instance when it is a 5xx without GraphQL', async () => {
    await using own = upstreamsOver([instance], { now: () => 0 })
    const upstream = own.of('loyalty')!
    instance.answer = text('bad gateway', 502)
    for (let call = 0; call < 5; call++) await ask(createHttpSource(upstream, log))
    expect(() => upstream.claim()).toThrow('The subgraph loyalty cannot be reached')
  })

  it.each<[string, Answer]>([
    ['a 503, which says that it is busy', json({ code: 'SERVICE_UNAVAILABLE' }, 503)],
    ['a 5xx with GraphQL', json({ errors: [{ message: 'x' }] }, 500)],
    ['a 4xx', text('no', 401)],
  ])('SRC-17 MUST NOT count against the instance when it is %s', async (_, answer) => {
    await using own = upstreamsOver([instance], { now: () => 0 })
    const upstream = own.of('loyalty')!
    instance.answer = answer
    for (let call = 0; call < 6; call++) await ask(createHttpSource(upstream, log))
    expect(upstream.claim().origin).toBe(instance.origin)
  })
})
