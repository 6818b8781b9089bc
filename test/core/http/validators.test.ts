/** Validators: ETags of answers to GET, and 304 for clients that have them. */
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { registerCompression } from '#core/http/responses.ts'
import { isNamed } from '#core/http/validators.ts'
import { callCoded } from '#test/support/coded.ts'

const opened: FastifyInstance[] = []
afterEach(() => Promise.all(opened.splice(0).map(server => server.close())))

describe('If-None-Match', () => {
  it.each<[string | undefined, boolean]>([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a"', true],
    [' * ', true],
    ['"x,y" , "a"', true],
    ['"b"', false],
    ['"aa"', false],
    ['a', false],
    ['"x,"', false],
    ['', false],
    [undefined, false],
  ])('ETAG-01 is read as a list of tags, weak ones as well: %s', (header, expected) => {
    expect(isNamed(header, '"a"')).toBe(expected)
  })
})

const LARGE = { text: 'what repeats itself is soon said. '.repeat(100) }

const serve = async (): Promise<string> => {
  const server = fastify({ forceCloseConnections: true })
  opened.push(server)
  registerCompression(server)
  const config = { hasValidator: true }
  server.get('/large', { config }, async () => LARGE)
  server.get('/small', { config }, async () => ({ a: 1 }))
  server.get('/same', { config }, async (_, reply) => reply.header('x-total-count', 7).send({ a: 1 }))
  server.get('/kept', { config }, async (_, reply) =>
    reply.header('cache-control', 'no-store').send({ a: 1 }),
  )
  server.get('/made', { config }, async (_, reply) => reply.code(201).send({ a: 1 }))
  server.get('/none', async () => ({ a: 1 }))
  server.post('/small', { config }, async () => ({ a: 1 }))
  return server.listen({ port: 0, host: '127.0.0.1' })
}

describe('answers to GET', () => {
  it('ETAG-10 MUST have a strong tag for each encoding, and 304 for that one alone', async () => {
    const address = `${await serve()}/large`
    const get = (encoding: string, known?: string) =>
      callCoded(address, {
        headers: { 'accept-encoding': encoding, ...(known && { 'if-none-match': known }) },
      })
    const tags = new Map<string, string>()
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { headers, text } = await get(encoding)
      expect(text).toBe(JSON.stringify(LARGE))
      expect(headers['etag']).toMatch(/^"[\w-]{22}(-gzip|-br)?"$/)
      tags.set(encoding, String(headers['etag']))
    }
    expect(new Set(tags.values()).size).toBe(3)
    for (const [encoding, tag] of tags)
      for (const other of tags.keys()) {
        const { status, bytes, headers } = await get(other, tag)
        expect([status, headers['vary']]).toEqual([encoding === other ? 304 : 200, 'Accept-Encoding'])
        if (status === 304) expect([bytes.length, headers['etag']]).toEqual([0, tag])
      }
  })

  it('ETAG-11 MUST have the headers of a 200 without those of a body', async () => {
    const address = `${await serve()}/same`
    const whole = await callCoded(address)
    expect(whole.headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-total-count': '7' })
    const again = await callCoded(address, { headers: { 'if-none-match': '*' } })
    expect(again.status).toBe(304)
    expect(again.headers).toMatchObject({
      etag: whole.headers['etag'],
      'cache-control': 'private, no-cache',
      'x-total-count': '7',
    })
    for (const name of ['content-type', 'content-encoding']) expect(again.headers[name]).toBeUndefined()
  })

  it('ETAG-12 MUST have another tag where a list has the same records and another total', async () => {
    const address = await serve()
    const [one, other] = [await callCoded(`${address}/small`), await callCoded(`${address}/same`)]
    expect(one.text).toBe(other.text)
    expect(one.headers['etag']).not.toBe(other.headers['etag'])
  })

  it('ETAG-13 MUST have none elsewhere: other methods, other statuses, other routes', async () => {
    const address = await serve()
    const headers = { 'if-none-match': '*' }
    const answers = [
      await callCoded(`${address}/made`, { headers }),
      await callCoded(`${address}/none`, { headers }),
      await callCoded(`${address}/small`, { method: 'POST', headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
    for (const answer of answers) expect(answer.headers['etag']).toBeUndefined()
  })

  it('ETAG-14 MUST be the same by HEAD, and leave what a route says of storing', async () => {
    const address = await serve()
    const whole = await callCoded(`${address}/kept`)
    const head = await callCoded(`${address}/kept`, { method: 'HEAD' })
    expect(head.headers['etag']).toBe(whole.headers['etag'])
    expect(whole.headers['cache-control']).toBe('no-store')
    const known = { 'if-none-match': String(whole.headers['etag']) }
    expect((await callCoded(`${address}/kept`, { method: 'HEAD', headers: known })).status).toBe(304)
  })
})
