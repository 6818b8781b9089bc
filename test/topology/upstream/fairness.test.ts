/** Connections to an instance are shared fairly: what one client has under way keeps no other from being served. */
import { describe, expect, it, vi } from 'vitest'
import { createClock, refusal } from '#test/core/access/support.ts'
import { ask, codesOf, log, principalOf } from '#test/support/fetches.ts'
import { json, silent, startInstance } from '#test/support/http-instance.ts'
import { createHttpSource } from '#topology/transport/data-source.ts'
import type { OpenRequest } from '#topology/upstream/connections.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import { counts, READ, request, upstreamsOver } from './support.ts'

const of = (clientId: string, signal?: AbortSignal): OpenRequest => ({
  ...request(true, signal),
  clientId,
})
const long = (clientId: string, signal?: AbortSignal): OpenRequest => ({
  ...of(clientId, signal),
  isLong: true,
})

describe('connections', () => {
  it('UPS-40 MUST leave room for a client, however many calls another has that never end', async () => {
    await using a = await startInstance(silent)
    await using upstreams = upstreamsOver([a])
    const upstream = upstreams.of('loyalty')!
    const flood = new AbortController()
    const flooding = Array.from({ length: 300 }, () => refusal(upstream.request(of('greedy', flood.signal))))
    await a.count(128)
    a.answer = json({ data: {} })
    expect((await upstream.request(of('modest'))).status).toBe(200)
    expect(counts(a)).toEqual([129])
    flood.abort(new Error('over'))
    const refused = await Promise.all(flooding)
    expect(refused.filter(({ message }) => message.includes('nothing was done'))).toHaveLength(172)
  })

  it('UPS-41 MUST serve in turn what waited, once there is room', async () => {
    const held: (() => void)[] = []
    const answer = json({ data: {} })
    await using a = await startInstance(
      (response, request) => void held.push(() => answer(response, request)),
    )
    await using upstreams = upstreamsOver([a])
    const upstream = upstreams.of('loyalty')!
    const all = Array.from({ length: 200 }, () => upstream.request(of('greedy')))
    await a.count(128)
    a.answer = answer
    for (const one of held) one()
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('UPS-42 MUST refuse a long call at once when its client has its share of them, and keep short ones apart', async () => {
    await using a = await startInstance(silent)
    await using upstreams = upstreamsOver([a])
    const upstream = upstreams.of('loyalty')!
    const flood = new AbortController()
    const flooding = Array.from({ length: 32 }, () => refusal(upstream.request(long('greedy', flood.signal))))
    await a.count(32)
    const error = await refusal(upstream.request(long('greedy')))
    expect([error.code, error.headers['retry-after']]).toEqual(['SERVICE_UNAVAILABLE', '5'])
    a.answer = json({ data: {} })
    const answers = await Promise.all([of('greedy'), long('modest')].map(one => upstream.request(one)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    flood.abort(new Error('over'))
    await Promise.all(flooding)
    expect((await upstream.request(long('greedy'))).status).toBe(200)
  })

  it('UPS-43 MUST count a response that is read as it comes until it has been read', async () => {
    await using a = await startInstance(response => void response.writeHead(200).write('begun'))
    await using upstreams = upstreamsOver([a])
    const upstream = upstreams.of('loyalty')!
    const reading = new AbortController()
    const open = await Promise.all(
      Array.from({ length: 32 }, () => upstream.open(long('greedy', reading.signal))),
    )
    await refusal(upstream.open(long('greedy')))
    for (const { body } of open)
      (body as unknown as { on(name: string, ignore: () => void): void }).on('error', () => undefined)
    reading.abort(new Error('over'))
    const next = new AbortController()
    const opened = await vi.waitUntil(() => upstream.open(long('greedy', next.signal)).catch(() => undefined))
    opened.body[Symbol.asyncIterator]().return?.()
    next.abort(new Error('over'))
  })

  it('UPS-44 MUST know a test event for a long call', async () => {
    await using a = await startInstance(silent)
    await using upstreams = upstreamsOver([a])
    const source = createHttpSource(upstreams.of('loyalty')!, log)
    const query = 'mutation{sendTestEvent(notificationUrl:"https://a.example",kind:PAYMENT){status}}'
    const principal = principalOf('greedy')
    const flooding = Array.from({ length: 32 }, () => ask(source, { query, principal, timeoutMs: 200 }))
    await a.count(32)
    expect(codesOf(await ask(source, { query, principal }))).toEqual(['SERVICE_UNAVAILABLE'])
    a.answer = json({ data: { ok: true } })
    expect(await ask(source, { principal })).toEqual({ data: { ok: true } })
    await a.kill()
    await Promise.all(flooding)
  })
})

describe('an instance', () => {
  /** Five calls that are given up when all of their time has passed. */
  const endLate = async (of: typeof long, meanwhile: (upstream: Upstream) => Promise<unknown>) => {
    const clock = createClock()
    await using a = await startInstance(silent)
    await using upstreams = upstreamsOver([a], clock)
    const upstream = upstreams.of('loyalty')!
    const late = new AbortController()
    const calls = Array.from({ length: 5 }, () => refusal(upstream.request(of('greedy', late.signal))))
    await a.count(5)
    clock.pass(5_000)
    a.answer = json({ data: {} })
    await meanwhile(upstream)
    clock.pass(5_000)
    late.abort(new Error('late'))
    await Promise.all(calls)
    return () => upstream.claim()
  }
  const nothing = async () => undefined

  it('UPS-45 MUST NOT be ejected for calls that last by nature', async () => {
    expect(await endLate(long, nothing)).not.toThrow()
  })

  it('UPS-46 MUST NOT be ejected for slow calls while it responds to others', async () => {
    expect(await endLate(of, upstream => upstream.request(READ))).not.toThrow()
  })

  it('UPS-47 MUST be ejected when it responds to nobody', async () => {
    expect(await endLate(of, nothing)).toThrow('cannot be reached')
  })

  it('UPS-48 MUST NOT be ejected for what was never sent to it', async () => {
    const clock = createClock()
    await using a = await startInstance(silent)
    await using upstreams = upstreamsOver([a], clock)
    const upstream = upstreams.of('loyalty')!
    const [holding, waiting] = [new AbortController(), new AbortController()]
    const held = Array.from({ length: 128 }, () => refusal(upstream.request(of('greedy', holding.signal))))
    await a.count(128)
    const waited = Array.from({ length: 10 }, () => refusal(upstream.request(of('greedy', waiting.signal))))
    clock.pass(10_000)
    waiting.abort(new Error('late'))
    await Promise.all(waited)
    expect(upstream.claim().origin).toBe(a.origin)
    holding.abort(new Error('over'))
    await Promise.all(held)
  })
})
