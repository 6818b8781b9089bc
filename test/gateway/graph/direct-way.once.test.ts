/**
 * The direct way of small POSTs to the graph: what it answers, counts and logs is what Fastify's way does, byte by byte, but for
 * ids and times. Every case is sent over both ways, by clients of their own, so that quotas begin alike.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKeys } from '#core/access/signing-keys.ts'
import { createIssue } from '#core/access/tokens.ts'
import { DirectReply } from '#core/http/direct-exchange.ts'
import { directWay } from '#core/http/direct-way.ts'
import type { RequestFacts } from '#core/observability/request-facts.ts'
import { sendRaw } from '#test/core/http/raw.ts'
import { IS_COMPILED } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { type WaysCase, WaysConnection } from './direct-way.ts'
import { casesOf, jsonOf, LINE, ME, NUMBER, of, post, type Tokens, type Way } from './direct-way-cases.ts'

const CONNECTIONS = 6

const logLines: string[] = []
const ended: RequestFacts[] = []
let stack: Stack
let port: number

beforeAll(async () => {
  stack = await startStack({
    env: {
      LOG_LEVEL: 'info',
      CORS_ORIGINS: 'https://page.test',
      MAX_OPERATION_COST: '1000',
      TRUST_PROXY: '127.0.0.1',
      // A question asked by the one way would not be executed by the other.
      STORED_ANSWERS_MIB: '0',
    },
    logLines,
  })
  port = Number(new URL(stack.address).port)
  stack.app.requests.onEnd(facts => void ended.push(facts))
})
afterEach(() => {
  directWay.isOpen = true
  vi.restoreAllMocks()
})
afterAll(() => stack[Symbol.asyncDispose]())

const DAY_MS = 86_400_000

const AMPLE = { requestsPerSecond: '100000', requestsInFlight: '1000', costPerMinute: '10000000' }

const tokens = new Map<Way, Promise<Tokens>>()

/** Adds the clients of a way once. */
const tokensOf = (way: Way): Promise<Tokens> => {
  const made = tokens.get(way) ?? makeTokens(way)
  tokens.set(way, made)
  return made
}

const makeTokens = async (way: Way): Promise<Tokens> => {
  const { token, app } = stack
  const { config, db, access } = app
  const past = createIssue(config, createKeys(db, access.cipher), () => Date.now() - DAY_MS)
  const made = {
    portal: await token({ id: `portal-${way}`, role: 'portal', quotas: AMPLE }),
    partner: await token({ id: `partner-${way}`, role: 'partner', quotas: AMPLE }),
    limited: await token({ id: `limited-${way}`, role: 'portal', quotas: { requestsPerSecond: '1' } }),
    poor: await token({ id: `poor-${way}`, role: 'portal', quotas: { costPerMinute: '300' } }),
    changed: (await token(`portal-${way}`)).replace(/.{9}$/, 'AAAAAAAAA'),
    expired: await past((await access.clients.find(`portal-${way}`))!),
  }
  // Known before they are sent, so that requests of one moment keep their sequence.
  for (const one of [made.limited, made.poor]) await access.verify(`Bearer ${one}`)
  return made
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Writes a text without ids, times, and what is left of a quota at a moment. */
const timeless = (text: string): string =>
  text
    .replace(/^date: .*$/gim, 'date')
    // Of bytes with ids of their own.
    .replace(/^etag: .*$/gim, 'etag')
    .replace(UUID, '<id>')
    .replaceAll(/-(prepare|fastify|directx)\b/g, '')
    .replace(/r=\d+;t=\d+/g, 'r;t')
    .replace(/"(ms|planMs|databaseMs|subgraphMs|waitMs)":[\d.]+/g, '"$1"')

/** Writes an explanation with its statements in one order: those of one moment end in any. */
const inOrder = (text: string): string =>
  JSON.stringify(JSON.parse(text), (name, value) =>
    name === 'statements'
      ? value.toSorted((a: { text: string }, b: typeof a) => (a.text < b.text ? -1 : 1))
      : value,
  )

const withoutTimes = ({ ms, time, databaseMs, subgraphMs, ...line }: Record<string, unknown>) => {
  expect([ms, time, databaseMs, subgraphMs].every(one => one === undefined || typeof one === 'number')).toBe(
    true,
  )
  return timeless(jsonOf(line)!)
}

/** Facts of a request that the log of requests keeps. */
const factsText = (facts: RequestFacts): string => {
  const { way, method, path, route, operation, operationType, operationId, user, code, reason, field } = facts
  const { execution, cost, status, bytes, passedTo, transactionId, principal, trace, deprecations } = facts
  const kept = { way, method, path, route, operation, operationType, operationId, user, code, reason, field }
  const more = { execution, cost, status, passedTo, trace, deprecations, client: principal?.clientId }
  // Compressed times may differ in size.
  return timeless(
    jsonOf({ ...kept, ...more, posted: transactionId !== undefined, sized: bytes !== undefined }),
  )
}

/** Counts of this process, without those of time. */
const counts = async (): Promise<Map<string, number>> => {
  const families = await stack.server.metrics.readOwn()
  const samples = families.flatMap(({ type, samples }) => (type === 'gauge' ? [] : samples))
  const kept = samples.filter(
    ({ name }) =>
      /^(http_|graphql_|graph_|client_|tokens|throttled|subgraph|requests)/.test(name) &&
      /_(total|count)$/.test(name),
  )
  return new Map(kept.map(({ name, labels, value }) => [timeless(`${name}{${labels}}`), Number(value)]))
}

const since = (before: Map<string, number>, after: Map<string, number>) =>
  Object.fromEntries(
    [...after].flatMap(([name, value]) => {
      const more = value - (before.get(name) ?? 0)
      return more > 0 ? [[name, more] as const] : []
    }),
  )

/** Resolves when the server has noticed that all of its clients are gone. */
const untilAlone = () =>
  vi.waitUntil(
    () => new Promise(done => stack.server.http.server.getConnections((_, open) => done(open === 0))),
    { timeout: 10_000, interval: 10 },
  )

/** Sends a case. @returns the responses, and whether the server closed. */
const sendOver = async (connection: WaysConnection, one: WaysCase): Promise<string> => {
  const { texts, isClosed } = await connection.send(one)
  return [
    one.name,
    isClosed ? 'closed' : 'kept',
    ...texts.map(text => timeless(text.toString('latin1'))),
  ].join('\n')
}

/** Sends all cases over one way, and collects what a client, the logs and the counts show of them. */
const sendAll = async (cases: readonly WaysCase[], way: Way) => {
  directWay.isOpen = way === 'directx'
  const direct = vi.spyOn(DirectReply.prototype, 'send')
  ended.length = 0
  logLines.length = 0
  const before = await counts()
  const left = cases.entries()
  const seen: string[] = []
  const sendNext = async () => {
    const kept = new WaysConnection(port)
    for (const [index, one] of left) {
      const connection = one.isApart ? new WaysConnection(port) : kept
      seen[index] = await sendOver(connection, one)
      if (one.isApart) connection.close()
    }
    kept.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendNext))
  await untilAlone()
  return {
    seen,
    facts: ended.map(factsText).toSorted(),
    logged: logLines.map(line => withoutTimes(JSON.parse(line))).toSorted(),
    counted: since(before, await counts()),
    direct: direct.mock.calls.length,
  }
}

/** Part of the cases that is served directly. */
const DIRECT_SHARE = 0.7

/** Counts that are among those compared. */
const COUNTED = [
  'http_request_duration_seconds_count{method="POST",route="/graphql",status="503"}',
  ...(IS_COMPILED ? ['graph_executions_total{execution="fast"}'] : []),
  'throttled_total{limit="client_request_rate"}',
  'throttled_total{limit="client_cost"}',
  'tokens_refused_total{reason="expired"}',
]

describe('both ways', () => {
  it('WAYS-01 MUST give the same answers, facts, log lines and counts', async () => {
    const sendBy = async (way: Way) => sendAll(casesOf(way, await tokensOf(way)), way)
    // What is planned once, is known to both.
    await sendBy('prepare')
    const fastify = await sendBy('fastify')
    const directly = await sendBy('directx')
    expect(fastify.direct).toBe(0)
    expect(directly.direct).toBeGreaterThan(DIRECT_SHARE * directly.seen.length)
    expect(directly.seen).toEqual(fastify.seen)
    expect(directly.facts).toEqual(fastify.facts)
    expect(directly.logged).toEqual(fastify.logged)
    expect(directly.counted).toEqual(fastify.counted)
    expect(Object.keys(fastify.counted)).toEqual(expect.arrayContaining(COUNTED))
  })

  it('WAYS-02 MUST explain alike', async () => {
    const explained = []
    for (const way of ['fastify', 'directx'] as const) {
      directWay.isOpen = way === 'directx'
      const { portal } = await tokensOf(way)
      const headers = {
        authorization: `Bearer ${portal}`,
        'content-type': 'application/json',
        'x-explain': '1',
      }
      const init = { method: 'POST', headers, body: jsonOf({ query: LINE, variables: NUMBER }) }
      explained.push(timeless(inOrder(await (await fetch(`${stack.address}/graphql`, init)).text())))
    }
    expect(explained[0]).toContain('"explain":{')
    expect(explained[1]).toBe(explained[0])
  })

  it('WAYS-03 MUST execute nothing for a client that left before its token was verified', async () => {
    const facts = []
    for (const way of ['fastify', 'directx'] as const) {
      directWay.isOpen = way === 'directx'
      const { portal } = await tokensOf(way)
      const { access, usage } = stack.app
      const principal = await access.verify(`Bearer ${portal}`)
      const verifying = Promise.withResolvers<void>()
      const verified = Promise.withResolvers<typeof principal>()
      const verify = vi.spyOn(access, 'verify').mockImplementation(() => {
        verifying.resolve()
        return verified.promise
      })
      ended.length = 0
      const { socket } = sendRaw(stack.address, post(of(portal), jsonOf(ME)))
      await verifying.promise
      socket.destroy()
      await vi.waitUntil(() => ended.length > 0)
      const spent = vi.spyOn(usage, 'spendCost')
      verified.resolve(principal)
      verify.mockRestore()
      // Answered after whatever would have been done for the other.
      const init = {
        method: 'POST',
        headers: { ...of(portal), 'content-type': 'application/json' },
        body: jsonOf(ME),
      }
      expect((await fetch(`${stack.address}/graphql`, init)).status).toBe(200)
      expect(spent).toHaveBeenCalledTimes(1)
      facts.push(factsText(ended[0]!))
      await vi.waitFor(() =>
        expect(usage.left(principal).requestsInFlight).toBe(Number(AMPLE.requestsInFlight)),
      )
      vi.restoreAllMocks()
    }
    expect(facts[0]).toContain('"status":499')
    expect(facts[1]).toBe(facts[0])
  })
})
