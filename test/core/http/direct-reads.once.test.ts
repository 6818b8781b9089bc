/**
 * The direct way of reads: what it answers, logs and records is what Fastify's way does, byte by byte, but for ids and times.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DirectReply } from '#core/http/direct-exchange.ts'
import { directWay } from '#core/http/direct-way.ts'
import type { RequestFacts } from '#core/observability/request-facts.ts'
import { requestBytes, WaysConnection } from '#test/gateway/graph/direct-way.ts'
import { type Stack, startStack } from '../../support/stack.ts'

const COLLECTION = '/postpaid-billing/v1/payments'
const LIST = `${COLLECTION}?perPage=20&page=0`
const AMPLE = { requestsPerSecond: '100000', requestsInFlight: '1000', costPerMinute: '10000000' }
/** Requests in which an answer is stored, unless a commit comes between two of them each time. */
const TRIES = 200

const logLines: string[] = []
const ended: RequestFacts[] = []
let stack: Stack
let byId: string
let partner: string
let others: Record<'other' | 'analyst' | 'limited' | 'wrong', string>

const body = (index: number) => ({
  paymentTransaction: {
    clientCorrelatorId: `reads-${index}`,
    referenceCode: `R-${index}`,
    customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
    paymentInfo: {
      paymentInformation: { amount: 1.005, currency: 'OMR', description: 'a bill of some length '.repeat(5) },
    },
  },
})

const post = async (index: number): Promise<string> => {
  const headers = { authorization: `Bearer ${partner}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body(index)) }
  const response = await fetch(stack.address + COLLECTION, init)
  expect(response.status).toBe(201)
  return ((await response.json()) as { paymentId: string }).paymentId
}

const get = (target: string, headers: Record<string, string> = {}) =>
  fetch(stack.address + target, { headers: { authorization: `Bearer ${partner}`, ...headers } })

/** Asks until the direct way answers. */
const learn = async (target: string): Promise<void> => {
  const sent = vi.spyOn(DirectReply.prototype, 'send')
  for (let tried = 0; tried < TRIES && sent.mock.calls.length === 0; tried += 1)
    await (await get(target)).arrayBuffer()
  expect(sent).toHaveBeenCalled()
  sent.mockRestore()
}

beforeAll(async () => {
  stack = await startStack({
    env: {
      LOG_LEVEL: 'info',
      CORS_ORIGINS: 'https://page.test',
      TRUST_PROXY: '127.0.0.1',
      STORED_ANSWERS_MIB: '8',
    },
    logLines,
  })
  stack.app.requests.onEnd(facts => void ended.push(facts))
  const { token } = stack
  partner = await token({ id: 'reads-partner', role: 'partner', quotas: AMPLE })
  others = {
    other: await token({ id: 'reads-other', role: 'partner', quotas: AMPLE }),
    analyst: await token({ id: 'reads-analyst', role: 'analyst', quotas: AMPLE }),
    limited: await token({ id: 'reads-limited', role: 'partner', quotas: { requestsPerSecond: '1' } }),
    wrong: partner.replace(/.{9}$/, 'AAAAAAAAA'),
  }
  for (let index = 0; index < 12; index += 1) byId = `${COLLECTION}/${await post(index)}`

  await stack.settled()
  await learn(byId)
  await learn(LIST)
  await learn(`${CUSTOMERS}?phoneNumber=91000002`)
})
afterEach(() => {
  directWay.isOpen = true
  vi.restoreAllMocks()
})
afterAll(() => stack[Symbol.asyncDispose]())

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Writes a text without the ids of requests, times, and what is left of a quota at a moment. */
const timeless = (text: string): string =>
  text
    .replace(/^date: .*$/gim, 'date')
    .replace(/^x-correlator: .*$/gim, 'x-correlator')
    .replace(/r=\d+;t=\d+/g, 'r;t')

const factsText = (facts: RequestFacts): string => {
  const { way, method, path, route, operation, user, code, reason, field, status, bytes, principal } = facts
  const kept = { way, method, path, route, operation, user, code, reason, field, status, bytes }
  return JSON.stringify({ ...kept, client: principal?.clientId })
}

const lineText = (line: string): string => {
  const { ms, time, databaseMs, correlator, ...kept } = JSON.parse(line)
  expect([ms, time, databaseMs].every(one => one === undefined || typeof one === 'number')).toBe(true)
  return JSON.stringify(kept).replace(UUID, '<id>')
}

interface ReadCase {
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  readonly line?: (target: string) => string
  /** Whether Fastify serves it in any case. */
  readonly isFastify?: boolean
}

const CASES = (etag: string): ReadCase[] => [
  { name: 'a read' },
  { name: 'the same with its tag', headers: { 'if-none-match': etag } },
  { name: 'a weak tag', headers: { 'if-none-match': `W/${etag}` } },
  { name: 'a list of tags', headers: { 'if-none-match': `"x", ${etag}` } },
  { name: 'any tag', headers: { 'if-none-match': '*' } },
  { name: 'another tag', headers: { 'if-none-match': '"other"' } },
  { name: 'compressed', headers: { 'accept-encoding': 'gzip' } },
  {
    name: 'compressed with the tag of the whole',
    headers: { 'accept-encoding': 'br', 'if-none-match': etag },
  },
  { name: 'HTTP/1.0', line: target => `GET ${target} HTTP/1.0`, isFastify: true },
  { name: 'a page', headers: { accept: 'text/html' }, isFastify: true },
  { name: 'a type', headers: { accept: 'application/json' } },
  { name: 'another type', headers: { accept: 'image/png' } },
  { name: 'a body', headers: { 'content-length': '0' }, isFastify: true },
  { name: 'a type of a body', headers: { 'content-type': 'text/plain' } },
  { name: 'an upgrade', headers: { connection: 'upgrade', upgrade: 'h2c' }, isFastify: true },
  { name: 'a correlator', headers: { 'x-correlator': 'reads-correlator' } },
  { name: 'a wrong correlator', headers: { 'x-correlator': 'a b' } },
  { name: 'an empty host', headers: { host: '' } },
  { name: 'a page of an origin', headers: { origin: 'https://page.test' } },
  { name: 'another origin', headers: { origin: 'https://other.test' } },
  { name: 'a proxy', headers: { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' } },
  { name: 'an acting user', headers: { 'x-acting-user': 'somebody' } },
  { name: 'a trace', headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } },
  { name: 'a closing client', headers: { connection: 'close' } },
  { name: 'no token', headers: { authorization: '' } },
  { name: 'another scheme', headers: { authorization: 'Basic eDp5' } },
  { name: 'a wrong token', headers: { authorization: `Bearer ${others.wrong}` } },
  { name: 'another partner', headers: { authorization: `Bearer ${others.other}` } },
  { name: 'an analyst', headers: { authorization: `Bearer ${others.analyst}` } },
]

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const CUSTOMERS = '/postpaid-billing/v1/customers'

/** Targets of reads, some of which are refused. */
const TARGETS: { readonly target: string; readonly isFastify?: boolean }[] = [
  { target: `${COLLECTION}/${UNKNOWN}` },
  { target: `${COLLECTION}/${UNKNOWN}?x=1` },
  { target: `${COLLECTION}/${UNKNOWN}/`, isFastify: true },
  { target: `${COLLECTION}//${UNKNOWN}`, isFastify: true },
  { target: `${COLLECTION}/%30${UNKNOWN.slice(1)}`, isFastify: true },
  { target: `${COLLECTION}/no-id`, isFastify: true },
  { target: `${COLLECTION}/`, isFastify: true },
  { target: `${COLLECTION}#top`, isFastify: true },
  { target: COLLECTION },
  { target: `${COLLECTION}?` },
  { target: `${COLLECTION}?perPage=2#top` },
  { target: `${COLLECTION}?perPage=0` },
  { target: `${COLLECTION}?perPage=1&perPage=2` },
  { target: `${COLLECTION}?page=1000000` },
  { target: `${COLLECTION}?%70erPage=3&page=%FF` },
  { target: `${COLLECTION}?from=2026-01-01&until=yesterday` },
  { target: `${CUSTOMERS}?phoneNumber=91000002` },
  { target: `${CUSTOMERS}?phoneNumber=%2B96891000002` },
  { target: `${CUSTOMERS}?phoneNumber=99999999` },
  { target: CUSTOMERS },
]

const sendBy = async (way: 'fastify' | 'direct', target: string, one: ReadCase) => {
  directWay.isOpen = way === 'direct'
  const sent = vi.spyOn(DirectReply.prototype, 'send')
  ended.length = 0
  logLines.length = 0
  const connection = new WaysConnection(Number(new URL(stack.address).port))
  const line = one.line?.(target) ?? `GET ${target} HTTP/1.1`
  const headers = {
    authorization: `Bearer ${partner}`,
    'content-type': '',
    'content-length': '',
    ...one.headers,
  }
  const { texts, isClosed } = await connection.send({
    name: one.name,
    pieces: [requestBytes({ line, headers })],
    responses: 1,
  })
  connection.close()
  await vi.waitUntil(() => ended.length > 0)
  const { length } = sent.mock.calls
  sent.mockRestore()
  return {
    length,
    text: timeless(texts.map(text => text.toString('latin1')).join('')),
    isClosed,
    facts: ended.map(factsText),
    logged: logLines.map(lineText),
  }
}

const etagOf = async (target: string) => (await get(target)).headers.get('etag')!

describe('a read', () => {
  it.each(['byId', 'list'])(
    'READS-01 MUST be answered, logged and counted alike on both ways: %s',
    async kind => {
      const target = kind === 'list' ? LIST : byId
      for (const one of CASES(await etagOf(target))) {
        const fastify = await sendBy('fastify', target, one)
        const direct = await sendBy('direct', target, one)
        expect(fastify.length).toBe(0)
        expect([one.name, direct.length]).toEqual([one.name, one.isFastify ? 0 : 1])
        expect({ ...direct, length: 0, name: one.name }).toEqual({ ...fastify, name: one.name })
      }
    },
  )

  it.each(TARGETS)('READS-05 MUST be answered, logged and counted alike on both ways: $target', async one => {
    const fastify = await sendBy('fastify', one.target, { name: '', ...one })
    const direct = await sendBy('direct', one.target, { name: '', ...one })
    expect([fastify.length, direct.length]).toEqual([0, one.isFastify ? 0 : 1])
    expect({ ...direct, length: 0 }).toEqual(fastify)
  })

  it('READS-02 MUST be refused alike beyond a quota', async () => {
    const one = { name: 'a quota', headers: { authorization: `Bearer ${others.limited}` } }
    const statusOf = ({ text }: { readonly text: string }) => /^HTTP\/1.1 (\d+)/.exec(text)?.[1]
    const refused = async (way: 'fastify' | 'direct') => {
      for (let tried = 0; tried < TRIES; tried += 1) {
        const seen = await sendBy(way, byId, one)
        if (statusOf(seen) === '503') return seen
      }
      throw new Error('never refused')
    }
    const fastify = await refused('fastify')
    const direct = await refused('direct')
    expect(direct.length).toBe(1)
    const textOf = ({ text }: typeof direct) => text.replace(/^retry-after: \d+$/gim, 'retry-after')
    expect(textOf(direct)).toBe(textOf(fastify))
    expect(direct.facts).toEqual(fastify.facts)
  })

  it('READS-03 MUST show a payment at once that was posted meanwhile', async () => {
    const before = await get(LIST)
    const total = Number(before.headers.get('x-total-count'))
    const tag = before.headers.get('etag')!
    await before.arrayBuffer()
    const known = await get(LIST, { 'if-none-match': tag })
    expect(known.status).toBe(304)
    await post(100)
    const sent = vi.spyOn(DirectReply.prototype, 'send')
    const after = await get(LIST, { 'if-none-match': tag })
    expect(sent).toHaveBeenCalledTimes(1)
    expect([after.status, after.headers.get('x-total-count')]).toEqual([200, String(total + 1)])
    await after.arrayBuffer()
  })

  it('READS-04 MUST leave the same access records', async () => {
    const recordsOf = async (way: 'fastify' | 'direct', target: string) => {
      const correlator = `reads-${way}${target.length}`
      const headers = { authorization: `Bearer ${others.analyst}`, 'x-correlator': correlator }
      const { length } = await sendBy(way, target, { name: 'records', headers })
      expect(length).toBe(way === 'direct' ? 1 : 0)
      await stack.app.accessRecords.idle()
      return stack.app.db.$queryRaw<{ subject: string }[]>`
        SELECT subject, operation, client_id FROM audit.access_record WHERE correlator = ${correlator} ORDER BY 1`
    }
    const fastify = await recordsOf('fastify', LIST)
    expect(fastify).toEqual([{ subject: '*', operation: 'listPayments', client_id: 'reads-analyst' }])
    expect(await recordsOf('direct', LIST)).toEqual(fastify)
    expect(await recordsOf('direct', byId)).toEqual(await recordsOf('fastify', byId))
  })
})
