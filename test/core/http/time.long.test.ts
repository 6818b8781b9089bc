/** Time limits of every phase of a request: a slow client takes no other's slot. */
import { once } from 'node:events'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerWriteTime } from '#core/http/bodies.ts'
import { restOf } from '#test/support/both-interfaces.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { type RawConnection, readResponse, requestText, sendRaw } from './raw.ts'

const LIMIT_MS = 1_000
const logLines: string[] = []
let stack: Stack
let token: string
beforeAll(async () => {
  const env = { REQUEST_TIMEOUT_MS: String(LIMIT_MS), MAX_IN_FLIGHT: '10', LOG_LEVEL: 'info' }
  stack = await startStack({ env, logLines })
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const [first] = FIXTURES
const HALF = { 'content-type': 'application/json', 'content-length': 1_000 }
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 1_000 }
const half = (path: string, headers: Record<string, string | number>) =>
  sendRaw(stack.address, requestText(`POST ${path}`, headers, '{"a":'))
const withToken = () => ({ ...HALF, authorization: `Bearer ${token}` })

/** Sends a byte whenever the server has had time for one. */
const trickle = ({ socket }: RawConnection) => {
  const timer = setInterval(() => socket.write(' '), 50)
  socket.once('close', () => clearInterval(timer))
}

const refused = { status: 400, body: { code: 'INVALID_ARGUMENT', status: '400' } }

describe('a body', () => {
  it.each([['/graphql'], [first!.path]])('TIME-01 MUST be refused when it stops: %s', async path => {
    const response = readResponse(await half(path, withToken()).closed())
    const { errors: [error] = [] } = response.body
    expect(response.status).toBe(refused.status)
    expect(error?.extensions.code ?? response.body.code).toBe(refused.body.code)
    expect(error?.message ?? response.body.message).toBe('the request body did not come in time')
    expect(response.headers.get('connection')).toBe('close')
    expect(response.headers.has('x-correlator')).toBe(true)
  })

  it('TIME-02 MUST be refused when it trickles', async () => {
    const connection = half(first!.path, withToken())
    trickle(connection)
    expect(readResponse(await connection.closed())).toMatchObject(refused)
  })

  it('TIME-03 MUST be refused at the token endpoint in its own words', async () => {
    const response = readResponse(await half('/oauth2/accesstoken', FORM).closed())
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('TIME-04 MUST not keep a connection whose client does not read', async () => {
    const connection = half('/nowhere', HALF)
    trickle(connection)
    expect(readResponse(await connection.closed())).toMatchObject({ status: 404 })
  })
})

describe('headers', () => {
  it.each(['', 'POST /graphql HTTP/1.1\r\nhost: x\r\nx-'])('TIME-10 MUST come in time: %j', async bytes => {
    const response = readResponse(await sendRaw(stack.address, bytes).closed())
    expect(response).toMatchObject({ status: 408, body: { code: 'INVALID_ARGUMENT', status: '408' } })
  })
})

describe('half-sent bodies, more than may be in flight', () => {
  it('TIME-20 MUST keep no other client from being served, with and without a token', async () => {
    const headers = [HALF, withToken(), FORM]
    const paths = ['/graphql', first!.path, '/oauth2/accesstoken']
    const held = Array.from({ length: 60 }, (_, index) => half(paths[index % 3]!, headers[index % 3]!))
    await Promise.all(held.map(({ socket }) => once(socket, 'connect')))
    const [live, ready, metrics] = ['/health/live', '/health/ready', '/metrics']
    for (const path of [live, ready, metrics]) expect((await fetch(stack.address + path)).status).toBe(200)
    const posted = await restOf(stack)('POST', first!.path, { token, body: first!.body() })
    expect(posted.status).toBe(201)
    await Promise.all(held.map(connection => connection.closed()))
  })

  it('TIME-21 MUST not be a failure of ours when their clients go', async () => {
    const connection = half(first!.path, { ...withToken(), 'x-correlator': 'gone-1' })
    await once(connection.socket, 'connect')
    // A request that comes back says that the one before it has been read so far.
    await fetch(`${stack.address}/health/live`)
    connection.socket.destroy()
    await expect
      .poll(() => logLines.filter(line => line.includes('gone-1')), { timeout: 8_000 })
      .not.toHaveLength(0)
    const levels = logLines.filter(line => line.includes('gone-1')).map(line => JSON.parse(line).level)
    expect(levels.filter(level => level !== 30 && level !== 'info')).toEqual([])
  })
})

it('TIME-30 MUST cut off a client that does not read its response', async () => {
  await using server = fastify({ forceCloseConnections: true })
  registerWriteTime(server, 200)
  const closed = Promise.withResolvers<boolean>()
  server.get('/', (_, reply) => {
    reply.raw.once('close', () => closed.resolve(reply.raw.writableFinished))
    return reply.send('x'.repeat(32 * 1024 * 1024))
  })
  const address = await server.listen({ port: 0 })
  const connection = sendRaw(address, requestText('GET /'))
  connection.socket.pause()
  expect(await closed.promise).toBe(false)
  connection.socket.destroy()
})
