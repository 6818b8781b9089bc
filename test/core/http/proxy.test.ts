/** Proxies that are trusted to report a client's address, and the consequences of that address. */
import { afterAll, describe, expect, it } from 'vitest'
import { readCorsOrigins, readTrustProxy } from '#core/config/addresses.ts'
import type { App } from '#core/context/app.ts'
import { guardMetrics } from '#core/http/metrics.ts'
import { createHttp } from '#core/http/server.ts'
import { createLog } from '#core/observability/log.ts'
import { createRequests } from '#core/observability/request-facts.ts'

const servers: AsyncDisposable[] = []
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]()
})

/** A server as the program makes it, which says whom it takes the client to be, and shows what metrics show. */
const start = (proxies: string | undefined) => {
  const trustProxy = readTrustProxy(proxies)
  const corsOrigins = readCorsOrigins([])
  const config = {
    corsOrigins,
    maxInFlight: 10,
    requestTimeoutMs: 1_000,
    trustProxy,
    metricsToken: 'of-the-operator',
  }
  const server = createHttp({
    config,
    log: createLog('silent'),
    requests: createRequests(() => undefined),
  } as App)
  server.get('/whoami', async ({ ip }) => ({ ip }))
  server.get('/metrics', { onRequest: guardMetrics(config) }, async () => 'figures')
  servers.push(server)
  return server
}

const ask = async (
  proxies: string | undefined,
  remoteAddress: string,
  forwarded: string | undefined,
  url = '/whoami',
  headers: Record<string, string> = {},
) => {
  const all = { ...headers, host: 'x', ...(forwarded && { 'x-forwarded-for': forwarded }) }
  return start(proxies).inject({ method: 'GET', url, remoteAddress, headers: all })
}

describe('a client’s address', () => {
  it.each([
    [undefined, '10.0.0.1', '1.2.3.4', '10.0.0.1', 'no proxy is trusted'],
    ['1', '10.0.0.1', '1.2.3.4', '1.2.3.4', 'one proxy'],
    ['1', '10.0.0.1', '9.9.9.9, 1.2.3.4', '1.2.3.4', 'one proxy, and an entry that the client forged'],
    ['2', '10.0.0.1', '9.9.9.9, 1.2.3.4, 10.0.0.2', '1.2.3.4', 'two proxies, and a forged entry'],
    ['10.0.0.0/8', '10.0.0.1', '9.9.9.9, 1.2.3.4, 10.0.0.2', '1.2.3.4', 'known proxies, and a forged entry'],
    ['10.0.0.0/8', '8.8.8.8', '1.2.3.4', '8.8.8.8', 'somebody who is no proxy'],
    ['10.0.0.1,fd00::/8', 'fd00::1', '1.2.3.4, 10.0.0.1', '1.2.3.4', 'proxies of both families'],
    ['10.0.0.0/8', '10.0.0.1', '10.9.9.9, 1.2.3.4', '1.2.3.4', 'a forged entry that looks like a proxy'],
  ])(
    'PROXY-01 with TRUST_PROXY=%s, from %s, X-Forwarded-For: %s MUST be %s: %s',
    async (proxies, from, said, ip, _what) => {
      expect((await ask(proxies, from, said)).json()).toEqual({ ip })
    },
  )
})

describe('metrics', () => {
  it.each([
    [undefined, '127.0.0.1', undefined, 200],
    [undefined, '::ffff:127.0.0.1', undefined, 200],
    [undefined, '192.168.7.7', undefined, 200],
    [undefined, 'fd12::1', undefined, 200],
    [undefined, '8.8.8.8', undefined, 401],
    [undefined, '2001:4860::1', undefined, 401],
    [undefined, '127.0.0.1', '8.8.8.8', 401],
    [undefined, '8.8.8.8', '127.0.0.1', 401],
    ['1', '127.0.0.1', '8.8.8.8', 401],
    ['1', '127.0.0.1', '10.1.1.1', 200],
  ])('PROXY-10 with TRUST_PROXY=%s, from %s for %s MUST answer %i', async (proxies, from, said, status) => {
    expect((await ask(proxies, from, said, '/metrics')).statusCode).toBe(status)
  })

  it.each([
    ['Bearer of-the-operator', 200],
    ['Bearer of-the-operato', 401],
    ['of-the-operator', 401],
  ])('PROXY-11 MUST be shown to any client with their token: %s', async (authorization, status) => {
    const { statusCode } = await ask(undefined, '8.8.8.8', undefined, '/metrics', { authorization })
    expect(statusCode).toBe(status)
  })
})
