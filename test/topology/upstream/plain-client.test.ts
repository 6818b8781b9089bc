/** The client of the graph's requests: connections, failures and limits, and the same answers as by a general client. */
import { once } from 'node:events'
import { Pool } from 'undici'
import { describe, expect, it, vi } from 'vitest'
import { OwnEnding } from '#core/async/deadline.ts'
import { exchange } from '#topology/upstream/exchange.ts'
import { failureOf } from '#topology/upstream/failures.ts'
import { PlainClient, type PlainRequest } from '#topology/upstream/plain-client.ts'
import { type RawAnswer, type RawServer, startRawServer } from './raw-server.ts'

const REQUEST: PlainRequest = {
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', authorization: 'Bearer é' },
  body: '{"query":"{ok}"}',
  isRead: true,
}

const clientOf = ({ origin }: RawServer, silenceMs = 15_000) => {
  const client = new PlainClient({ origin, connectTimeoutMs: 2_000, silenceMs })
  return { client, [Symbol.asyncDispose]: () => client.close() }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const saying =
  (text: string): RawAnswer =>
  socket =>
    void socket.write(text, 'latin1')
const FINE = saying(`${OK}content-length: 2\r\n\r\n{}`)

const ANSWERS: Record<string, RawAnswer> = {
  fine: FINE,
  'a page of a balancer': saying(
    'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 3\r\n\r\n<a>',
  ),
  chunks: saying(`${OK}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`),
  'until the end': socket => void socket.end(`${OK}\r\n{}`),
  'cut off': socket => void socket.end(`${OK}content-length: 9\r\n\r\n{}`),
  'nothing but an end': socket => void socket.end(),
  'no HTTP': saying('SSH-2.0-OpenSSH\r\n\r\n'),
  'a length and chunks': saying(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  'a length that is no number': saying(`${OK}content-length: x\r\n\r\n`),
  'a status of two digits': saying('HTTP/1.1 20 OK\r\n\r\n'),
}

const outcomeOf = (sent: Promise<{ status: number; body: { toString(): string } }>) =>
  sent.then(
    ({ status, body }) => ({ status, body: body.toString() }),
    error => failureOf(error, new OwnEnding()),
  )

it.each(Object.entries(ANSWERS))('PLAIN-01 MUST come to what undici comes to: %s', async (_, answer) => {
  await using server = await startRawServer(answer)
  await using own = clientOf(server)
  const pool = new Pool(server.origin)
  const general = await outcomeOf(exchange(pool, { ...REQUEST, method: 'POST' }, new OwnEnding()))
  expect(await outcomeOf(own.client.send(REQUEST, new OwnEnding()))).toEqual(general)
  await pool.destroy()
  // Both have sent the same, whatever the sequence of headers, but for the question whether several may come at once.
  const [one, other] = server.requests.map(text => text.toLowerCase().split('\r\n').toSorted())
  expect(other!.filter(line => !line.includes('x-pipelining'))).toEqual(one)
})

describe('connections', () => {
  it('PLAIN-02 MUST be used again, one request at a time', async () => {
    await using server = await startRawServer(FINE)
    await using own = clientOf(server)
    await Promise.all([own.client.send(REQUEST, new OwnEnding()), own.client.send(REQUEST, new OwnEnding())])
    await own.client.send(REQUEST, new OwnEnding())
    expect([server.connections.length, server.requests.length]).toEqual([2, 3])
  })

  it('PLAIN-03 MUST NOT be used again once the service has closed them, or has spoken unasked', async () => {
    await using server = await startRawServer(FINE)
    await using own = clientOf(server)
    for (const end of ['end', 'write'] as const) {
      await own.client.send(REQUEST, new OwnEnding())
      const socket = server.connections.at(-1)!
      const closed = once(socket, 'close')
      socket[end](OK)
      await closed
    }
    await own.client.send(REQUEST, new OwnEnding())
    expect(server.connections).toHaveLength(3)
  })

  it('PLAIN-04 MUST NOT be used again where the response ends with them, or more follows it', async () => {
    const closing = saying(`${OK}connection: close\r\ncontent-length: 2\r\n\r\n{}`)
    const more = saying(`${OK}content-length: 2\r\n\r\n{}${OK}`)
    await using server = await startRawServer((socket, index) => [closing, more, FINE][index]!(socket, index))
    await using own = clientOf(server)
    for (const _ of [1, 2, 3]) expect((await own.client.send(REQUEST, new OwnEnding())).body).toBe('{}')
    expect(server.connections).toHaveLength(3)
  })

  it('PLAIN-05 MUST end where no request has them for seconds, and where a service is silent', async () => {
    await using server = await startRawServer((socket, index) => index === 0 && FINE(socket, index))
    vi.useFakeTimers({ toFake: ['setInterval'] })
    try {
      await using own = clientOf(server, 2_000)
      await own.client.send(REQUEST, new OwnEnding())
      const closed = once(server.connections[0]!, 'close')
      vi.advanceTimersByTime(4_000)
      await closed
      const silent = outcomeOf(own.client.send(REQUEST, new OwnEnding()))
      await vi.waitUntil(() => server.requests.length === 2)
      vi.advanceTimersByTime(3_000)
      expect(await silent).toBe('late')
    } finally {
      vi.useRealTimers()
    }
  })

  it('PLAIN-06 MUST be closed once the requests under way have their responses', async () => {
    const answers: (() => void)[] = []
    await using server = await startRawServer((socket, index) => answers.push(() => FINE(socket, index)))
    const { client } = clientOf(server)
    const sent = client.send(REQUEST, new OwnEnding())
    await vi.waitUntil(() => answers.length === 1)
    const closed = client.close()
    expect(await outcomeOf(client.send(REQUEST, new OwnEnding()))).toBe('unsent')
    answers[0]!()
    expect((await sent).status).toBe(200)
    await closed
  })
})

describe('a request', () => {
  it('PLAIN-10 MUST be ended at once with the reason of its end, and nobody gets its connection', async () => {
    await using server = await startRawServer((socket, index) => index > 0 && FINE(socket, index))
    await using own = clientOf(server)
    const ending = new OwnEnding()
    const sent = own.client.send(REQUEST, ending)
    await vi.waitUntil(() => server.requests.length === 1)
    ending.abort('over')
    await expect(sent).rejects.toBe('over')
    await expect(own.client.send(REQUEST, ending)).rejects.toBe('over')
    await own.client.send(REQUEST, new OwnEnding())
    expect([server.connections.length, server.requests.length]).toEqual([2, 2])
  })

  it('PLAIN-11 MUST NOT be sent where it ends before it has a connection', async () => {
    await using server = await startRawServer(FINE)
    await using own = clientOf(server)
    const ending = new OwnEnding()
    const sent = own.client.send(REQUEST, ending)
    ending.abort('over')
    await expect(sent).rejects.toBe('over')
    await own.client.send({ ...REQUEST, path: '/next' }, new OwnEnding())
    expect(server.requests.map(text => text.split(' ', 2)[1])).toEqual(['/next'])
  })

  it('PLAIN-12 MUST have its body in UTF-8, and headers that end where they should', async () => {
    await using server = await startRawServer(FINE)
    await using own = clientOf(server)
    await own.client.send({ ...REQUEST, body: '{"name":"مرحبا"}' }, new OwnEnding())
    expect(server.requests[0]).toMatch(/content-length: 21\r\n\r\n\{"name":"مرحبا"\}$/)
    for (const value of ['a\r\nb: c', 'a\nb', 'a\0', 'م']) {
      const headers = { ...REQUEST.headers, 'x-acting-user': value }
      expect(await outcomeOf(own.client.send({ ...REQUEST, headers }, new OwnEnding()))).toBe('faulty')
    }
    expect(server.requests).toHaveLength(1)
  })

  it('PLAIN-13 MUST be known as not sent where no connection is made', async () => {
    const server = await startRawServer(FINE)
    await server[Symbol.asyncDispose]()
    await using own = clientOf(server)
    expect(await outcomeOf(own.client.send(REQUEST, new OwnEnding()))).toBe('unsent')
  })
})
