/**
 * Floods: a client that wants everything is refused early and by its own share, while others are admitted. Requests are
 * under way until the test lets them end.
 */
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it, vi } from 'vitest'
import { invalidToken } from '#core/access/claims.ts'
import { createClientUsage } from '#core/access/client-usage.ts'
import { DEFAULT_QUOTAS, type Principal, type Quotas } from '#core/access/principal.ts'
import type { Verify } from '#core/access/tokens.ts'
import type { Pace } from '#core/async/limits.ts'
import { readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { operationsOf, readDocument } from '#core/contract/openapi.ts'
import { authenticate } from '#core/http/authenticate.ts'
import { ANONYMOUS_LIMITS, registerAnonymousLimits } from '#core/http/limits.ts'
import { registerRest } from '#core/http/rest.ts'
import { createHttp } from '#core/http/server.ts'
import { createLog } from '#core/observability/log.ts'
import { createRequests } from '#core/observability/request-facts.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { exchange, readResponse, requestText, sendRaw } from './raw.ts'

const principal = (clientId: string, quotas: Partial<Quotas> = {}): Principal => ({
  clientId,
  name: clientId,
  role: 'partner',
  limits: { currencies: ['OMR'], dummyCards: false },
  quotas: { ...DEFAULT_QUOTAS, ...quotas },
  expiresAt: new Date(8e15),
})

/** `Bearer known-x` is the token of client x, which was shown before; any other is new, and wrong. */
const createVerify = (quotas: Partial<Quotas>) => {
  const verified: string[] = []
  const verify: Verify = async (authorization = '', admitNew = work => work()) => {
    const known = /^Bearer known-(.*)$/.exec(authorization)?.[1]
    if (known) return principal(known, quotas)
    return admitNew(async () => {
      verified.push(authorization)
      throw invalidToken('malformed', 'The access token is malformed')
    })
  }
  return { verified, verify }
}

interface Settings {
  readonly env?: Record<string, string>
  readonly quotas?: Partial<Quotas>
  /** How an address without a known token is paced. */
  readonly anonymous?: Pace
}

let server: FastifyInstance
afterEach(async () => {
  vi.restoreAllMocks()
  server.server.closeAllConnections()
  await server.close()
})

const createApp = ({ env = {}, quotas = {} }: Settings) => {
  const { verified, verify } = createVerify(quotas)
  const logLines: string[] = []
  const log = createLog('info', { write: line => void logLines.push(line) })
  const config = readConfig({ DATA_DIR: 'memory:', ...env })
  const requests = createRequests(() => undefined)
  const app = {
    ...{ config, log, requests, usage: createClientUsage(), access: { verify } },
    refusals: { countToken: () => undefined },
    accessRecords: { trailOf: () => undefined },
  } as unknown as App
  return { app, verified, logLines }
}

/** A server whose requests begin, and end when they are let. */
const start = async (settings: Settings = {}) => {
  const { app, verified, logLines } = createApp(settings)
  server = createHttp(app)
  if (settings.anonymous)
    registerAnonymousLimits(server, false, { ...ANONYMOUS_LIMITS, requests: settings.anonymous })
  const begun: string[] = []
  const held = Promise.withResolvers<void>()
  const handler = async ({ principal: who }: { principal?: Principal }) => {
    begun.push(who!.clientId)
    if (who!.clientId === 'flood') await held.promise
    return {}
  }
  server.route({ method: ['GET', 'POST'], url: '/work', onRequest: authenticate(app), handler })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const ask = (token: string) => fetch(`${address}/work`, { headers: { authorization: `Bearer ${token}` } })
  return { address, ask, begun, verified, logLines, letGo: held.resolve }
}

const many = <T>(count: number, ask: () => Promise<T>) => Array.from({ length: count }, ask)

it('FLOOD-01 MUST begin another client at once while a flood of one has its places and waits', async () => {
  const { begun, letGo } = await start()
  const inject = async (client: string) =>
    await server.inject({ url: '/work', headers: { host: 'x', authorization: `Bearer known-${client}` } })
  const flood = many(400, () => inject('flood'))
  expect((await inject('partner')).statusCode).toBe(200)
  expect(begun.indexOf('partner')).toBeLessThan(200)
  letGo()
  expect(new Set((await Promise.all(flood)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(begun).toHaveLength(401)
})

it('FLOOD-02 MUST refuse a client its share of what may be in flight, before its body, and not the others', async () => {
  const { address, ask, begun, letGo } = await start({ env: { MAX_IN_FLIGHT: '40' } })
  const flood = many(30, () => ask('known-flood'))
  await expect.poll(() => begun.length).toBe(30)
  const headers = {
    authorization: 'Bearer known-flood',
    'content-type': 'application/json',
    'content-length': 9,
  }
  const refused = await exchange(address, requestText('POST /work', headers, '{'))
  expect(refused).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('known-partner')).status).toBe(200)
  letGo()
  await Promise.all(flood)
})

it('FLOOD-03 MUST verify no more tokens of an address than its pace, and let on whose token is known', async () => {
  const { ask, verified } = await start({ anonymous: { perSecond: 100, atOnce: 10, longestMs: 20 } })
  // The clock of the pace stands still.
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const flood = many(60, () => ask('wrong'))
  expect((await ask('known-partner')).status).toBe(200)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(verified).toHaveLength(12)
  expect(statuses.filter(status => status === 401)).toHaveLength(12)
  expect(statuses.filter(status => status === 503)).toHaveLength(48)
})

it('FLOOD-04 MUST tell of a flood of refusals in a line, none of them at level error', async () => {
  const { ask, logLines } = await start({ quotas: { requestsPerSecond: 1 } })
  const statuses = (await Promise.all(many(50, () => ask('known-partner')))).map(({ status }) => status)
  expect(statuses.filter(status => status === 503).length).toBeGreaterThan(40)
  const warnings = logLines.map(line => JSON.parse(line)).filter(({ level }) => level > 30)
  expect(warnings).toMatchObject([{ level: 40, clientId: 'partner', msg: 'More than 1 requests a second' }])
})

/** The paths of a service, none of whose operations ends. */
const startHanging = async () => {
  const { app } = createApp({})
  const called: string[] = []
  const document = readDocument('prepaid')
  server = createHttp(app)
  const never = (operationId: string) => async () => {
    called.push(operationId)
    return new Promise<never>(() => undefined)
  }
  const operations = Object.fromEntries(
    operationsOf(document).map(({ operationId }) => [operationId, never(operationId)]),
  )
  await registerRest(server, app, document, operations)
  return { called, address: await server.listen({ port: 0, host: '127.0.0.1' }) }
}

const { path: PATH, body } = FIXTURES.find(({ path }) => path === '/prepaid/v1/recharges')!
const BODY = JSON.stringify(body())

it.each([
  ['is cut short by what its body took', 9_900],
  ['never begins when its body took all of it', 10_100],
])('FLOOD-10 MUST have one limit for body and work together: the work %s', async (_, bodyMs) => {
  const { address, called } = await startHanging()
  const real = performance.now.bind(performance)
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => real() + passed)
  const headers = {
    authorization: 'Bearer known-partner',
    'content-type': 'application/json',
    'content-length': BODY.length,
  }
  const connection = sendRaw(address, requestText(`POST ${PATH}`, headers, BODY.slice(0, 5)))
  // A request that comes back says that the one before it has been read so far.
  await fetch(`${address}/nowhere`)
  passed = bodyMs
  const sent = real()
  connection.socket.write(BODY.slice(5))
  const text = await connection.until(got => got.includes('REQUEST_TIMEOUT_EXCEEDED'))
  expect(readResponse(text)).toMatchObject({ status: 504 })
  expect(real() - sent).toBeLessThan(5_000)
  if (bodyMs > 10_000) expect(called).toEqual([])
  connection.socket.destroy()
})
