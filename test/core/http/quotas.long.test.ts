/** Quotas of a client, and of an address without a token: beyond them 503, while others are served. */
import { once } from 'node:events'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pace } from '#core/async/limits.ts'
import { registerAnonymousLimits } from '#core/http/limits.ts'
import { graphOf, restOf } from '#test/support/both-interfaces.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '#test/support/subgraph.ts'
import { requestText, sendRaw } from './raw.ts'

let stack: Stack
let subgraph: LoneSubgraph
beforeAll(async () => {
  stack = await startStack()
  subgraph = await serveSubgraph(stack.app, 'prepaid')
})
afterAll(async () => {
  await subgraph[Symbol.asyncDispose]()
  await stack[Symbol.asyncDispose]()
})

const { path } = FIXTURES.find(({ path: one }) => one === '/prepaid/v1/recharges')!
/** Clients are remembered for 2 s. */
const PATIENT = { timeout: 8_000 }

const quotaOf = async (id: string, quotas: object) => {
  const token = await stack.token({ id, role: 'partner' })
  await stack.app.db.client.update({ where: { id }, data: { quotas } })
  return token
}

describe('a client', () => {
  it('QUOTA-HTTP-01 MUST learn what it has left, on REST and in the graph', async () => {
    const token = await stack.token()
    const rest = await restOf(stack)('GET', path, { token })
    const graph = await graphOf(stack)('{ __typename }', { token })
    for (const { headers } of [rest, graph]) {
      expect(headers.get('ratelimit-policy')).toBe('"client";q=20000;w=2')
      expect(headers.get('ratelimit')).toMatch(/^"client";r=\d+;t=0$/)
    }
  })

  it('QUOTA-HTTP-02 MUST have ten times as much at the port of a subgraph, counted apart', async () => {
    const headers = { authorization: `Bearer ${await stack.token()}`, 'content-type': 'application/json' }
    const body = '{"query":"{ __typename }"}'
    const response = await fetch(`${subgraph.address}/graphql`, { method: 'POST', headers, body })
    expect(response.headers.get('ratelimit-policy')).toBe('"client";q=200000;w=2')
  })

  it('QUOTA-HTTP-03 MUST be refused beyond its quota, while others are served', async () => {
    const token = await quotaOf('hurried', { requestsPerSecond: 1 })
    const other = await stack.token()
    const ask = () => restOf(stack)('GET', path, { token })
    const refused = await expect
      .poll(
        async () => (await Promise.all([ask(), ask(), ask(), ask()])).find(({ status }) => status === 503),
        {
          timeout: 8_000,
        },
      )
      .toBeDefined()
      .then(async () =>
        (await Promise.all([ask(), ask(), ask(), ask()])).find(({ status }) => status === 503),
      )
    expect(refused!.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: '503' })
    expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused!.headers.get('ratelimit')).toMatch(/^"client";r=0;t=[1-9]/)
    const { status, errors, headers } = await graphOf(stack)('{ __typename }', { token })
    expect([status, errors[0]!.extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(headers.has('retry-after')).toBe(true)
    expect((await restOf(stack)('GET', path, { token: other })).status).toBe(200)
  })

  it('QUOTA-HTTP-04 MUST have its places back when its requests end, also by its going', async () => {
    const token = await quotaOf('narrow', { requestsInFlight: 1 })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const half = sendRaw(
      stack.address,
      requestText(`POST ${path}`, { ...headers, 'content-length': 100 }, '{'),
    )
    await expect.poll(async () => (await restOf(stack)('GET', path, { token })).status, PATIENT).toBe(503)
    half.socket.destroy()
    await expect.poll(async () => (await restOf(stack)('GET', path, { token })).status, PATIENT).toBe(200)
  })

  it('QUOTA-HTTP-05 MUST not hold more in bodies that it sends slowly than fits, while others and small ones are served', async () => {
    const token = await stack.token({ id: 'heavy', role: 'partner' })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const halves = Array.from({ length: 32 }, () =>
      sendRaw(stack.address, requestText(`POST ${path}`, { ...headers, 'content-length': 1024 * 1024 }, '{')),
    )
    const large = (as: string) =>
      restOf(stack)('POST', path, { token: as, body: { padding: 'x'.repeat(100_000) } })
    await expect.poll(async () => (await large(token)).status, PATIENT).toBe(503)
    expect((await large(token)).body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await large(await stack.token())).status).toBe(400)
    expect((await restOf(stack)('POST', path, { token, body: {} })).status).toBe(400)
    for (const { socket } of halves) socket.destroy()
    await expect.poll(async () => (await large(token)).status, PATIENT).toBe(400)
  })
})

describe('an address', () => {
  const start = async (connections: number, requests: Pace) => {
    const server = fastify({ forceCloseConnections: true })
    registerAnonymousLimits(server, false, { allConnections: 1_000, connections, requests })
    server.post('/oauth2/accesstoken', (_, reply) => reply.code(401).send('no'))
    server.get('/health/live', async () => 'live')
    return { server, address: await server.listen({ port: 0 }) }
  }

  it('QUOTA-HTTP-10 MUST be refused after too many requests for a token; not at health', async () => {
    const { server, address } = await start(100, { perSecond: 0.1, atOnce: 1, longestMs: 10 })
    await using _ = server
    const statusOf = async (url: string, method = 'GET') => (await fetch(address + url, { method })).status
    expect(await statusOf('/oauth2/accesstoken', 'POST')).toBe(401)
    expect(await statusOf('/oauth2/accesstoken', 'POST')).toBe(503)
    expect(await statusOf('/health/live')).toBe(200)
  })

  it('QUOTA-HTTP-11 MUST lose its oldest connection without a token to one too many', async () => {
    const { server, address } = await start(3, { perSecond: 100, atOnce: 100, longestMs: 10 })
    await using _ = server
    const held = []
    for (let count = 0; count < 3; count++) {
      held.push(sendRaw(address, 'GET / HTTP/1.1\r\n'))
      await once(held.at(-1)!.socket, 'connect')
    }
    expect((await fetch(`${address}/health/live`)).status).toBe(200)
    expect(await held[0]!.closed()).toBe('')
    expect(held[2]!.socket.destroyed).toBe(false)
    for (const { socket } of held) socket.destroy()
  })
})
