/** The token endpoint over HTTP (RFC 6749 §4.4, §5). */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccess } from '#core/access/access.ts'
import { createLog } from '#core/observability/log.ts'
import { basic, config, deadPrisma, log, openAccess, serve } from './support.ts'

let opened: Awaited<ReturnType<typeof openAccess>>
let server: FastifyInstance
let secret: string

beforeAll(async () => {
  opened = await openAccess()
  const { clients } = opened.access
  secret = (await clients.add({ id: 'shop', role: 'partner' })).secret
  await clients.add({ id: 'a|b@c', role: 'portal', secret: 'p%s +:/=&~' })
  await clients.add({ id: 'ended', role: 'partner', secret: 'ended-secret' })
  await clients.disable('ended')
  server = serve(opened.access)
})
afterAll(async () => {
  await server.close()
  await opened.close()
})

type Parameters = Record<string, string>
const GRANT = { grant_type: 'client_credentials' }
let addresses = 0

/** Each from an own address, so that the throttle keeps out of it. */
const send = (payload: string, headers: Parameters = {}, to = server) =>
  to.inject({
    method: 'POST',
    url: '/oauth2/accesstoken',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload,
    remoteAddress: `192.0.2.${++addresses}`,
  })
const post = (form: Parameters, headers: Parameters = {}) =>
  send(new URLSearchParams(form).toString(), headers)
const withBasic = (id: string, password: string) => post(GRANT, { authorization: basic(id, password) })

const expectFailure = (response: Awaited<ReturnType<typeof send>>, status: number, error: string) => {
  expect([response.statusCode, response.json().error]).toEqual([status, error])
  expect(Object.keys(response.json())).toEqual(['error', 'error_description'])
  expect(response.json().error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  expect(response.headers['cache-control']).toBe('no-store')
}

test('AUTH-01 credentials in the body: exactly the three fields, and no cache keeps them', async () => {
  const response = await post({ ...GRANT, client_id: 'shop', client_secret: secret })
  expect(response.statusCode).toBe(200)
  const { access_token, ...rest } = response.json()
  expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3_600 })
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  expect((await opened.access.verify(`Bearer ${access_token}`)).clientId).toBe('shop')
})

test('AUTH-02 credentials by HTTP Basic, the scheme in any case; the id may stand in the body too', async () => {
  expect((await withBasic('shop', secret)).statusCode).toBe(200)
  const authorization = basic('shop', secret)
  expect((await post(GRANT, { authorization: authorization.replace('Basic', 'bAsIc') })).statusCode).toBe(200)
  expect((await post({ ...GRANT, client_id: 'shop' }, { authorization })).statusCode).toBe(200)
})

test('AUTH-03 Basic credentials are form-encoded (RFC 6749 §2.3.1)', async () => {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  const response = await withBasic(encode('a|b@c'), encode('p%s +:/=&~'))
  expect(response.statusCode).toBe(200)
  expect((await opened.access.verify(`Bearer ${response.json().access_token}`)).clientId).toBe('a|b@c')
})

test('AUTH-04 a form with a charset and a scope that is ignored', async () => {
  const form = new URLSearchParams({ ...GRANT, client_id: 'shop', client_secret: secret, scope: 'payments' })
  const type = 'application/x-www-form-urlencoded; charset=UTF-8'
  const response = await send(form.toString(), { 'content-type': type })
  expect([response.statusCode, Object.keys(response.json())]).toEqual([
    200,
    ['access_token', 'token_type', 'expires_in'],
  ])
})

describe('AUTH-05 client authentication that fails is invalid_client, 401', () => {
  test.each<[string, Parameters]>([
    ['wrong secret', { client_id: 'shop', client_secret: 'wrong-secret' }],
    ['unknown client', { client_id: 'nobody', client_secret: 'wrong-secret' }],
    ['disabled client', { client_id: 'ended', client_secret: 'ended-secret' }],
    ['no credentials', {}],
    ['no secret', { client_id: 'shop' }],
    ['empty secret', { client_id: 'shop', client_secret: '' }],
    ['no id', { client_secret: 'wrong-secret' }],
  ])('%s', async (_, credentials) => {
    const response = await post({ ...GRANT, ...credentials })
    expectFailure(response, 401, 'invalid_client')
    expect(response.headers).not.toHaveProperty('www-authenticate')
  })

  test.each([
    ['wrong secret', basic('shop', 'wrong-secret')],
    ['no colon', `Basic ${Buffer.from('shop').toString('base64')}`],
    ['empty', 'Basic'],
    ['not base64', 'Basic ###'],
    ['another scheme', 'Bearer abc'],
  ])('with an Authorization header and a challenge: %s', async (_, authorization) => {
    const response = await post(GRANT, { authorization })
    expectFailure(response, 401, 'invalid_client')
    expect(response.headers['www-authenticate']).toBe('Basic realm="partner-graph", charset="UTF-8"')
  })
})

test('AUTH-06 unknown, disabled and wrong cannot be distinguished', async () => {
  const responses = [
    await withBasic('shop', 'wrong-secret'),
    await withBasic('nobody', 'wrong-secret'),
    await withBasic('ended', 'ended-secret'),
  ]
  expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
})

describe('AUTH-07 invalid_request, 400', () => {
  const both = () => ({ client_id: 'shop', client_secret: secret })
  test('Basic and body credentials at once', async () => {
    const authorization = basic('shop', secret)
    expectFailure(await post({ ...GRANT, ...both() }, { authorization }), 400, 'invalid_request')
    expectFailure(await post({ ...GRANT, client_id: 'other' }, { authorization }), 400, 'invalid_request')
  })
  test('grant_type missing or empty', async () => {
    expectFailure(await post(both()), 400, 'invalid_request')
    expectFailure(await post({ ...both(), grant_type: '' }), 400, 'invalid_request')
  })
  test('a parameter twice', async () => {
    const form = new URLSearchParams({ ...GRANT, ...both() }).toString()
    expectFailure(await send(`${form}&client_id=shop`), 400, 'invalid_request')
  })
  test('JSON, another type, or no body', async () => {
    const json = JSON.stringify({ ...GRANT, ...both() })
    expectFailure(await send(json, { 'content-type': 'application/json' }), 400, 'invalid_request')
    expectFailure(await send(json, { 'content-type': 'text/plain' }), 400, 'invalid_request')
    expectFailure(await send(''), 400, 'invalid_request')
    const empty = await server.inject({ method: 'POST', url: '/oauth2/accesstoken' })
    expectFailure(empty, 400, 'invalid_request')
  })
  test('a body beyond 8 KiB', async () => {
    const large = await post({ ...GRANT, padding: 'x'.repeat(9_000) })
    expectFailure(large, 400, 'invalid_request')
    expect(large.json().error_description).toBe('The form must not have more than 8192 bytes')
  })
  test('credentials with characters that no credential has', async () => {
    const odd = { client_id: 'shöp', client_secret: 'wrong-secret' }
    expectFailure(await post({ ...GRANT, ...odd }), 400, 'invalid_request')
  })
})

test.each([
  'password',
  'authorization_code',
  'refresh_token',
  'urn:other',
  '__proto__',
  'client_credentials ',
])('AUTH-08 unsupported_grant_type, 400: %s', async grant_type => {
  const response = await post({ grant_type, client_id: 'shop', client_secret: secret })
  expectFailure(response, 400, 'unsupported_grant_type')
})

test('AUTH-09 wrong secrets from one address are slowed down; the client itself, at another address, is not', async () => {
  const from = (remoteAddress: string, password: string) =>
    server.inject({
      method: 'POST',
      url: '/oauth2/accesstoken',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: basic('shop', password),
      },
      payload: 'grant_type=client_credentials',
      remoteAddress,
    })
  for (let i = 0; i < 5; i++) expectFailure(await from('198.51.100.1', 'wrong-secret'), 401, 'invalid_client')
  const until = (interval: string) =>
    opened.db.$executeRaw`
      UPDATE access.secret_failure SET blocked_until = clock_timestamp() + ${interval}::interval`
  await until('60 seconds')
  const blocked = await from('198.51.100.1', secret)
  expectFailure(blocked, 401, 'invalid_client')
  expect(blocked.headers['retry-after']).toBe('60')
  expect((await from('198.51.100.2', secret)).statusCode).toBe(200)
  await until('0 seconds')
  expect((await from('198.51.100.1', secret)).statusCode).toBe(200)
})

test('AUTH-10 database out of reach: 503 temporarily_unavailable with Retry-After, and a line in the log', async () => {
  const access = await createAccess({ config, log, db: deadPrisma })
  const lines: string[] = []
  await using down = serve(access, createLog('warn', { write: line => void lines.push(line) }))
  const form = new URLSearchParams({ ...GRANT, client_id: 'shop', client_secret: secret })
  const response = await send(form.toString(), {}, down)
  expectFailure(response, 503, 'temporarily_unavailable')
  expect(response.headers['retry-after']).toBe('2')
  expect(lines.map(line => JSON.parse(line).msg)).toContain('a token request could not be served')
  await expect(access.webhookKeys.publicJwks()).rejects.toThrow('cannot be read')
  await expect(access.issuer!.jwks()).rejects.toThrow('cannot be read')
})

test('AUTH-11 the unexpected: 500 server_error without internals', async () => {
  const issuer = {
    ...opened.access.issuer!,
    issue: () => Promise.reject(new Error('table signing_key is broken')),
  }
  await using broken = serve({ ...opened.access, issuer })
  const form = new URLSearchParams({ ...GRANT, client_id: 'shop', client_secret: secret })
  const response = await send(form.toString(), {}, broken)
  expectFailure(response, 500, 'server_error')
  expect(response.body).not.toContain('signing_key')
})

test('AUTH-12 the public keys are published, may be cached, and hold nothing private', async () => {
  const response = await server.inject('/.well-known/jwks.json')
  expect(response.statusCode).toBe(200)
  expect(response.headers['cache-control']).toBe('public, max-age=300')
  expect(response.headers['content-type']).toMatch(/^application\/jwk-set\+json/)
  const { keys } = response.json()
  expect(keys.map(({ alg }: { alg: string }) => alg)).toEqual(['ES256', 'EdDSA'])
  for (const key of keys) expect(key).not.toHaveProperty('d')
})

test('AUTH-13 forms are understood by the token endpoint alone', async () => {
  await using whole = serve(opened.access)
  whole.post('/other', async () => 'taken')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await whole.inject({ method: 'POST', url: '/other', headers, payload: 'a=b' })
  expect(response.statusCode).toBe(415)
})

test('AUTH-14 over a real connection', async () => {
  await using real = serve(opened.access)
  const address = await real.listen({ port: 0 })
  const body = new URLSearchParams(GRANT)
  const headers = { authorization: basic('shop', secret) }
  const response = await fetch(`${address}/oauth2/accesstoken`, { method: 'POST', headers, body })
  expect([response.status, ((await response.json()) as { token_type: string }).token_type]).toEqual([
    200,
    'Bearer',
  ])
})
