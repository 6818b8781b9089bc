/** The time limit holds over every phase of an attempt: connecting, the handshake, the headers. */
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readAllowList } from '#core/egress/callback-policy.ts'
import { createGuardedAgent } from '#core/egress/guarded-agent.ts'
import { attempt } from '#core/webhooks/attempt.ts'

const LIMIT_MS = 300

const tryWith = async (protocol: 'http' | 'https', serve: (socket: Socket) => unknown, body = '{}') => {
  const closed = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const server = createServer((socket: Socket): void => {
    sockets.push(socket)
    socket.on('error', () => undefined).once('close', () => closed.resolve())
    serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const dispatcher = createGuardedAgent({ allow: readAllowList(['127.0.0.1']) })
  const url = new URL(`${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const stop = new AbortController().signal
  const result = await attempt(
    { url, body, headers: {}, address: url.href, token: undefined },
    { dispatcher, stop, timeLimitMs: LIMIT_MS, now: Date.now },
  )
  await dispatcher.destroy()
  // One that is not read does not hear of its end.
  for (const socket of sockets) socket.resume()
  await closed.promise
  server.close()
  return result
}

const drip =
  (text: string) =>
  (socket: Socket): unknown => {
    let at = 0
    const timer: NodeJS.Timeout = setInterval(() => void socket.write(text[at++ % text.length]!), 20)
    return socket.resume().once('close', () => clearInterval(timer))
  }

const TOO_LATE = { status: null, error: 'no answer within 0.3 s' }

const SLOW: [string, 'http' | 'https', (socket: Socket) => unknown][] = [
  ['never answers the handshake', 'https', (socket: Socket) => socket.resume()],
  ['never reads', 'http', (socket: Socket) => socket.pause()],
  [
    'drips its status line',
    'http',
    drip('HTTP/1.1 200 OK but very slowly indeed, one letter after the other '),
  ],
  [
    'drips its headers',
    'http',
    drip('HTTP/1.1 200 OK\r\nx-a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
  ],
]

it.each(SLOW)(
  'SLOW-01 a receiver that %s is left at the time limit, and its connection closed',
  async (_, protocol, serve) => {
    const result = await tryWith(protocol, serve, 'x'.repeat(16_000_000))
    expect(result).toMatchObject(TOO_LATE)
    expect(result.durationMs).toBeLessThan(10 * LIMIT_MS)
  },
)

it('SLOW-02 headers without an end are cut off at 16 KiB', async () => {
  const { error } = await tryWith('http', socket => {
    socket.resume().write('HTTP/1.1 200 OK\r\n')
    socket.write(`x-a: ${'a'.repeat(60_000)}\r\n`)
  })
  expect(error).toContain('too large headers')
})

it('SLOW-03 one that is connected to only after the time limit is sent nothing', async () => {
  const received: unknown[] = []
  const server = createServer(socket => socket.on('data', data => received.push(data)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const connected = once(server, 'connection')
  const lookup = (_: string, __: unknown, found: (error: null, all: LookupAddress[]) => void) =>
    void setTimeout(found, 2 * LIMIT_MS, null, [{ address: '127.0.0.1', family: 4 }])
  const dispatcher = createGuardedAgent({ allow: readAllowList(['127.0.0.1']) }, lookup as never)
  const url = new URL(`http://late.example:${(server.address() as AddressInfo).port}/`)
  const stop = new AbortController().signal
  const message = { url, body: '{}', headers: {}, address: url.href, token: undefined }
  expect(await attempt(message, { dispatcher, stop, timeLimitMs: LIMIT_MS, now: Date.now })).toMatchObject(
    TOO_LATE,
  )
  await connected
  await delay(LIMIT_MS)
  expect(received).toEqual([])
  await dispatcher.destroy()
  server.close()
})
