/** Requests to a subgraph: repeated where that does no harm, also behind a balancer; its address. */

import { describe, expect, it } from 'vitest'
import { refusal } from '#test/core/access/support.ts'
import { log } from '#test/support/fetches.ts'
import { type Answer, broken, json, silent, startInstance } from '#test/support/http-instance.ts'
import { createUpstreams } from '#topology/upstream/upstreams.ts'
import { counts, READ, request, upstreamsOver, WRITE } from './support.ts'

describe('asking', () => {
  it('UPS-01 MUST ask at the path of the graph', async () => {
    await using a = await startInstance()
    await using upstreams = upstreamsOver([a])
    await upstreams.of('loyalty')!.request(READ)
    expect(a.requests[0]!.url).toBe('/graphql')
  })

  it('UPS-03 MUST repeat a read once when the connection breaks', async () => {
    await using a = await startInstance(broken)
    await using upstreams = upstreamsOver([a])
    const error = await refusal(upstreams.of('loyalty')!.request(READ))
    expect(error.message).toBe('The subgraph loyalty cannot be reached')
    expect(error.code).toBe('SERVICE_UNAVAILABLE')
    expect(counts(a)).toEqual([2])
  })

  it('UPS-04 MUST repeat a read whose answer broke off in its middle', async () => {
    await using a = await startInstance(response => {
      a.answer = json({ data: { from: 'the second try' } })
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"data"', () => response.socket!.destroy())
    })
    await using upstreams = upstreamsOver([a])
    const { body } = await upstreams.of('loyalty')!.request(READ)
    expect(JSON.parse(body.toString())).toEqual({ data: { from: 'the second try' } })
  })

  it('UPS-05 MUST NOT repeat a write whose connection broke', async () => {
    await using a = await startInstance(broken)
    await using upstreams = upstreamsOver([a])
    const error = await refusal(upstreams.of('loyalty')!.request(WRITE))
    expect(error.code).toBe('SERVICE_UNAVAILABLE')
    expect(error.message).toBe(
      'The connection to the subgraph loyalty broke; the request may have been executed',
    )
    expect(counts(a)).toEqual([1])
  })

  it('UPS-06 MUST say that a write was not executed where no connection was made', async () => {
    await using a = await startInstance()
    await a.kill()
    await using upstreams = upstreamsOver([a])
    const error = await refusal(upstreams.of('loyalty')!.request(WRITE))
    expect(error.message).toBe('The subgraph loyalty cannot be reached')
  })

  it('UPS-07 MUST pass on what a service that is too busy says, and ask it once', async () => {
    await using a = await startInstance(json({ code: 'SERVICE_UNAVAILABLE' }, 503))
    await using upstreams = upstreamsOver([a])
    expect((await upstreams.of('loyalty')!.request(READ)).status).toBe(503)
    expect(counts(a)).toEqual([1])
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

describe('a balancer before the service', () => {
  const page =
    (status: number): Answer =>
    response =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html>')

  it.each([
    [502, WRITE, 1, 'The connection to the subgraph loyalty broke; the request may have been executed'],
    [502, READ, 2, 'The subgraph loyalty cannot be reached'],
    [503, WRITE, 1, 'The subgraph loyalty cannot be reached'],
    [503, READ, 1, 'The subgraph loyalty cannot be reached'],
    [504, READ, 1, 'The subgraph loyalty did not answer in time'],
  ])('UPS-50 MUST be understood: %i', async (status, sent, times, message) => {
    await using a = await startInstance(page(status))
    await using upstreams = upstreamsOver([a])
    const upstream = upstreams.of('loyalty')!
    expect((await refusal(upstream.request(sent))).message).toBe(message)
    expect(counts(a)).toEqual([times])
    expect((await refusal(upstream.open({ ...sent, isRead: false }))).name).toBe('ServiceError')
    expect(await upstream.connections.isAlive()).toBe(false)
  })

  it('UPS-51 MUST have a read repeated that lost its process', async () => {
    await using a = await startInstance((response, request) => {
      a.answer = json({ data: {} })
      page(502)(response, request)
    })
    await using upstreams = upstreamsOver([a])
    expect((await upstreams.of('loyalty')!.request(READ)).status).toBe(200)
  })
})

describe('addresses', () => {
  const over = (urls: Record<string, string>) =>
    createUpstreams({ urls: new Map(Object.entries(urls)), log, timeoutMs: 1_000 })
  const at = (url: string) => over({ loyalty: url }).of('loyalty')!.claim()

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
    const upstreams = over({ loyalty: 'http://127.0.0.1:1' })
    expect(upstreams.of('prepaid')).toBeUndefined()
    expect(upstreams.of('prepaid', 'http://127.0.0.1:2/api')!.claim()).toMatchObject({
      origin: 'http://127.0.0.1:2',
      graphPath: '/api',
    })
    expect(upstreams.of('prepaid', 'http://127.0.0.1:3/api')!.claim().origin).toBe('http://127.0.0.1:3')
    expect(upstreams.of('loyalty', 'http://127.0.0.1:2/api')!.claim().origin).toBe('http://127.0.0.1:1')
    expect(upstreams.of('loyalty')).toBe(upstreams.of('loyalty'))
  })
})
