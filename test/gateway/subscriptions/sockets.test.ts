/** Connections that would cost too much: more of them than are served, and one whose client does not read. */
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import WebSocket from 'ws'
import { type Stack, startStack } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'

const MAX_STREAMS = 3

const logLines: string[] = []

let stack: Stack
let portal: string

beforeAll(async () => {
  stack = await startStack({ env: { MAX_STREAMS: String(MAX_STREAMS), LOG_LEVEL: 'info' }, logLines })
  portal = await stack.token('demo-portal')
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** A socket by hand, past the handshake of the protocol. */
const open = async (): Promise<WebSocket> => {
  const socket = new WebSocket(`${stack.address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'connection_init', payload: bearer(portal) }))
  await once(socket, 'message')
  return socket
}

const refusedStatus = async (): Promise<number> => {
  const socket = new WebSocket(`${stack.address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  socket.on('error', () => undefined)
  const [, response] = await once(socket, 'unexpected-response')
  return response.statusCode
}

test('SOCK-01 no more connections than MAX_STREAMS are open, WebSocket and event streams together', async () => {
  const sockets = [await open(), await open()]
  const leave = new AbortController()
  const stream = await fetch(`${stack.address}/graphql/stream`, {
    method: 'POST',
    signal: leave.signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${portal}` },
    body: JSON.stringify({ query: 'subscription { paymentEvents { cursor } }' }),
  })
  expect(stream.status).toBe(200)
  expect(await refusedStatus()).toBe(503)
  leave.abort()
  await vi.waitFor(async () => {
    const socket = await open().catch(() => undefined)
    expect(socket).toBeDefined()
    sockets.push(socket!)
  })
  for (const socket of sockets) {
    socket.close()
    await once(socket, 'close')
  }
})

/** Pages of other origins, `undefined` for what is no browser; a demo knows those of this machine. */
const ORIGINS: [origin: string | undefined, status: number][] = [
  [undefined, 101],
  ['same', 101],
  ['http://localhost:5173', 101],
  ['https://elsewhere.test', 403],
  ['http://localhost.elsewhere.test', 403],
  ['null', 403],
]

test.each(ORIGINS)('SOCK-10 a page of %s opens a WebSocket: %s', async (origin, expected) => {
  const named = origin === 'same' ? stack.address : origin
  const socket = new WebSocket(`${stack.address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    origin: named,
  })
  socket.on('error', () => undefined)
  const [refused, taken] = [once(socket, 'unexpected-response'), once(socket, 'upgrade')]
  const status = await Promise.race([
    refused.then(([, one]) => one.statusCode),
    taken.then(([one]) => one.statusCode),
  ])
  socket.terminate()
  expect(status).toBe(expected)
})

test('SOCK-11 a client that resets a refused connection ends nothing but it', async () => {
  const { port } = new URL(stack.address)
  const faults: Error[] = []
  const note = (fault: Error) => void faults.push(fault)
  process.on('uncaughtException', note)
  onTestFinished(() => void process.off('uncaughtException', note))
  for (let time = 0; time < 5; time++) {
    const socket = connectTcp(Number(port), '127.0.0.1')
    socket.write('GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    const [said] = await once(socket, 'data')
    expect(String(said)).toMatch(/^HTTP\/1\.1 404 /)
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  expect((await fetch(`${stack.address}/health/live`)).status).toBe(200)
  expect(faults).toEqual([])
})

const TYPES = `types { name description enumValues { name description }
  fields { name description type { name kind } args { name description type { name kind } } } }`

/** Much more than the systems at both ends keep for a connection, and no work for the database. */
const LARGE = `{ ${Array.from({ length: 6 }, (_, index) => `schema${index}: __schema { ${TYPES} }`).join(' ')} }`
const MANY = 20

test('SOCK-02 a client that asks and does not read is ended; the others do not notice', async () => {
  const socket = await open()
  const closed = once(socket, 'close')
  socket.pause()
  for (let id = 0; id < MANY; id++)
    socket.send(JSON.stringify({ id: `${id}`, type: 'subscribe', payload: { query: LARGE } }))
  using other = connect(stack.address, bearer(portal))
  for (let time = 0; time < 3; time++) {
    using answer = other.subscribe('{ me { id } }')
    expect((await answer.next()).data).toEqual({ me: { id: 'demo-portal' } })
  }
  await vi.waitFor(() => expect(logLines.join()).toContain('closing the connection of a slow reader'), {
    timeout: 20_000,
  })
  socket.resume()
  // Who does not even read the farewell in time is cut off.
  expect([1013, 1006]).toContain((await closed)[0])
})
