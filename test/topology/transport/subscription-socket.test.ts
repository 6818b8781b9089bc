/** One upstream subscription: what is reported of its connection to the instance, how it is bounded, where it resumes. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FormattedExecutionResult } from 'graphql'
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws'
import { describe, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Stream, streamOf } from '#core/async/stream.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { toEventCursor } from '#core/events/read.ts'
import { reconnectingStream } from '#topology/transport/reconnecting-stream.ts'
import { LostError, subscribeOverSocket } from '#topology/transport/subscription-socket.ts'
import { closeAfterEach, createReports, toClose } from './scripted.ts'

closeAfterEach()

type Message = { type: string; id?: string; payload?: unknown }

interface Scripted {
  readonly url: string
  readonly sockets: Set<WebSocket>
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  toClose.push(async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
}

/** A server of the protocol that does what the test says with each message. */
const script = async (response: (message: Message, socket: WebSocket) => void): Promise<Scripted> => {
  const http = createServer()
  const server = new WebSocketServer({ server: http, handleProtocols: () => GRAPHQL_TRANSPORT_WS_PROTOCOL })
  server.on('connection', socket => socket.on('message', data => response(JSON.parse(String(data)), socket)))
  const url = await listen(http)
  toClose.unshift(async () => {
    for (const socket of server.clients) socket.terminate()
  })
  return { url, sockets: server.clients }
}

const reply = (socket: WebSocket, message: Message) => socket.send(JSON.stringify(message))

const acknowledging =
  (onSubscribe: (message: Message, socket: WebSocket) => void) => (message: Message, socket: WebSocket) => {
    if (message.type === 'connection_init') reply(socket, { type: 'connection_ack' })
    if (message.type === 'subscribe') onSubscribe(message, socket)
  }

const subscribe = (url: string, reports = createReports()) => {
  const stream = subscribeOverSocket({
    url,
    headers: { authorization: 'Bearer x' },
    query: 'subscription { x }',
    variables: {},
    ...reports,
  })
  const counts = () =>
    [reports.onResponse, reports.onFailed, reports.onAbandoned].map(({ mock }) => mock.calls.length)
  return { stream, counts }
}

describe('reports to the instance', () => {
  test('USOCK-01 that it answers, when it accepts', async () => {
    const { url } = await script(
      acknowledging(({ id }, socket) => reply(socket, { id, type: 'next', payload: { data: { x: 1 } } })),
    )
    const { stream, counts } = subscribe(url)
    expect((await stream.next()).value).toEqual({ data: { x: 1 } })
    await stream.return(undefined)
    expect(counts()).toEqual([1, 0, 0])
  })

  test.each([
    ['a wrong token', 4403, ServiceError],
    ['that it is busy', 1013, LostError],
  ])('USOCK-02 that it answers, when it says why it does not accept: %s', async (_, code, type) => {
    const { url } = await script((_message, socket) => socket.close(code, 'because'))
    const { stream, counts } = subscribe(url)
    await expect(stream.next()).rejects.toBeInstanceOf(type)
    expect(counts()).toEqual([1, 0, 0])
  })

  test.each([
    [503, [1, 0, 0]],
    [502, [0, 1, 0]],
  ])('USOCK-03 of an upgrade that is answered with %i', async (status, expected) => {
    const url = await listen(
      createServer().on('upgrade', (_request, socket) =>
        socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`),
      ),
    )
    const { stream, counts } = subscribe(url)
    await expect(stream.next()).rejects.toBeInstanceOf(LostError)
    expect(counts()).toEqual(expected)
  })

  test('USOCK-04 that it could not be reached', async () => {
    const { stream, counts } = subscribe('ws://127.0.0.1:1/graphql')
    await expect(stream.next()).rejects.toBeInstanceOf(LostError)
    expect(counts()).toEqual([0, 1, 0])
  })

  test('USOCK-05 that nobody waits any longer, and the connection is cut at once', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<{ closed: Promise<unknown> }>()
    const silent = createServer().on('upgrade', (_request, socket) => {
      socket.on('error', () => undefined).on('end', () => socket.destroy())
      socket.resume()
      resolve({ closed: new Promise(done => socket.once('close', done)) })
    })
    const { stream, counts } = subscribe(await listen(silent))
    const next = stream.next()
    const { closed } = await asked
    await stream.return(undefined)
    await closed
    expect((await next).done).toBe(true)
    expect(counts()).toEqual([0, 0, 1])
  })

  test('USOCK-06 that nobody waits any longer, although the handshake is made but not accepted', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<WebSocket>()
    const { url } = await script((_message, socket) => resolve(socket))
    const { stream, counts } = subscribe(url)
    const socket = await asked
    const closed = new Promise(done => socket.once('close', done))
    await stream.return(undefined)
    await closed
    expect(counts()).toEqual([0, 0, 1])
  })
})

test('USOCK-10 what is not taken stays at the subgraph, while another takes; then it comes, whole and in order', async () => {
  const total = 4_000
  const filling = 'x'.repeat(16_384)
  const { url, sockets } = await script(
    acknowledging(({ id }, socket) => {
      for (let n = 0; n < total; n++) reply(socket, { id, type: 'next', payload: { data: { n, filling } } })
    }),
  )
  const takeAll = async (stream: Stream<FormattedExecutionResult>) => {
    const got: unknown[] = []
    while (got.length < total) got.push((await stream.next()).value?.data?.['n'])
    await stream.return(undefined)
    return got
  }
  const all = Array.from({ length: total }, (_, n) => n)
  const slow = subscribe(url).stream
  await slow.next()
  const [server] = sockets
  expect(await takeAll(subscribe(url).stream)).toEqual(all)
  expect(server!.bufferedAmount).toBeGreaterThan((total * filling.length) / 2)
  const rest: unknown[] = []
  while (rest.length < total - 1) rest.push((await slow.next()).value?.data?.['n'])
  expect(rest).toEqual(all.slice(1))
  await slow.return(undefined)
})

describe('resuming', () => {
  const answerAt = (position: bigint): FormattedExecutionResult => ({
    data: { paymentEvents: { partnerGraphCursor: toEventCursor(position) } },
  })
  /** A connection that gives these events and then breaks. */
  const connection = (positions: readonly bigint[]): Stream<FormattedExecutionResult> => {
    const left = positions.map(answerAt)
    return streamOf(
      async () => {
        const value = left.shift()
        if (!value) throw new LostError('gone')
        return { done: false, value }
      },
      () => undefined,
    )
  }

  test('USOCK-20 each connection begins where the last ended, and what comes again is left out', async () => {
    const begun: string[] = []
    const scripts = [[11n, 12n], [], [12n, 13n]]
    const stream = reconnectingStream({
      after: 10n,
      maxOutageMs: 5_000,
      connect(after) {
        begun.push(after)
        return connection(scripts.shift() ?? [])
      },
    })
    const got = [await stream.next(), await stream.next(), await stream.next()]
    expect(got.map(({ value }) => value?.position)).toEqual([11n, 12n, 13n])
    expect(begun).toEqual([10n, 12n, 12n].map(toEventCursor))
    await stream.return(undefined)
  })

  test('USOCK-21 the longest outage counts the time away, not all the time without events', async () => {
    let connections = 0
    /** Each stands for some time before it breaks; in all, that is longer than the longest outage. */
    const stand = (): Promise<IteratorResult<FormattedExecutionResult, undefined>> =>
      new Promise((done, failed) => {
        const isLast = ++connections === 5
        setTimeout(() => {
          if (isLast) done({ done: false, value: answerAt(1n) })
          else failed(new LostError('gone'))
        }, 80)
      })
    const stream = reconnectingStream({
      after: 0n,
      maxOutageMs: 200,
      connect: () => streamOf(stand, () => undefined),
    })
    expect((await stream.next()).value?.position).toBe(1n)
  })
})
