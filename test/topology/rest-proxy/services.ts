/** Services that answer as a test says, and a gateway before them that passes REST on. */

import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { readCorsOrigins } from '#core/config/addresses.ts'
import type { App } from '#core/context/app.ts'
import { createHttp } from '#core/http/server.ts'
import { createRequests } from '#core/observability/request-facts.ts'
import { log } from '#test/support/fetches.ts'
import { type Answer, json, startInstance, type TestInstance } from '#test/support/http-instance.ts'
import { upstreamsOver } from '#test/topology/upstream/support.ts'
import { registerPassThrough } from '#topology/rest-proxy/pass-through.ts'

const NAMES = ['postpaid-billing', 'prepaid', 'messaging', 'loyalty', 'redemption']

export const PATH = '/prepaid/v1/recharges'

export const PORTAL = 'https://portal.test'

const corsOrigins = readCorsOrigins([PORTAL])

export let services: Record<string, TestInstance>

let upstreams: ReturnType<typeof upstreamsOver>

export let http: FastifyInstance

export let port: number

/** As the gateway's server, with as much of an application as it looks at. */
export const startGateway = async (timeoutMs: number) => {
  const server = createHttp({
    config: { corsOrigins, maxInFlight: 100, requestTimeoutMs: 10_000, trustProxy: false },
    log,
    requests: createRequests(() => undefined),
  } as App)
  await registerPassThrough(server, upstreams, { timeoutMs })
  await server.listen({ port: 0, host: '127.0.0.1' })
  return server
}

export const portOf = (server: FastifyInstance) => (server.server.address() as AddressInfo).port

interface Sending {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer
  readonly to?: number
}

export const send = async (path: string, { method = 'GET', headers, body, to = port }: Sending = {}) => {
  const sent = httpRequest({ host: '127.0.0.1', port: to, path, method, headers, agent: false }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: answer.statusCode,
    headers: answer.headers,
    raw: answer.rawHeaders,
    body: await buffer(answer),
  }
}

export const prepaid = () => services['prepaid']!

export const answer =
  (status: number, headers: Record<string, string | string[]>, body = ''): Answer =>
  response =>
    response.writeHead(status, headers).end(body)

/** Starts services and gateway before the file’s tests. */
export const useServices = () => {
  beforeAll(async () => {
    const started = await Promise.all(NAMES.map(async name => [name, await startInstance()] as const))
    services = Object.fromEntries(started)
    // A clock that runs on takes every instance back at once, so that the tests do not meet each other's failures.
    let time = 0
    const now = () => (time += 60_000)
    upstreams = upstreamsOver(Object.fromEntries(started), { now })
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
      service.requests.length = 0
      service.answer = json({})
    }
  })
}
