/** How a server is put together: half of one is given back, and what of it does not stop is named. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '#core/context/app.ts'
import { createServer } from '#core/create-server.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import { createAllInOne } from '#gateway/all-in-one.ts'
import { loadServices } from '#gateway/load-services.ts'
import { registerPages } from '#gateway/pages/register.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

const lines: string[] = []
let opened: TestApp
beforeAll(async () => {
  opened = await openTestApp({ env: { REQUEST_TIMEOUT_MS: '100' }, logLines: lines })
})
afterAll(() => opened?.[Symbol.asyncDispose]())

/** The services of the app, with the stop of each seen. */
const watched = async (app: App): Promise<Subgraph[]> =>
  (await loadServices(app)).map(service => ({ ...service, stop: vi.fn(service.stop) }))

test('SERVER-01 gives back what it has opened when it cannot be put together', async () => {
  const services = await watched(opened.app)
  const create = createAllInOne(opened.app, { services, supergraphSdl: 'type Query { no: Supergraph }' })
  await expect(create).rejects.toThrow()
  for (const { stop } of services) expect(stop).toHaveBeenCalledOnce()
})

test('SERVER-02 gives back what has begun of a start that fails', async () => {
  const services = await watched(opened.app)
  const start = () => Promise.reject(new Error('no sequence'))
  const failing = services.map(service => (service.name === 'prepaid' ? { ...service, start } : service))
  await expect(createAllInOne(opened.app, { services: failing })).rejects.toThrow('no sequence')
  for (const { stop } of services) expect(stop).toHaveBeenCalledOnce()
})

test('SERVER-03 stops connections, then the HTTP server, then what requests need', async () => {
  const order: string[] = []
  const server = await createServer(opened.app, async ({ http, resources, connections }) => {
    const note = (name: string) => ({ name, stop: () => order.push(name) })
    resources.add(note('first'))
    connections.add(note('streams'))
    resources.add(note('second'))
    http.addHook('onClose', async () => void order.push('http'))
    return { own: 'part' }
  })
  expect(server.own).toBe('part')
  await server.http.listen({ port: 0, host: '127.0.0.1' })
  await server.stop()
  expect(order).toEqual(['streams', 'http', 'second', 'first'])
})

test('SERVER-04 names a service that does not stop, and stops everything else', async () => {
  const services = await watched(opened.app)
  const stop = () => new Promise<never>(() => undefined)
  const hanging = services.map(service => (service.name === 'prepaid' ? { ...service, stop } : service))
  const server = await createAllInOne(opened.app, { services: hanging })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const stopped = expect(server.stop()).rejects.toThrow('not stopped: prepaid')
  await vi.waitUntil(() => services.every(({ name, stop: seen }) => name === 'prepaid' || called(seen)))
  await vi.advanceTimersByTimeAsync(5_100)
  vi.useRealTimers()
  await stopped
  expect(lines.map(line => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ part: 'prepaid', msg: 'stopping failed' }),
  )
})

const called = (stop: Subgraph['stop']): boolean => vi.mocked(stop).mock.calls.length > 0

test('SERVER-05 has no pages where PAGES is 0, and the contract nevertheless', async () => {
  const { app } = opened
  const server = await createServer({ ...app, config: { ...app.config, pages: false } }, async context => {
    registerPages(context, () => 'type Query { a: Int }')
    return {}
  })
  const get = (url: string) => server.http.inject({ url, headers: { accept: 'text/html' } })
  for (const url of ['/', '/graphql', '/reference', '/pages/pages.css'])
    expect((await get(url)).statusCode).toBe(404)
  for (const url of ['/openapi/prepaid.json', '/schema.graphql'])
    expect((await get(url)).statusCode).toBe(200)
  await server.stop()
})

test('SERVER-06 gives no place to who does not read a page, and serves others', async () => {
  const { app } = opened
  const config = { ...app.config, maxInFlight: 1, requestTimeoutMs: 10_000 }
  const server = await createServer({ ...app, config }, async context => {
    registerPages(context, () => 'type Query { a: Int }')
    return {}
  })
  const { port } = new URL(await server.http.listen({ port: 0, host: '127.0.0.1' }))
  const stalled = connect(Number(port), '127.0.0.1').pause()
  await once(stalled, 'connect')
  // One after the other, until the buffers between the two are full.
  for (let times = 0; times < 40; times++) {
    stalled.write('GET /pages/swagger-ui.js HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await fetch(`http://127.0.0.1:${port}/health/live`)
  }
  const get = () => fetch(`http://127.0.0.1:${port}/schema.graphql`)
  await vi.waitFor(async () => expect((await get()).status).toBe(200), 5_000)
  stalled.destroy()
  await server.stop()
})

test('SERVER-07 stops at once beside a connection that never brought a byte', async () => {
  const server = await createServer(opened.app, async () => ({}))
  await server.http.listen({ port: 0, host: '127.0.0.1' })
  const taken = once(server.http.server, 'connection')
  const { port } = server.http.server.address() as AddressInfo
  const silent = connect(port, '127.0.0.1').on('error', () => undefined)
  await taken
  const closed = once(silent, 'close')
  await server.stop()
  await closed
})
