/** Instances of a subgraph: used in turn, requests repeated where that does no harm; their addresses. */

import { describe, expect, it } from 'vitest'
import { refusal } from '#test/core/access/support.ts'
import { log } from '#test/support/fetches.ts'
import { broken, json, silent, startInstance } from '#test/support/http-instance.ts'
import { createUpstreams } from '#topology/upstream/upstreams.ts'
import { counts, READ, request, upstreamsOver, WRITE } from './support.ts'

describe('asking', () => {
  it('UPS-01 MUST ask the instances in turn, at the path of the graph', async () => {
    await using a = await startInstance()
    await using b = await startInstance()
    await using upstreams = upstreamsOver([a, b])
    for (let time = 0; time < 4; time++) await upstreams.of('loyalty')!.request(READ)
    expect(counts(a, b)).toEqual([2, 2])
    expect(a.requests[0]!.url).toBe('/graphql')
  })

  it('UPS-02 MUST repeat a read once on another instance when the connection breaks', async () => {
    await using a = await startInstance(broken)
    await using b = await startInstance()
    await using upstreams = upstreamsOver([a, b])
    const { status } = await upstreams.of('loyalty')!.request(READ)
    expect(status).toBe(200)
    expect(counts(a, b)).toEqual([1, 1])
  })

  it('UPS-03 MUST repeat a read once on the same instance when there is no other', async () => {
    await using a = await startInstance(broken)
    await using upstreams = upstreamsOver([a])
    const error = await refusal(upstreams.of('loyalty')!.request(READ))
    expect(error.message).toBe('The subgraph loyalty cannot be reached')
    expect(error.code).toBe('SERVICE_UNAVAILABLE')
    expect(counts(a)).toEqual([2])
  })

  it('UPS-04 MUST repeat a read whose answer broke off in its middle', async () => {
    await using a = await startInstance(response => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"data"', () => response.socket!.destroy())
    })
    await using b = await startInstance(json({ data: { from: 'b' } }))
    await using upstreams = upstreamsOver([a, b])
    const { body } = await upstreams.of('loyalty')!.request(READ)
    expect(JSON.parse(body.toString())).toEqual({ data: { from: 'b' } })
  })

  it('UPS-05 MUST NOT repeat a write whose connection broke', async () => {
    await using a = await startInstance(broken)
    await using b = await startInstance()
    await using upstreams = upstreamsOver([a, b])
    const error = await refusal(upstreams.of('loyalty')!.request(WRITE))
    expect(error.code).toBe('SERVICE_UNAVAILABLE')
    expect(error.message).toBe(
      'The connection to the subgraph loyalty broke; the request may have been executed',
    )
    expect(counts(a, b)).toEqual([1, 0])
  })

  it('UPS-06 MUST ask another instance for a write where the first took no connection', async () => {
    await using a = await startInstance()
    await using b = await startInstance()
    await a.kill()
    await using upstreams = upstreamsOver([a, b])
    const { status } = await upstreams.of('loyalty')!.request(WRITE)
    expect(status).toBe(200)
    expect(counts(a, b)).toEqual([0, 1])
  })

  it('UPS-07 MUST ask another instance for a read where the first is too busy, and none for a write', async () => {
    await using a = await startInstance(json({ code: 'SERVICE_UNAVAILABLE' }, 503))
    await using b = await startInstance()
    await using upstreams = upstreamsOver([a, b])
    const upstream = upstreams.of('loyalty')!
    const read = await upstream.request(READ)
    const write = await upstream.request(WRITE)
    expect([read.status, write.status]).toEqual([200, 503])
    await b.kill()
    // Whichever of the two comes first, the busy one's answer is what there is.
    const before = await upstream.request(READ)
    upstream.pick()
    const after = await upstream.request(READ)
    expect([before.status, after.status]).toEqual([503, 503])
  })

  it('UPS-08 MUST end with the reason of the signal, and repeat nothing then', async () => {
    await using a = await startInstance(silent)
    await using upstreams = upstreamsOver([a])
    const controller = new AbortController()
    const refused = refusal(upstreams.of('loyalty')!.request(request(true, controller.signal)))
    await a.count(1)
    controller.abort()
    const { code, message } = await refused
    expect({ code, message }).toEqual({
      code: 'REQUEST_TIMEOUT_EXCEEDED',
      message: 'The subgraph loyalty did not answer in time',
    })
    expect(counts(a)).toEqual([1])
  })

  it('UPS-09 MUST keep connections alive', async () => {
    const sockets = new Set<unknown>()
    await using a = await startInstance((response, request) => {
      sockets.add(response.socket)
      json({ data: {} })(response, request)
    })
    await using upstreams = upstreamsOver([a])
    for (let time = 0; time < 10; time++) await upstreams.of('loyalty')!.request(READ)
    // The pool opens a second where the first is not quite free yet.
    expect(sockets.size).toBeLessThanOrEqual(2)
  })
})

describe('addresses', () => {
  const over = (urls: Record<string, string[]>) =>
    createUpstreams({ urls: new Map(Object.entries(urls)), log, timeoutMs: 1_000 })
  const at = (url: string) =>
    over({ loyalty: [url] })
      .of('loyalty')!
      .pick()

  it.each([
    ['http://127.0.0.1:4001', '/graphql'],
    ['http://127.0.0.1:4001/', '/graphql'],
    ['http://127.0.0.1:4001/graphql', '/graphql'],
    ['http://127.0.0.1:4001/loyalty', '/loyalty/graphql'],
    ['http://127.0.0.1:4001/loyalty/graphql/', '/loyalty/graphql'],
  ])('UPS-30 MUST take a base or the address of the graph: %s', (url, graphPath) => {
    expect(at(url)).toMatchObject({ origin: 'http://127.0.0.1:4001', graphPath })
  })

  it('UPS-31 MUST follow the supergraph where the settings name no address, and nothing else', () => {
    const upstreams = over({ loyalty: ['http://127.0.0.1:1'] })
    expect(upstreams.of('prepaid')).toBeUndefined()
    expect(upstreams.of('prepaid', 'http://127.0.0.1:2/api')!.pick()).toMatchObject({
      origin: 'http://127.0.0.1:2',
      graphPath: '/api',
    })
    expect(upstreams.of('prepaid', 'http://127.0.0.1:3/api')!.pick().origin).toBe('http://127.0.0.1:3')
    expect(upstreams.of('loyalty', 'http://127.0.0.1:2/api')!.pick().origin).toBe('http://127.0.0.1:1')
    expect(upstreams.of('loyalty')).toBe(upstreams.of('loyalty'))
  })
})
