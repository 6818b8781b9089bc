/** One upstream subscription: what the instance is told of its connection, how it is bounded, whom its failure ends. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FormattedExecutionResult } from 'graphql'
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { FanOut, type FanOutParts } from '../../../../gateway/transport/remote/fan-out.ts'
import {
  reconnectingStream,
  type UpstreamEvent,
} from '../../../../gateway/transport/remote/reconnecting-stream.ts'
import { LostError, subscribeOverSocket } from '../../../../gateway/transport/remote/subscription-socket.ts'
import { type Stream, streamOf } from '../../../../subgraphs/shared/async/stream.ts'
import { ServiceError } from '../../../../subgraphs/shared/errors/catalogue.ts'
import { toEventCursor } from '../../../../subgraphs/shared/events/cursor.ts'

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0)) await close()
})

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

const told = () => ({ onAnswered: vi.fn(), onFailed: vi.fn(), onAbandoned: vi.fn() })

const subscribe = (url: string, tell = told()) => {
  const stream = subscribeOverSocket({
    url,
    headers: { authorization: 'Bearer x' },
    query: 'subscription { x }',
    variables: {},
    ...tell,
  })
  const counts = () => [tell.onAnswered, tell.onFailed, tell.onAbandoned].map(({ mock }) => mock.calls.length)
  return { stream, counts }
}

describe('the instance is told', () => {
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
      patienceMs: 5_000,
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

  test('USOCK-21 patience is for the time away, not for all the time without events', async () => {
    let connections = 0
    /** Each stands for some time before it breaks; in all, that is longer than the patience. */
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
      patienceMs: 200,
      connect: () => streamOf(stand, () => undefined),
    })
    expect((await stream.next()).value?.position).toBe(1n)
  })
})

describe('shared', () => {
  const unauthorized = new ServiceError('UNAUTHORIZED', 'The access token has expired')
  const headers = (token: string) => ({ authorization: token })

  /** A hub whose connections the test feeds and fails, each with the token it was made with. */
  const openHub = (parts: Partial<FanOutParts> = {}) => {
    const opened: { token: string; after: bigint; give(position: bigint): void; fail(error: Error): void }[] =
      []
    const onEnd = vi.fn()
    const open: FanOutParts['open'] = (after, current) => {
      const arrived: (UpstreamEvent | Error)[] = []
      let wake: () => void = () => undefined
      let begun = false
      const put = (one: UpstreamEvent | Error) => {
        arrived.push(one)
        wake()
      }
      const begin = () => {
        begun = true
        opened.push({
          after,
          token: current()['authorization']!,
          give: position => put({ position, response: {} }),
          fail: put,
        })
      }
      return streamOf<UpstreamEvent>(
        async () => {
          if (!begun) begin()
          while (arrived.length === 0) await new Promise<void>(done => (wake = done))
          const one = arrived.shift()!
          if (one instanceof Error) throw one
          return { done: false, value: one }
        },
        () => wake(),
      )
    }
    const fanOut = new FanOut({ after: 10n, head: 10n, capacity: 5, open, onEnd, ...parts })
    return { hub: fanOut, opened, onEnd }
  }

  test('USOCK-30 a refused token ends those whose it is; for the others it goes on, with a token of theirs', async () => {
    const { hub: fanOut, opened, onEnd } = openHub()
    const stays = fanOut.join(10n, headers('fresh'))
    opened[0]!.give(11n)
    expect((await stays.next()).value?.position).toBe(11n)
    const [one, two] = [fanOut.join(11n, headers('old')), fanOut.join(11n, headers('old'))]
    // The connection is made anew, now with the token of who came last.
    opened[0]!.fail(unauthorized)
    await expect(stays.next()).rejects.toBe(unauthorized)
    await vi.waitFor(() => expect(opened).toHaveLength(2))
    expect(opened[1]).toMatchObject({ token: 'old', after: 11n })
    const third = fanOut.join(11n, headers('new'))
    opened[1]!.fail(unauthorized)
    for (const subscriber of [one, two]) await expect(subscriber.next()).rejects.toBe(unauthorized)
    await vi.waitFor(() => expect(opened).toHaveLength(3))
    expect(opened[2]).toMatchObject({ token: 'new', after: 11n })
    opened[2]!.give(12n)
    expect((await third.next()).value?.position).toBe(12n)
    expect(onEnd).not.toHaveBeenCalled()
    await third.return()
    expect(onEnd).toHaveBeenCalledOnce()
  })

  test('USOCK-31 who does not take is ended with the place to resume, and the others get everything', async () => {
    const { hub: fanOut, opened } = openHub()
    const slow = fanOut.join(10n, headers('a'))
    const quick = fanOut.join(10n, headers('b'))
    opened[0]!.give(11n)
    expect((await slow.next()).value?.position).toBe(11n)
    const got: unknown[] = [(await quick.next()).value?.position]
    for (let position = 12n; position < 20n; position++) {
      opened[0]!.give(position)
      got.push((await quick.next()).value?.position)
    }
    expect(got).toEqual([11n, 12n, 13n, 14n, 15n, 16n, 17n, 18n, 19n])
    await expect(slow.next()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      extensions: { cursor: toEventCursor(11n) },
    })
  })

  test('USOCK-32 who comes without a cursor begins at the head, not where the first of them wanted to', async () => {
    const { hub: fanOut } = openHub({ head: 14n })
    expect(fanOut.head).toBe(14n)
  })

  test('USOCK-33 a failure that passes tells everyone where to resume; another is told as it is', async () => {
    for (const error of [new LostError('gone'), new ServiceError('PERMISSION_DENIED', 'no')]) {
      const { hub: fanOut, opened, onEnd } = openHub()
      const members = [fanOut.join(10n, headers('a')), fanOut.join(10n, headers('b'))]
      const next = members.map(subscriber => subscriber.next())
      opened[0]!.fail(error)
      const expected = error instanceof LostError ? { extensions: { cursor: toEventCursor(10n) } } : error
      for (const one of next) await expect(one).rejects.toMatchObject(expected)
      expect(onEnd).toHaveBeenCalledOnce()
      expect(fanOut.ended).toBe(true)
    }
  })

  test('USOCK-34 what was taken from memory is not read again from a connection of its own', async () => {
    const { hub: fanOut, opened } = openHub({ after: 100n, head: 100n, capacity: 5_000 })
    const stays = fanOut.join(100n, headers('stays'))
    const late = fanOut.join(99n, headers('late'))
    const first = late.next()
    await vi.waitFor(() => expect(opened).toHaveLength(2))
    opened[1]!.give(100n)
    const positions = [(await first).value!.position]
    const publish = async (from: bigint, until: bigint) => {
      for (let position = from; position <= until; position++) {
        opened[0]!.give(position)
        await stays.next()
      }
    }
    // Not live yet: it takes from memory, and by then memory holds nothing of what follows that.
    await publish(101n, 110n)
    positions.push((await late.next()).value!.position)
    await publish(111n, 1_200n)
    while (positions.length < 11) positions.push((await late.next()).value!.position)
    const next = late.next()
    await vi.waitFor(() => expect(opened).toHaveLength(3))
    expect(opened[2]!.after).toBe(110n)
    opened[2]!.give(111n)
    positions.push((await next).value!.position)
    expect(positions).toEqual(positions.map((_, index) => 100n + BigInt(index)))
    await Promise.all([stays.return(), late.return()])
  })
})
