/** The log of requests: it identifies each of them, and reveals nothing that their clients keep secret. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '#core/context/app.ts'
import { createHttp } from '#core/http/server.ts'
import { createLog } from '#core/observability/log.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

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

  it('HTTP-LOG-02 MUST name correlator, method, path, status and time of each request, and nothing else', async () => {
    lines.length = 0
    const headers = { authorization: `Bearer ${token}`, 'x-correlator': 'line-1' }
    await (await fetch(`${stack.address}${first!.path}?perPage=1`, { headers })).arrayBuffer()
    await expect.poll(() => lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 30,
      time: expect.any(Number),
      correlator: 'line-1',
      method: 'GET',
      path: first!.path,
      status: 200,
      ms: expect.any(Number),
      msg: 'request',
    })
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
    await using server = createHttp({ config, log } as App)
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
