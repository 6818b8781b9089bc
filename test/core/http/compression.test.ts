/** Compression: which responses it applies to, and that none of them holds more, or longer, than it did. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { registerWriteTime } from '#core/http/bodies.ts'
import { registerCompression } from '#core/http/responses.ts'
import { streamCompressed } from '#core/http/stream-response.ts'
import { callCoded } from '#test/support/coded.ts'

const opened: FastifyInstance[] = []
afterEach(() => Promise.all(opened.splice(0).map(server => server.close())))

const TEXT = 'what repeats itself is soon said. '.repeat(100)

const serve = async (add: (server: FastifyInstance) => void): Promise<string> => {
  const server = fastify({ forceCloseConnections: true })
  opened.push(server)
  registerCompression(server)
  registerWriteTime(server, 200)
  add(server)
  return server.listen({ port: 0, host: '127.0.0.1' })
}

describe('headers', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['text', { 'content-type': 'text/plain' }, 'gzip'],
    ['JSON', { 'content-type': 'application/json; charset=utf-8' }, 'gzip'],
    ['an answer of a graph', { 'content-type': 'application/graphql-response+json; charset=utf-8' }, 'gzip'],
    ['YAML', { 'content-type': 'application/yaml; charset=utf-8' }, 'gzip'],
    ['an event stream', { 'content-type': 'text/event-stream' }, undefined],
    ['a picture', { 'content-type': 'image/png' }, undefined],
    [
      'a response that must not be stored',
      { 'content-type': 'text/plain', 'cache-control': 'no-store' },
      'gzip',
    ],
    [
      'what must stay as it is',
      { 'content-type': 'text/plain', 'cache-control': 'no-cache, no-transform' },
      undefined,
    ],
    ['what has a validator', { 'content-type': 'text/plain', etag: '"1"' }, undefined],
    ['a part', { 'content-type': 'text/plain', 'content-range': 'bytes 0-1/2' }, undefined],
  ])('COMPRESS-60 decide what is compressed: %s', async (_, headers, coding) => {
    const address = await serve(http => http.get('/', (_, reply) => reply.headers(headers).send(TEXT)))
    const answer = await callCoded(address, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.text).toBe(TEXT)
  })

  it('COMPRESS-61 of what was encoded before stay, and it as well', async () => {
    const headers = { 'content-encoding': 'x-own', 'content-type': 'text/plain' }
    const address = await serve(http => http.get('/', (_, reply) => reply.headers(headers).send(TEXT)))
    const response = await callCoded(address, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers).toMatchObject({
      'content-encoding': 'x-own',
      'content-length': String(TEXT.length),
    })
  })
})

/** Asks, and reads nothing. */
const neverRead = (address: string) => {
  const { port } = new URL(address)
  const socket = connect(Number(port), '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nhost: a\r\naccept-encoding: br\r\n\r\n'),
  )
  return socket.pause().on('error', () => undefined)
}

describe('who does not read', () => {
  it('COMPRESS-70 is cut off, as without a coding', async () => {
    const large = randomBytes(24 * 1_024 * 1_024).toString('base64')
    const closed = Promise.withResolvers<void>()
    const address = await serve(http =>
      http.get('/', (request, reply) => {
        request.raw.socket.once('close', () => closed.resolve())
        return reply.type('text/plain').send(large)
      }),
    )
    const socket = neverRead(address)
    await closed.promise
    socket.destroy()
  })
})

const ENCODED = { status: 200, headers: { 'content-type': 'text/csv' } }

async function* endless(seen: { ended: boolean; pulled: number }) {
  try {
    for (;;) {
      seen.pulled += 1
      yield randomBytes(10_000).toString('base64')
    }
  } finally {
    seen.ended = true
  }
}

describe('streams', () => {
  it('COMPRESS-80 are made no faster than they are read, and end with their client', async () => {
    const seen = { ended: false, pulled: 0 }
    const over = Promise.withResolvers<void>()
    const address = await serve(http =>
      http.get('/', (_, reply) => streamCompressed(reply, ENCODED, endless(seen)).finally(over.resolve)),
    )
    const response = await fetch(address, { headers: { 'accept-encoding': 'gzip' } })
    const reader = response.body!.getReader()
    await reader.read()
    const pulled = seen.pulled
    expect(pulled).toBeLessThan(2_000)
    await reader.cancel()
    await over.promise
    await vi.waitFor(() => expect(seen.ended).toBe(true), { timeout: 10_000 })
  })

  it('COMPRESS-81 that fail are broken off, so that no client takes their beginning for the whole', async () => {
    const failed = Promise.withResolvers<unknown>()
    async function* failing() {
      yield TEXT
      throw new Error('the database is gone')
    }
    const address = await serve(http =>
      http.get('/', (_, reply) => streamCompressed(reply, ENCODED, failing()).catch(failed.resolve)),
    )
    await expect(callCoded(address, { headers: { 'accept-encoding': 'br' } })).rejects.toThrow()
    expect(await failed.promise).toEqual(new Error('the database is gone'))
  })
})
