/** The log of requests: it identifies each of them, and reveals nothing that their clients keep secret. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '#core/context/app.ts'
import { createHttp } from '#core/http/server.ts'
import { createAccessLog } from '#core/observability/access-log.ts'
import { createLog } from '#core/observability/log.ts'
import { createRequests } from '#core/observability/request-facts.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { connect } from '#test/support/subscribe.ts'

const lines: string[] = []
let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'info' }, logLines: lines })
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const SECRET = 'never-to-be-logged'
const [first] = FIXTURES
const GRAPH = `query=${encodeURIComponent(`{ ${SECRET.replaceAll('-', '_')} }`)}`

/** Parts of a request that must not be logged: all but path and correlator, which identify it. */
const HEADERS = [
  'accept',
  'cookie',
  'forwarded',
  'if-none-match',
  'origin',
  'proxy-authorization',
  'referer',
  'tracestate',
  'user-agent',
  'x-api-key',
  'x-forwarded-for',
].map(name => [name, SECRET] as const)

const REQUESTS: [method: string, path: string, type: string, body?: string][] = [
  ['POST', first!.path, 'application/json', JSON.stringify({ ...first!.body(), cvv: SECRET, note: SECRET })],
  ['POST', first!.path, 'application/json', `{"secret": "${SECRET}`],
  ['POST', first!.path, `text/${SECRET}`, SECRET],
  ['GET', '/postpaid-billing/v1/payments?perPage=1', 'application/json'],
  ['POST', '/graphql', 'application/json', JSON.stringify({ query: `{ me { id } } # ${SECRET}` })],
  ['POST', '/graphql', 'application/json', JSON.stringify({ query: `{ ${SECRET} }` })],
  ['GET', `/graphql?${GRAPH}`, 'application/json'],
  ['POST', '/oauth2/accesstoken', 'application/x-www-form-urlencoded', `client_secret=${SECRET}`],
  ['DELETE', first!.path, 'application/json'],
  ['POST', '/nowhere', 'application/json', `"${SECRET}"`],
]

const withQuery = (path: string) => `${path}${path.includes('?') ? '&' : '?'}token=${SECRET}`

describe('the log of requests', () => {
  it.each(['Bearer', 'Basic'])(
    'HTTP-LOG-01 MUST hold nothing of headers, queries and bodies, whatever comes of them: %s',
    async scheme => {
      lines.length = 0
      for (const [method, path, type, body] of REQUESTS) {
        const authorization = scheme === 'Bearer' ? `Bearer ${token}` : `Basic ${btoa(`x:${SECRET}`)}`
        const headers = { ...Object.fromEntries(HEADERS), authorization, 'content-type': type }
        await (await fetch(stack.address + withQuery(path), { method, headers, body })).arrayBuffer()
      }
      const logged = () => lines.filter(line => line.includes('"msg":"request"'))
      await expect.poll(logged).toHaveLength(REQUESTS.length)
      const kept = [SECRET, SECRET.replaceAll('-', '_'), btoa(`x:${SECRET}`), token]
      expect(lines.filter(line => kept.some(secret => line.includes(secret)))).toEqual([])
    },
  )

  it('HTTP-LOG-02 MUST name client, operation, outcome, time and size of each request, and nothing else', async () => {
    lines.length = 0
    const headers = {
      authorization: `Bearer ${token}`,
      'x-correlator': 'line-1',
      'accept-encoding': 'identity',
    }
    const body = await (await fetch(`${stack.address}${first!.path}?perPage=1`, { headers })).arrayBuffer()
    await expect.poll(() => lines).toHaveLength(1)
    const line = JSON.parse(lines[0]!)
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      correlator: 'line-1',
      client: 'demo-partner',
      way: 'REST',
      method: 'GET',
      path: first!.path,
      operation: expect.any(String),
      status: 200,
      ms: expect.any(Number),
      databaseMs: expect.any(Number),
      subgraphMs: expect.any(Number),
      bytes: body.byteLength,
      msg: 'request',
    })
    expect(line.databaseMs).toBeGreaterThan(0)
    expect(line.databaseMs).toBeLessThanOrEqual(line.ms)
  })

  it('HTTP-LOG-04 MUST name the transaction of a request, and code and reason of a refusal', async () => {
    lines.length = 0
    const body = JSON.stringify(first!.body())
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (let time = 0; time < 2; time++)
      await (await fetch(stack.address + first!.path, { method: 'POST', headers, body })).arrayBuffer()
    const logged = () => lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    await expect.poll(logged).toHaveLength(2)
    const [posted, refused] = logged()
    expect(posted).toMatchObject({ operation: 'createPayment', status: 201, transaction: expect.any(String) })
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT', reason: 'DUPLICATE_CORRELATOR' })
    expect(refused.transaction).toBe(posted.transaction)
  })

  it('HTTP-LOG-05 MUST have one line at the end of a stream, with what it delivered', async () => {
    lines.length = 0
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    }
    const body = JSON.stringify({ query: 'query Streamed { me { id } }' })
    const sent = await (await fetch(`${stack.address}/graphql`, { method: 'POST', headers, body })).text()
    using socket = connect(stack.address, { Authorization: `Bearer ${token}` })
    using stream = socket.subscribe('subscription Live { paymentEvents { eventid } }')
    await expect.poll(() => stack.listeners()).toBeGreaterThan(0)
    await (
      await fetch(stack.address + first!.path, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json' },
        body: JSON.stringify(first!.body()),
      })
    ).arrayBuffer()
    await stream.next()
    const logged = () => lines.map(line => JSON.parse(line)).filter(({ way }) => way === 'STREAM')
    await expect.poll(logged).toHaveLength(1)
    expect(logged()[0]).toMatchObject({
      operation: 'Streamed',
      client: 'demo-partner',
      delivered: 1,
      status: 200,
    })
    expect(logged()[0].bytes).toBeLessThanOrEqual(sent.length)
    stream[Symbol.dispose]()
    await expect.poll(logged).toHaveLength(2)
    const [, live] = logged()
    expect(live).toMatchObject({ operation: 'Live', client: 'demo-partner', method: 'WEBSOCKET' })
    expect(live.delivered).toBeGreaterThanOrEqual(1)
    expect(live.bytes).toBeGreaterThan(50)
  })

  it('HTTP-LOG-06 MUST never mix the facts of requests that run at once', async () => {
    const clients = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const id = `apart-${index}`
        return { id, token: await stack.token({ id, role: 'partner', currencies: ['OMR'] }) }
      }),
    )
    lines.length = 0
    const rounds = Array.from({ length: 6 }, (_, round) => round)
    const send = async (id: string, own: string, round: number) => {
      const headers = {
        authorization: `Bearer ${own}`,
        'content-type': 'application/json',
        'x-correlator': `${id}.${round}`,
      }
      if (round % 2 === 0) {
        const query = `query ${id.replace('-', '_')}_${round} { me { id } payments(first: 1) { totalCount } }`
        const init = { method: 'POST', headers, body: JSON.stringify({ query }) }
        await (await fetch(`${stack.address}/graphql`, init)).arrayBuffer()
        return undefined
      }
      const init = { method: 'POST', headers, body: JSON.stringify(first!.body()) }
      const posted = (await (await fetch(stack.address + first!.path, init)).json()) as object
      return Object.values(posted)[0] as string
    }
    const posted = await Promise.all(
      clients.flatMap(({ id, token: own }) => rounds.map(round => send(id, own, round))),
    )
    const logged = () => lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    await expect.poll(logged).toHaveLength(posted.length)
    const byCorrelator = new Map(logged().map(line => [line.correlator, line]))
    clients.forEach(({ id }, index) => {
      for (const round of rounds) {
        const line = byCorrelator.get(`${id}.${round}`)
        const isGraph = round % 2 === 0
        const operation = isGraph ? `${id.replace('-', '_')}_${round}` : 'createPayment'
        expect(line).toMatchObject({ client: id, operation, way: isGraph ? 'GRAPH' : 'REST' })
        expect(line.transaction).toBe(posted[index * rounds.length + round])
        expect(line.databaseMs).toBeLessThanOrEqual(line.ms)
      }
    })
    expect(new Set(posted.filter(Boolean)).size).toBe(clients.length * 3)
  })

  it('HTTP-LOG-03 MUST be silent about health and metrics', async () => {
    lines.length = 0
    for (const path of ['/health/live', '/health/ready?x', '/metrics', '/metrics?x'])
      await (await fetch(stack.address + path)).arrayBuffer()
    await (await fetch(`${stack.address}/health`)).arrayBuffer()
    await expect.poll(() => lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ path: '/health', status: 404 })
  })
})

describe('the logger of a request', () => {
  it('HTTP-LOG-10 MUST name its correlator, and no secret that is logged by mistake', async () => {
    const said: string[] = []
    const config = { ...stack.app.config }
    const log = createLog('trace', { write: line => void said.push(line) })
    const requests = createRequests(() => undefined)
    requests.onEnd(createAccessLog(log))
    await using server = createHttp({ config, log, requests } as App)
    server.get('/', async ({ log: own }) => {
      own.warn({ card: { cvv: SECRET } }, 'of %s', 'one')
      own.child({ part: 'two' }).debug('deeper')
      own.level = 'error'
      own.warn('not any more')
      return own.level
    })
    const headers = { host: 'x', 'x-correlator': 'own-1' }
    expect((await server.inject({ url: '/', headers })).body).toBe('error')
    const [warning, deeper, ...rest] = said.map(line => JSON.parse(line))
    expect(warning).toMatchObject({ correlator: 'own-1', card: { cvv: '[redacted]' }, msg: 'of one' })
    expect(deeper).toMatchObject({ correlator: 'own-1', part: 'two', msg: 'deeper' })
    expect(rest.map(({ msg }) => msg)).toEqual(['request'])
  })
})
