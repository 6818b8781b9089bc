/** The server with a certificate of its own: HTTP/2 and HTTP/1.1 over TLS, and a certificate replaced while it serves. */
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type OutgoingHttpHeaders } from 'node:http2'
import { request as requestHttp1 } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { Certificate } from '#core/http/certificate.ts'
import { createLog } from '#core/observability/log.ts'
import { issueCertificate } from '#test/support/certificates.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

const folder = mkdtempSync(join(tmpdir(), 'tls-'))
const at = (name: string) => join(folder, name)

const issue = (name: string, days?: number) =>
  issueCertificate({ cert: at(`${name}.crt`), key: at(`${name}.key`) }, name, days)

/** Puts a pair in the place of the served one, each file by a rename. */
const install = (cert: string, key = cert): void => {
  for (const [name, ending] of [
    [cert, 'crt'],
    [key, 'key'],
  ] as const) {
    copyFileSync(at(`${name}.${ending}`), at('new'))
    renameSync(at('new'), at(`tls.${ending}`))
  }
}

const TLS = { TLS_CERT: at('tls.crt'), TLS_KEY: at('tls.key') }
const log = createLog('silent')
let stack: Stack
let token: string
beforeAll(async () => {
  issue('one')
  issue('two', 5)
  install('one')
  stack = await startStack({ env: { ...TLS, LOG_LEVEL: 'silent' } })
  token = await stack.token()
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const ask2 = async (path: string, headers: OutgoingHttpHeaders = {}, body?: string) => {
  const session = connect(stack.address, { rejectUnauthorized: false })
  try {
    const stream = session.request({ ':path': path, ':method': body ? 'POST' : 'GET', ...headers })
    stream.end(body)
    const [answered] = await once(stream, 'response')
    return { status: answered[':status'], headers: answered, text: await text(stream) }
  } finally {
    session.close()
  }
}

const ask1 = async (path: string, headers: Record<string, string> = {}, body?: string) => {
  const request = requestHttp1(stack.address + path, {
    rejectUnauthorized: false,
    agent: false,
    method: body ? 'POST' : 'GET',
    headers,
  }).end(body)
  const [response] = await once(request, 'response')
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

const servedName = async (): Promise<unknown> => {
  const { hostname, port } = new URL(stack.address)
  const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const name = socket.getPeerCertificate().subject.CN
  socket.destroy()
  return name
}

describe('requests', () => {
  it.each([
    ['a path that is none', '/nowhere', undefined],
    ['no token', '/prepaid/v1/recharges', undefined],
    ['a body that is not JSON', '/graphql', '{'],
    ['a query', '/graphql', '{"query":"{ __typename }"}'],
  ])('TLS-01 MUST be answered the same over HTTP/2 and HTTP/1.1: %s', async (_, path, body) => {
    const headers = {
      'x-correlator': 'same',
      host: 'graph.example',
      ...(body && { authorization: `Bearer ${token}`, 'content-type': 'application/json' }),
    }
    const [one, two] = [await ask1(path, headers, body), await ask2(path, headers, body)]
    expect([two.status, two.text]).toEqual([one.status, one.text])
    expect(two.headers['x-correlator']).toBe('same')
    for (const { headers: answered } of [one, two])
      expect(answered).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
      })
  })

  it('TLS-04 MUST get the events of a subscription over HTTP/2, without headers of a connection', async () => {
    const session = connect(stack.address, { rejectUnauthorized: false })
    onTestFinished(() => session.destroy())
    const stream = session.request({
      ':path': '/graphql',
      ':method': 'POST',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    })
    stream.end(JSON.stringify({ query: 'subscription { paymentEvents { eventid } }' }))
    const [answered] = await once(stream, 'response')
    expect(answered).toMatchObject({
      ':status': 200,
      'content-type': expect.stringContaining('event-stream'),
    })
    expect(answered['connection']).toBeUndefined()
    const [payment] = FIXTURES
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    expect((await ask2(payment!.path, headers, JSON.stringify(payment!.body()))).status).toBe(201)
    let events = ''
    for await (const chunk of stream) {
      events += chunk
      if (events.includes('eventid')) break
    }
    expect(events).toContain('event: next')
    stream.destroy()
  })

  it('TLS-05 MUST be answered before the server ends', async () => {
    const other = await startStack({ env: { ...TLS, LOG_LEVEL: 'silent' } })
    const bearer = await other.token()
    const session = connect(other.address, { rejectUnauthorized: false })
    onTestFinished(() => session.destroy())
    session.on('error', () => undefined)
    const stream = session.request({
      ':path': '/graphql',
      ':method': 'POST',
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
    })
    const body = '{"query":"{ __typename }"}'
    stream.write(body.slice(0, 5))
    await once(session, 'remoteSettings')
    const away = once(session, 'goaway')
    const stopped = other[Symbol.asyncDispose]()
    await away
    stream.end(body.slice(5))
    const [answered] = await once(stream, 'response')
    expect([answered[':status'], await text(stream)]).toEqual([200, '{"data":{"__typename":"Query"}}\n'])
    await stopped
  })

  it('TLS-06 MUST be ended after the response where the rest of its body never comes', async () => {
    const session = connect(stack.address, { rejectUnauthorized: false })
    onTestFinished(() => session.destroy())
    const headers = {
      authorization: 'Bearer wrong',
      'content-type': 'application/json',
      'content-length': 100,
    }
    const stream = session.request({ ':path': '/graphql', ':method': 'POST', ...headers })
    stream.on('error', () => undefined)
    stream.write('{')
    const closed = once(stream, 'close')
    const [answered] = await once(stream, 'response')
    expect(answered[':status']).toBe(401)
    stream.resume()
    await closed
  })

  it('TLS-07 MUST not hold up a stop by a session whose client never closes it', async () => {
    const other = await startStack({ env: { ...TLS, LOG_LEVEL: 'silent' } })
    const { hostname, port } = new URL(other.address)
    const socket = connectTls({
      ...{ host: hostname, port: Number(port), rejectUnauthorized: false },
      ...{ ALPNProtocols: ['h2'], allowHalfOpen: true },
    })
    onTestFinished(() => void socket.destroy())
    // The server may reset the connection, since bytes of either side are unread when it ends.
    socket.on('error', () => undefined)
    await once(socket, 'secureConnect')
    // The preface and empty SETTINGS of RFC 9113 §3.4; nothing is read, and the end is not answered.
    socket.write(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1'))
    await other[Symbol.asyncDispose]()
  })

  it('TLS-02 MUST be refused over HTTP/2 where authority and Host differ', async () => {
    expect(await ask2('/health/live', { ':authority': 'a.example', host: 'b.example' })).toMatchObject({
      status: 400,
    })
  })

  it('TLS-03 MUST be limited over HTTP/2 to bodies of 1 MiB', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const large = JSON.stringify({ query: 'x'.repeat(1_100_000) })
    expect(await ask2('/graphql', { ...headers, 'content-length': large.length }, large)).toMatchObject({
      status: 400,
    })
  })
})

describe('the certificate', () => {
  it('TLS-10 MUST be replaced without a restart, and a broken or foreign one refused with a warning', async () => {
    expect(await servedName()).toBe('one')
    install('two')
    await vi.waitFor(async () => expect(await servedName()).toBe('two'), { timeout: 15_000, interval: 200 })
    const ready = async () => (await ask2('/health/ready')).text
    expect(await ready()).toContain('the TLS certificate expires at')
    install('one', 'two')
    await vi.waitFor(async () => expect(await ready()).toContain('does not match'), {
      timeout: 15_000,
      interval: 200,
    })
    writeFileSync(at('tls.crt'), 'broken')
    await vi.waitFor(async () => expect(await ready()).toContain('TLS_CERT must name a PEM file'), {
      timeout: 15_000,
      interval: 200,
    })
    expect(await servedName()).toBe('two')
    install('one')
    await vi.waitFor(async () => expect(await servedName()).toBe('one'), { timeout: 15_000, interval: 200 })
    expect(await ready()).not.toContain('TLS')
  })

  it('TLS-11 MUST be named with what to do where it cannot be served at start', () => {
    expect(() => readConfig({ TLS_CERT: TLS.TLS_CERT })).toThrow('TLS_KEY must be set when TLS_CERT is')
    const serve = (cert: string, key: string) => () => new Certificate({ cert: at(cert), key: at(key) }, log)
    expect(serve('one.crt', 'none')).toThrow('TLS_KEY must name a file that this user')
    expect(serve('one.crt', 'two.key')).toThrow('does not match')
    expect(serve('one.crt', 'two.key')).toThrow(SetupError)
  })
})
