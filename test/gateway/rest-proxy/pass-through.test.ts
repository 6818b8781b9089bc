/** REST paths of services behind the gateway: passed to their owner as they are, answered as it answers. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registerPassThrough } from '../../../gateway/rest-proxy/pass-through.ts'
import { readCorsOrigins } from '../../../subgraphs/shared/config/cors-origins.ts'
import type { App } from '../../../subgraphs/shared/context/app.ts'
import { createHttp } from '../../../subgraphs/shared/http/create-http.ts'
import {
  type Answer,
  json,
  log,
  silent,
  startInstance,
  type TestInstance,
  upstreamsOver,
} from '../upstream/support.ts'

const NAMES = ['postpaid-billing', 'prepaid', 'messaging', 'loyalty', 'redemption']
const PATH = '/prepaid/v1/recharges'
const PORTAL = 'https://portal.test'
const corsOrigins = readCorsOrigins([PORTAL])

let services: Record<string, TestInstance>
let upstreams: ReturnType<typeof upstreamsOver>
let http: FastifyInstance
let port: number

/** As the gateway's server, with as much of an application as it looks at. */
const startGateway = async (timeoutMs: number) => {
  const server = createHttp({
    config: { corsOrigins, maxInFlight: 100, requestTimeoutMs: 10_000, trustProxy: false },
    log,
  } as App)
  await registerPassThrough(server, upstreams, { timeoutMs })
  await server.listen({ port: 0, host: '127.0.0.1' })
  return server
}

const portOf = (server: FastifyInstance) => (server.server.address() as AddressInfo).port

beforeAll(async () => {
  const started = await Promise.all(NAMES.map(async name => [name, await startInstance()] as const))
  services = Object.fromEntries(started)
  // A clock that runs on takes every instance back at once, so that the tests do not meet each other's failures.
  let time = 0
  const now = () => (time += 60_000)
  upstreams = upstreamsOver(Object.fromEntries(started.map(([name, one]) => [name, [one]])), { now })
  http = await startGateway(10_000)
  port = portOf(http)
})
afterAll(async () => {
  await http.close()
  await upstreams.close()
  for (const service of Object.values(services)) await service[Symbol.asyncDispose]()
})
beforeEach(() => {
  for (const service of Object.values(services)) {
    service.asked.length = 0
    service.answer = json({})
  }
})

interface Sending {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer
  readonly to?: number
}

const send = async (path: string, { method = 'GET', headers, body, to = port }: Sending = {}) => {
  const sent = httpRequest({ host: '127.0.0.1', port: to, path, method, headers, agent: false }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: answer.statusCode,
    headers: answer.headers,
    raw: answer.rawHeaders,
    body: await buffer(answer),
  }
}

const prepaid = () => services['prepaid']!

const answer =
  (status: number, headers: Record<string, string | string[]>, body = ''): Answer =>
  response =>
    response.writeHead(status, headers).end(body)

describe('a request', () => {
  it.each([
    ['/postpaid-billing/v1/payments?offset=0&limit=5', 'postpaid-billing'],
    ['/prepaid/v1/recharges/a%2Fb?x=%20+&x=2', 'prepaid'],
    ['/v1/unified-messaging/send-single', 'messaging'],
    ['/loyalty/v1/nowhere//', 'loyalty'],
    ['/loyaltyredemption/v1', 'redemption'],
  ])('PASS-01 MUST come to the service whose path it is, unchanged: %s', async (path, name) => {
    expect((await send(path)).status).toBe(200)
    expect(services[name]!.asked.map(({ url }) => url)).toEqual([path])
  })

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'PASS-02 MUST come with its method: %s',
    async method => {
      await send(PATH, { method })
      expect(prepaid().asked.map(one => one.method)).toEqual([method])
    },
  )

  it.each([
    ['malformed JSON', '{"a": 1.50, ', 'application/json'],
    ['spaces and numbers as they were written', '{ "a" : 1.50 }\n', 'application/json; charset=utf-8'],
    ['bytes that are no text', Buffer.from([0, 255, 254, 128]), 'application/octet-stream'],
    ['an unknown type', 'x', 'text/x-unknown'],
    ['nothing', '', 'application/json'],
  ])('PASS-03 MUST come with its body: %s', async (_, body, type) => {
    const sent = Buffer.from(body)
    await send(PATH, { method: 'POST', body: sent, headers: { 'content-type': type } })
    const [asked] = prepaid().asked
    expect(asked!.body.equals(sent)).toBe(true)
    expect(asked!.headers).toMatchObject({ 'content-type': type, 'content-length': String(sent.length) })
  })

  it('PASS-04 MUST come with 1 MiB, and be refused with more', async () => {
    const full = Buffer.alloc(1024 * 1024, 'x')
    const headers = { 'content-type': 'application/json' }
    expect((await send(PATH, { method: 'POST', body: full, headers })).status).toBe(200)
    const more = Buffer.concat([full, Buffer.from('x')])
    const refused = await send(PATH, { method: 'POST', body: more, headers })
    expect([refused.status, JSON.parse(refused.body.toString()).message]).toEqual([
      400,
      'the request body must not be larger than 1 MiB',
    ])
    expect(prepaid().asked.map(({ body }) => body.length)).toEqual([full.length, 0])
  })

  it('PASS-08 MUST be refused as the service refuses it where that comes before a body that is too large', async () => {
    prepaid().answer = json({ code: 'UNAUTHORIZED' }, 401)
    const headers = { 'content-type': 'application/json' }
    const refused = await send(PATH, { method: 'POST', body: Buffer.alloc(1024 * 1024 + 1, 'x'), headers })
    expect([refused.status, refused.body.toString()]).toEqual([401, '{"code":"UNAUTHORIZED"}'])
  })

  it('PASS-05 MUST come with its headers, but those of one connection', async () => {
    const headers = {
      authorization: 'Bearer x',
      traceparent: '00-1-2-01',
      'x-own': 'kept',
      'x-hop': 'not kept',
      connection: 'close, X-Hop',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
      'x-forwarded-for': '10.0.0.1',
      forwarded: 'for=10.0.0.1',
      expect: '100-continue',
      'x-correlator': 'own-1',
    }
    await send(PATH, { headers })
    const [asked] = prepaid().asked
    expect(asked!.headers).toMatchObject({
      authorization: 'Bearer x',
      traceparent: '00-1-2-01',
      'x-own': 'kept',
      'x-correlator': 'own-1',
      'x-forwarded-for': '10.0.0.1, 127.0.0.1',
      forwarded: `for=10.0.0.1, for=127.0.0.1;host="127.0.0.1:${port}";proto=http`,
      host: prepaid().origin.slice('http://'.length),
    })
    for (const name of ['x-hop', 'te', 'proxy-authorization', 'expect'])
      expect(asked!.headers).not.toHaveProperty(name)
  })

  it('PASS-06 MUST come with the correlator that it was given here', async () => {
    const { headers } = await send(PATH)
    expect(prepaid().asked[0]!.headers['x-correlator']).toBe(headers['x-correlator'])
  })
})

describe('an answer', () => {
  it('PASS-10 MUST be the service’s, to the byte', async () => {
    const body = '{"amount": 1.500,\n "name":"é"}'
    prepaid().answer = answer(
      409,
      {
        'content-type': 'application/json',
        date: 'Sat, 21 Nov 2026 00:00:00 GMT',
        location: '/prepaid/v1/recharges/1',
        'set-cookie': ['a=1', 'b=2'],
        'x-total-count': '7',
        'x-correlator': 'own-2',
        connection: 'X-Hop',
        'x-hop': 'not kept',
      },
      body,
    )
    const got = await send(PATH, { headers: { 'x-correlator': 'own-2' } })
    expect([got.status, got.body.toString()]).toEqual([409, body])
    expect(got.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      date: 'Sat, 21 Nov 2026 00:00:00 GMT',
      location: '/prepaid/v1/recharges/1',
      'set-cookie': ['a=1', 'b=2'],
      'x-total-count': '7',
    })
    expect(got.headers).not.toHaveProperty('x-hop')
    expect(got.raw.filter(name => name.toLowerCase() === 'x-correlator')).toHaveLength(1)
    expect(got.headers['x-correlator']).toBe('own-2')
  })

  it.each([
    [204, {}],
    [304, { etag: '"1"' }],
    [404, { 'content-type': 'application/json' }],
    [405, { allow: 'GET, POST' }],
  ])('PASS-11 MUST keep the service’s status: %i', async (status, headers) => {
    prepaid().answer = answer(status, headers)
    const got = await send(PATH, { method: 'DELETE' })
    expect(got.status).toBe(status)
    expect(got.headers).toMatchObject(headers)
    expect(got.body).toHaveLength(0)
  })

  it('PASS-12 MUST say how long the body is that HEAD leaves out', async () => {
    prepaid().answer = answer(200, { 'content-length': '1234', 'content-type': 'application/json' })
    const { headers, body } = await send(PATH, { method: 'HEAD' })
    expect([headers['content-length'], body.length]).toEqual(['1234', 0])
  })

  it('PASS-13 MUST be one for each write, also where the connection breaks', async () => {
    prepaid().answer = response => void response.socket!.destroy()
    const got = await send(PATH, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(got.status).toBe(503)
    expect(JSON.parse(got.body.toString())).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      status: '503',
      message: 'The connection to the service prepaid broke; what was asked may have been done',
    })
    expect(prepaid().asked).toHaveLength(1)
    await send(PATH)
    expect(prepaid().asked).toHaveLength(3)
  })

  it('PASS-14 MUST be 503 with Retry-After while the service is down', async () => {
    await prepaid().kill()
    const got = await send(PATH)
    await prepaid().revive()
    expect([got.status, got.headers['retry-after']]).toEqual([503, '2'])
    expect(JSON.parse(got.body.toString())).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      status: '503',
      message: 'The service prepaid cannot be reached',
    })
    expect(got.headers).toHaveProperty('x-correlator')
  })

  it('PASS-15 MUST be 504 when the service takes a second longer than it may', async () => {
    // With the extended deadline, a second longer, it is 30 ms.
    const hurried = await startGateway(-970)
    prepaid().answer = silent
    const got = await send(PATH, { to: portOf(hurried) })
    await hurried.close()
    expect([got.status, JSON.parse(got.body.toString()).code]).toEqual([504, 'REQUEST_TIMEOUT_EXCEEDED'])
  })
})

describe('a path', () => {
  it('PASS-22 MUST be OUT_OF_RANGE where a list is refused here already, and no other request', async () => {
    const refusal = async (method: string, path: string) => {
      const headers = { 'x-correlator': 'not a correlator' }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await refusal('GET', PATH)).toEqual([400, 'OUT_OF_RANGE'])
    expect(await refusal('POST', PATH)).toEqual([400, 'INVALID_ARGUMENT'])
    expect(await refusal('GET', `${PATH}/1`)).toEqual([400, 'INVALID_ARGUMENT'])
  })

  it('PASS-20 MUST be answered here where no service has it', async () => {
    const got = await send('/prepaid/v2/recharges')
    expect([got.status, JSON.parse(got.body.toString()).code]).toEqual([404, 'NOT_FOUND'])
    expect(prepaid().asked).toHaveLength(0)
  })

  it('PASS-22 MUST come without its origin, and be for a page that this server lets read it', async () => {
    const answer = await send(PATH, { headers: { origin: PORTAL } })
    expect(services['prepaid']!.asked[0]!.headers).not.toHaveProperty('origin')
    expect(answer.headers['access-control-allow-origin']).toBe(PORTAL)
  })

  it('PASS-21 MUST come without the origin that stands before a path', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'GET http://elsewhere.test/prepaid/v1/recharges?a=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    )
    expect((await buffer(socket)).toString()).toMatch(/^HTTP\/1.1 200/)
    expect(prepaid().asked.map(({ url }) => url)).toEqual([`${PATH}?a=1`])
  })
})
