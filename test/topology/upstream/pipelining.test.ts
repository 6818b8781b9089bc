/** Reads that are written to a connection together: who gets which response, and what becomes of those behind one that is slow or breaks. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { OwnEnding } from '#core/async/deadline.ts'
import { createRandom, type Random } from '#test/support/random.ts'
import { failureOf } from '#topology/upstream/failures.ts'
import { PlainClient } from '#topology/upstream/plain-client.ts'
import { startRawServer } from './raw-server.ts'

const clientOf = ({ origin }: { origin: string }) => {
  const client = new PlainClient({ origin, connectTimeoutMs: 2_000, silenceMs: 15_000 })
  const read = (path: string, ending = new OwnEnding(), isRead = true) =>
    client.send({ method: 'POST', path, headers: {}, body: '{}', isRead }, ending)
  const bodyOf = async (path: string) => String((await read(path)).body)
  return { client, read, bodyOf, [Symbol.asyncDispose]: () => client.close() }
}

const pathOf = (request: string) => request.split(' ', 2)[1]!

const respond = (text: string, ...headers: string[]) =>
  ['HTTP/1.1 200 OK', ...headers, `content-length: ${text.length}`, '', text].join('\r\n')

/** Says that it takes several requests, as a service does. */
const sayPort = (socket: Socket) => `x-pipelining: ${socket.remotePort}`

/** Starts a server whose first request, which asks, has its response at once; `answer` gets all others. */
const startAsked = async (answer: (socket: Socket, path: string) => void, say = sayPort) => {
  const server = await startRawServer((socket, index) => {
    const request = server.requests[index]!
    if (request.includes('x-pipelining: ask')) socket.write(respond(pathOf(request), say(socket)))
    else answer(socket, pathOf(request))
  })
  return server
}

const echo = (socket: Socket, path: string) => void socket.write(respond(path))

/** Reads once, so that a connection is known to take several. */
const opened = async (server: { origin: string }) => {
  const own = clientOf(server)
  await own.bodyOf('/first')
  return own
}

const outcomeOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 'whole',
    error => failureOf(error, new OwnEnding()),
  )
const PATHS = ['/a', '/b', '/c']

describe('reads of one turn', () => {
  it('PIPE-01 MUST share a connection whose service names the port of this end, eight at most', async () => {
    await using server = await startAsked(echo)
    await using own = await opened(server)
    const paths = Array.from({ length: 9 }, (_, index) => `/${index}`)
    expect(await Promise.all(paths.map(own.bodyOf))).toEqual(paths)
    expect(server.connections).toHaveLength(2)
    expect(server.requests.slice(0, 9).map(pathOf)).toEqual(['/first', ...paths.slice(0, 8)])
  })

  it.each([
    ['names another port, as where a proxy stands between', () => 'x-pipelining: 1'],
    ['says nothing', () => 'x-other: 1'],
  ])('PIPE-02 MUST each have a connection where the service %s', async (_, say) => {
    await using server = await startAsked(echo, say)
    await using own = await opened(server)
    expect(await Promise.all(PATHS.map(own.bodyOf))).toEqual(PATHS)
    expect(server.connections).toHaveLength(3)
  })

  it('PIPE-03 MUST NOT have a write among them', async () => {
    await using server = await startAsked(echo)
    await using own = await opened(server)
    const write = own.read('/write', new OwnEnding(), false)
    const responses = await Promise.all([write, ...PATHS.map(path => own.read(path))])
    expect(responses.map(({ body }) => body)).toEqual(['/write', ...PATHS])
    // The write had the connection that was there already.
    expect(server.requests.map(pathOf).slice(1).toSorted()).toEqual([...PATHS, '/write'])
    expect(server.connections.length).toBeGreaterThan(1)
  })

  it('PIPE-04 MUST have their own responses, in whatever pieces these come', async () => {
    let responses = ''
    await using server = await startAsked((socket, path) => {
      responses += respond(path, 'x-a: b')
      if (path !== '/c') return
      for (const byte of responses) socket.write(byte, 'latin1')
    })
    await using own = await opened(server)
    expect(await Promise.all(PATHS.map(own.bodyOf))).toEqual(PATHS)
    expect(server.connections).toHaveLength(1)
  })
})

/** A service of Node.js, which serves what comes at once side by side, and ends connections and fails as it likes. */
const startService = async (random: Random) => {
  let connections = 0
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('x-pipelining', String(request.socket.remotePort))
    const chance = random.below(100)
    if (chance < 1) return void request.socket.destroy()
    if (chance < 5) response.setHeader('connection', 'close')
    const end = () => response.end(request.url)
    if (chance < 50) setImmediate(end)
    else if (chance < 60) setTimeout(end, 5)
    else end()
  }
  const server = createServer(
    (request, response) => void request.resume().once('end', () => answer(request, response)),
  )
  server.on('connection', () => (connections += 1))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    [Symbol.dispose]: () => void server.close().closeAllConnections(),
  }
}

it('PIPE-20 MUST each get its own response of a service of Node.js, or fail as a connection does', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const random = createRandom(20)
    using service = await startService(random)
    await using own = clientOf(service)
    const outcomes: Record<string, number> = {}
    const ask = async (user: number) => {
      for (let index = 0; index < 100; index += 1) {
        const ending = new OwnEnding()
        const path = `/${user}/${index}`
        const sent = own.read(path, ending).then(({ body }) => (body === path ? 'own' : 'foreign'))
        if (random.chance(0.05)) ending.abort('over')
        // Patience ends and is paused several times.
        if (random.chance(0.3)) vi.advanceTimersByTime(50)
        const outcome = await sent.catch(error =>
          error === 'over' ? error : failureOf(error, new OwnEnding()),
        )
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, user) => ask(user)))
    expect(Object.keys(outcomes).toSorted()).toEqual(['broken', 'over', 'own'])
    expect(outcomes['own']).toBeGreaterThan(1_700)
    expect(outcomes['broken']).toBeLessThan(80)
  } finally {
    vi.useRealTimers()
  }
})

describe('reads behind another', () => {
  it('PIPE-10 MUST be sent again where the connection breaks, which only the first one hears of', async () => {
    let broken = 0
    await using server = await startAsked((socket, path) => {
      if (broken === 0) socket.resetAndDestroy()
      else echo(socket, path)
      broken += 1
    })
    await using own = await opened(server)
    const [first, ...others] = PATHS.map(path => own.read(path))
    expect(await outcomeOf(first!)).toBe('broken')
    expect((await Promise.all(others)).map(({ body }) => body)).toEqual(['/b', '/c'])
  })

  it('PIPE-11 MUST be sent again where a response says that the connection ends', async () => {
    await using server = await startAsked((socket, path) =>
      path === '/a' ? void socket.end(respond(path, 'connection: close')) : echo(socket, path),
    )
    await using own = await opened(server)
    expect(await Promise.all(PATHS.map(own.bodyOf))).toEqual(PATHS)
  })

  it('PIPE-12 MUST NOT get what a service says beyond their responses', async () => {
    await using server = await startAsked((socket, path) =>
      path === '/c' ? void socket.write(respond(path) + respond('unasked')) : echo(socket, path),
    )
    await using own = await opened(server)
    expect(await Promise.all(PATHS.map(own.bodyOf))).toEqual(PATHS)
    expect(await own.bodyOf('/next')).toBe('/next')
    expect(server.connections).toHaveLength(2)
  })

  it('PIPE-13 MUST NOT wait for a slow one for long, and have connections of their own for some time after it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const slow: Socket[] = []
      await using server = await startAsked((socket, path) => {
        if (path === '/a') slow.push(socket)
        else if (!slow.includes(socket)) echo(socket, path)
      })
      await using own = await opened(server)
      const [first, ...others] = PATHS.map(own.bodyOf)
      await vi.waitUntil(() => server.requests.length === 4)
      vi.advanceTimersByTime(100)
      expect(await Promise.all(others)).toEqual(['/b', '/c'])
      const before = server.connections.length
      const paused = ['/d', '/e', '/f'].map(own.bodyOf)
      expect(await Promise.all(paused)).toEqual(['/d', '/e', '/f'])
      expect(server.connections.length).toBeGreaterThan(before)
      slow[0]!.write(PATHS.map(path => respond(path)).join(''))
      expect(await first).toBe('/a')
      // The connection has served: nobody waited for the rest of it.
      await once(slow[0]!, 'close')
      expect(await Promise.all(paused.map((_, index) => own.bodyOf(`/${index}`)))).toEqual(['/0', '/1', '/2'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('PIPE-14 MUST stay where another of them ends, and take the connection with them where all end', async () => {
    const given: Socket[] = []
    await using server = await startAsked(socket => void given.push(socket))
    await using own = await opened(server)
    const endings = PATHS.map(() => new OwnEnding())
    const sent = PATHS.map((path, index) => own.read(path, endings[index]))
    await vi.waitUntil(() => given.length === 3)
    endings[0]!.abort('over')
    await expect(sent[0]).rejects.toBe('over')
    given[0]!.write(respond('/a') + respond('/b'))
    expect((await sent[1]!).body).toBe('/b')
    const closed = once(given[0]!, 'close')
    endings[2]!.abort('over')
    await expect(sent[2]).rejects.toBe('over')
    await closed
  })

  it('PIPE-15 MUST be sent, and have their responses, where the client is closed in the same turn', async () => {
    await using server = await startAsked(echo)
    const own = await opened(server)
    const sent = PATHS.map(own.bodyOf)
    await own.client.close()
    expect(await Promise.all(sent)).toEqual(PATHS)
  })
})
