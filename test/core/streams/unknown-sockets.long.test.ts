/** Sockets whose client does not say who it is: bounded, ended soon, and never in the way of those who do. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { networkOf } from '#core/values/network.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { bearer, connect, subscribeSse } from '#test/support/subscribe.ts'

const MAX_STREAMS = 3
/** `PENDING.perNetwork`. */
const PER_NETWORK = 500

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack({ env: { MAX_STREAMS: `${MAX_STREAMS}`, TRUST_PROXY: '1' } })
  token = await stack.token()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const silent = (headers: Record<string, string> = {}) =>
  new WebSocket(`${stack.address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers }).on(
    'error',
    () => undefined,
  )

const opened = async (socket: WebSocket): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.once('open', () => resolve(101))
  socket.once('unexpected-response', (request, { statusCode }) => {
    request.destroy()
    resolve(statusCode ?? 0)
  })
  return promise
}

const closeAll = (sockets: WebSocket[]) =>
  Promise.all(
    sockets.map(async socket => {
      if (socket.readyState !== socket.OPEN) return
      const closed = once(socket, 'close')
      socket.terminate()
      await closed
    }),
  )

describe('who does not say who it is', () => {
  test('takes no place from those who do', async () => {
    const sockets = Array.from({ length: 50 }, () => silent())
    expect(new Set(await Promise.all(sockets.map(opened)))).toEqual(new Set([101]))
    using socket = connect(stack.address, bearer(token))
    using response = socket.subscribe('{ me { id } }')
    expect((await response.next()).data.me.id).toBe('demo-partner')
    await closeAll(sockets)
  })

  test('is ended after three seconds', async () => {
    const socket = silent()
    const [code] = await once(socket, 'close')
    expect(code).toBe(4408)
  })

  test('has so many connections at one address, and leaves other addresses theirs', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const sockets = Array.from({ length: PER_NETWORK + 5 }, (_, i) =>
      silent(from(`2001:db8::${i.toString(16)}`)),
    )
    const statuses = await Promise.all(sockets.map(opened))
    expect(statuses.filter(status => status === 503).length).toBeGreaterThanOrEqual(5)
    const other = silent(from('2001:db8:0:1::1'))
    expect(await opened(other)).toBe(101)
    await closeAll([...sockets, other])
  })
})

test('an address is that of a network', () => {
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:ffff::2'))
  expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'))
  expect(networkOf('2001::4:5:6:7:8')).not.toBe(networkOf('2001::5:5:6:7:8'))
  expect(networkOf('::ffff:192.0.2.1')).toBe(networkOf('192.0.2.1'))
  expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'))
  expect(networkOf('unknown')).toBe('unknown')
})

describe('who is known', () => {
  test('has as many streams as its quota says, of both kinds together', async () => {
    const data = {
      id: 'two-streams',
      name: 'Two',
      role: 'portal',
      secretHash: 'x',
      quotas: { openStreams: 2 },
    }
    await stack.app.db.client.create({ data })
    const own = await stack.token('two-streams')
    const events = 'subscription { transactionEvents { cursor } }'
    using first = connect(stack.address, bearer(own))
    using _events = first.subscribe(events)
    using _stream = subscribeSse(`${stack.address}/graphql/stream`, own, events)
    await expect.poll(() => stack.listeners(), { interval: 5 }).toBe(2)
    using third = connect(stack.address, bearer(own))
    expect(await third.closed).toMatchObject({
      code: 1013,
      reason: expect.stringContaining('2 streams open'),
    })
    using other = connect(stack.address, bearer(token))
    using response = other.subscribe('{ me { id } }')
    expect((await response.next()).data.me.id).toBe('demo-partner')
  })

  test('is refused where all places are taken, and let in when one is free', async () => {
    const sockets = Array.from({ length: MAX_STREAMS }, () => connect(stack.address, bearer(token)))
    const responses = sockets.map(socket => socket.subscribe('{ me { id } }'))
    for (const response of responses) await response.next()
    const late = silent()
    expect(await opened(late)).toBe(503)
    for (const socket of sockets) socket[Symbol.dispose]()
    await expect
      .poll(async () => {
        const next = silent()
        const status = await opened(next)
        next.terminate()
        return status
      })
      .toBe(101)
  })
})

describe('who says too much', () => {
  test.each<[string, (socket: WebSocket) => void]>([
    ['messages', socket => socket.send('{"type":"ping"}')],
    ['pings', socket => socket.ping()],
  ])('%s without end', async (_, say) => {
    const socket = silent()
    await opened(socket)
    for (let turn = 0; turn < 5_000 && socket.readyState === socket.OPEN; turn++) say(socket)
    const [code] = await once(socket, 'close')
    expect(code).toBe(1008)
  })

  test('a few are answered', async () => {
    const socket = silent()
    await opened(socket)
    socket.ping('x')
    expect(String((await once(socket, 'pong'))[0])).toBe('x')
    socket.send('{"type":"ping"}')
    expect(String((await once(socket, 'message'))[0])).toBe('{"type":"pong"}')
    await closeAll([socket])
  })
})
