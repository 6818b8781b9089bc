/** Private-key JWT at the token endpoint (RFC 7523 §2.2, §3). */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccess } from '#core/access/access.ts'
import { type ClientKeys, setClientKeys } from '#core/access/client-keys.ts'
import { SERVER } from '#core/audit/acts.ts'
import { readConfig } from '#core/config/config.ts'
import { log, openAccess, refusal, serve, signWith } from './support.ts'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ENDPOINT = 'https://api.example.com/oauth2/accesstoken'
const config = readConfig({
  ...{ DATA_DIR: 'memory:', TOKEN_ENDPOINT: ENDPOINT, WEBHOOK_ALLOW: '127.0.0.0/8' },
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
})
let opened: Awaited<ReturnType<typeof openAccess>>
let servers: FastifyInstance[]
let addresses = 0

const pair = async (alg: string, kid?: string) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)])
  return { alg, publicJwk: { ...publicJwk, ...(kid && { kid }) } as JWK, privateJwk }
}
type Pair = Awaited<ReturnType<typeof pair>>
let own: Pair

const setKeys = async (id: string, keys: ClientKeys) => {
  await setClientKeys(opened.db, id, keys, { allow: config.webhookAllow, by: SERVER })
  opened.clock.pass(2_000)
}

beforeAll(async () => {
  opened = await openAccess({ config })
  const { access, db, clock } = opened
  const other = await createAccess({ config, log, db, now: clock.now })
  servers = [serve(access), serve(other)]
  own = await pair('ES256', 'first')
  await access.clients.add({ id: 'shop', role: 'partner' })
  await access.clients.add({ id: 'other', role: 'partner' })
  await setKeys('shop', { jwks: { keys: [own.publicJwk] } })
})
afterAll(async () => {
  await Promise.all(servers.map(server => server.close()))
  await opened.close()
})

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  ...{ iss: 'shop', sub: 'shop', aud: ENDPOINT, jti: crypto.randomUUID() },
  exp: Math.floor(opened.clock.now() / 1_000) + 60,
  ...changes,
})
const sign = (changes?: JWTPayload, { alg, privateJwk }: Pair = own, kid: string | undefined = undefined) =>
  signWith(privateJwk, { alg, ...(kid && { kid }) }, claims(changes))

/** Each from an own address, so that the throttle keeps out of it. */
const post = (
  assertion: string,
  { form = {}, to = servers[0]!, address = `192.0.2.${++addresses}` as string } = {},
) =>
  to.inject({
    method: 'POST',
    url: '/oauth2/accesstoken',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_assertion_type: TYPE },
      client_assertion: assertion,
      ...form,
    }).toString(),
    remoteAddress: address,
  })

test.each(['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'])(
  'KEY-01 %s gives a token of the client',
  async alg => {
    const keys = await pair(alg)
    await setKeys('shop', { jwks: { keys: [own.publicJwk, keys.publicJwk] } })
    const response = await post(await sign({}, keys))
    expect([response.statusCode, Object.keys(response.json())]).toEqual([
      200,
      ['access_token', 'token_type', 'expires_in'],
    ])
    const token = `Bearer ${response.json().access_token}`
    expect(await opened.access.verify(token)).toMatchObject({ clientId: 'shop' })
  },
)

test('KEY-02 MUST take an array of audiences, the issuer, and a repeated client_id', async () => {
  expect((await post(await sign({ aud: ['https://else', 'partner-graph'] }))).statusCode).toBe(200)
  expect((await post(await sign(), { form: { client_id: 'shop' } })).statusCode).toBe(200)
})

const inSeconds = (seconds: number) => Math.floor(opened.clock.now() / 1_000) + seconds

describe('KEY-03 MUST refuse with 401 invalid_client', () => {
  test.each<[string, () => JWTPayload, RegExp]>([
    [
      'another audience',
      () => ({ aud: 'https://else' }),
      /aud of the assertion must be partner-graph or https/,
    ],
    ['another issuer', () => ({ iss: 'other' }), /claim iss/],
    ['expired', () => ({ exp: inSeconds(-31) }), /has expired/],
    ['no expiry', () => ({ exp: undefined }), /claim exp/],
    ['too long an expiry', () => ({ exp: inSeconds(700) }), /at most 600 seconds/],
    ['not yet valid', () => ({ nbf: inSeconds(60) }), /claim nbf/],
    ['no jti', () => ({ jti: undefined }), /claim jti/],
    ['an empty jti', () => ({ jti: '' }), /jti of the assertion/],
    ['a client without keys', () => ({ iss: 'other', sub: 'other' }), /Unknown client, or/],
    ['an unknown client', () => ({ iss: 'nobody', sub: 'nobody' }), /Unknown client, or/],
  ])('%s', async (_, changes, sentence) => {
    const response = await post(await sign(changes()))
    expect([response.statusCode, response.json().error]).toEqual([401, 'invalid_client'])
    expect(response.json().error_description).toMatch(sentence)
  })

  test('a foreign key, a shared secret, no signature, and no JWT', async () => {
    const foreign = await sign({}, await pair('ES256'), 'first')
    const k = Buffer.from(JSON.stringify(own.publicJwk)).toString('base64url')
    const confused = await signWith({ kty: 'oct', k }, { alg: 'HS256' }, claims())
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${foreign.split('.')[1]}.`
    for (const assertion of [foreign, confused, none, 'abc']) {
      const response = await post(assertion)
      expect([response.statusCode, response.json().error]).toEqual([401, 'invalid_client'])
    }
  })
})

test('KEY-04 MUST take an assertion once, over several processes', async () => {
  const assertion = await sign()
  const both = await Promise.all(servers.map(to => post(assertion, { to })))
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401])
  expect(both.map(one => one.json().error_description).find(Boolean)).toMatch(/used before/)
})

test('KEY-05 MUST refuse two ways at once, and another type', async () => {
  for (const form of [{ client_secret: 'some-secret' }, { client_assertion_type: 'urn:else' }]) {
    const response = await post(await sign(), { form })
    expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_request'])
  }
  const other = await post(await sign(), { form: { client_id: 'other' } })
  expect([other.statusCode, other.json().error]).toEqual([401, 'invalid_client'])
})

test('KEY-06 MUST slow down wrong assertions as wrong secrets', async () => {
  const wrong = await sign({}, await pair('ES256'))
  const address = '198.51.100.9'
  for (let time = 0; time < 5; time++) await post(wrong, { address })
  const blocked = await post(await sign(), { address })
  expect(blocked.json().error_description).toMatch(/^Too many wrong assertions/)
  expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
})

test('KEY-07 MUST read published keys, take a rotation, and answer 503 where they are away', async () => {
  let status = 200
  let keys = [own.publicJwk]
  const publisher = createServer((_, response) => response.writeHead(status).end(JSON.stringify({ keys })))
  await once(publisher.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = publisher.address() as AddressInfo
    await setKeys('shop', { jwksUri: `http://127.0.0.1:${port}/jwks` })
    expect((await post(await sign())).statusCode).toBe(200)
    const next = await pair('EdDSA', 'next')
    keys = [next.publicJwk]
    await setKeys('shop', { jwksUri: `http://127.0.0.1:${port}/rotated` })
    expect((await post(await sign({}, next, 'next'))).statusCode).toBe(200)
    status = 500
    await setKeys('shop', { jwksUri: `http://127.0.0.1:${port}/away` })
    const away = await post(await sign({}, next))
    expect([away.statusCode, away.json().error]).toEqual([503, 'temporarily_unavailable'])
  } finally {
    publisher.close()
    await setKeys('shop', { jwks: { keys: [own.publicJwk] } })
  }
})

test('KEY-08 MUST refuse private, weak and symmetric keys and inner addresses, and record what is set', async () => {
  const weak = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 0xff).toString('base64url') }
  for (const key of [own.privateJwk, weak, { kty: 'oct', k: 'AAAA' }, { ...own.publicJwk, use: 'enc' }, 7])
    expect((await refusal(setKeys('shop', { jwks: { keys: [key] } }))).message).toMatch(/^jwks\.keys\[0\]/)
  expect((await refusal(setKeys('shop', { jwksUri: 'http://10.0.0.1/jwks' }))).message).toMatch(/^jwksUri/)
  expect((await refusal(setKeys('nobody', {}))).code).toBe('NOT_FOUND')
  const acts = await opened.db.act.findMany({
    where: { action: 'CLIENT_KEYS_CHANGED' },
    orderBy: { id: 'asc' },
  })
  expect(acts[0]).toMatchObject({ target: 'shop', details: { keys: ['first'] } })
})
