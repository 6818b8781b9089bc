/** Tokens of an operator's own identity provider, played by a local server that publishes keys. */
import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Access, createAccess } from '#core/access/access.ts'
import { readConfig } from '#core/config/config.ts'
import { type Database, openDatabase } from '#core/data/db.ts'
import { config, log, refusal, serve, signWith } from './support.ts'

const ISSUER = 'https://id.example.com/realms/operator'
const published: JWK[] = []
/** Too short to be accepted (RFC 7518 §3.3). */
const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 })
let provider: FastifyInstance
let database: Database
let access: Access
let keys: Record<string, JWK>
let healthy = true

const publish = async (alg: string) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  published.push({ ...(await exportJWK(publicKey)), kid: alg, use: 'sig' })
  return exportJWK(privateKey)
}

const connect = async (env: Record<string, string> = {}) =>
  createAccess({
    config: readConfig({
      DATA_DIR: 'memory:',
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: 'partner-api',
      AUTH_JWKS_URL: `${provider.listeningOrigin}/certs`,
      ...env,
    }),
    log,
    prisma: database.prisma,
  })

beforeAll(async () => {
  keys = { RS256: await publish('RS256'), ES256: await publish('ES256'), EdDSA: await publish('EdDSA') }
  published.push({ ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256', use: 'sig' })
  provider = fastify()
  provider.get('/certs', (_, reply) => reply.status(healthy ? 200 : 500).send({ keys: published }))
  await provider.listen({ port: 0 })
  database = await openDatabase(config)
  access = await connect()
  await access.clients.add({
    id: 'known',
    role: 'partner',
    name: 'Known',
    maxAmount: '5',
    phoneNumber: '91000009',
  })
})
beforeEach(() => {
  healthy = true
})
afterAll(async () => {
  await provider.close()
  await database.close()
})

const seconds = () => Math.floor(Date.now() / 1_000)
const sign = (claims: JWTPayload, alg = 'RS256', jwk = keys[alg]!) =>
  signWith(
    jwk,
    { alg, kid: alg, typ: 'JWT' },
    {
      iss: ISSUER,
      aud: ['account', 'partner-api'],
      sub: 'subject',
      exp: seconds() + 60,
      role: 'partner',
      ...claims,
    },
  )
const verify = async (claims: JWTPayload, alg?: string) => access.verify(`Bearer ${await sign(claims, alg)}`)

test.each(['RS256', 'ES256', 'EdDSA'])('OUTSIDE-01 a token signed with %s is accepted', async alg => {
  const { limits, ...principal } = await verify({ client_id: 'new-client' }, alg)
  expect(principal).toMatchObject({ clientId: 'new-client', name: 'new-client', role: 'partner' })
  expect(limits).toMatchObject({ currencies: ['OMR'], dummyCards: false })
  const { maxAmount, monthlyAmount, maxPoints, monthlyPoints } = limits
  expect([maxAmount, monthlyAmount, maxPoints, monthlyPoints].map(String)).toEqual([
    '1000',
    '5000',
    '10000',
    '50000',
  ])
})

test.each<[JWTPayload, string]>([
  [{ client_id: 'a', azp: 'b' }, 'a'],
  [{ azp: 'b' }, 'b'],
  [{}, 'subject'],
])('OUTSIDE-02 the client of %o is %s', async (claims, id) => {
  expect((await verify(claims)).clientId).toBe(id)
})

test('OUTSIDE-03 a client on record brings its name, limits and phone number; the token its role', async () => {
  const principal = await verify({ client_id: 'known', role: 'portal' })
  expect(principal).toMatchObject({ name: 'Known', role: 'portal', phoneNumber: '96891000009' })
  expect(String(principal.limits.maxAmount)).toBe('5')
})

test.each(['+96891000001', '96891000001', '91000001', 91000001])(
  'OUTSIDE-04 the phone_number claim %o binds the token, as digits',
  async phone_number => {
    expect((await verify({ client_id: 'known', phone_number })).phoneNumber).toBe('96891000001')
  },
)

describe('OUTSIDE-05 refused with 401', () => {
  test.each<[string, JWTPayload]>([
    ['no role', { role: undefined }],
    ['another role', { role: 'admin' }],
    ['another audience', { aud: 'account' }],
    ['another issuer', { iss: 'partner-graph' }],
    ['expired', { exp: seconds() - 60 }],
    ['no expiry', { exp: undefined }],
    ['no client', { sub: undefined }],
    ['a phone number that is none', { phone_number: '1' }],
  ])('%s', async (_, claims) => {
    const error = await refusal(verify(claims))
    expect([error.code, error.headers['www-authenticate']]).toEqual([
      'UNAUTHORIZED',
      expect.stringMatching(/^Bearer realm="partner-graph", error="invalid_token"/),
    ])
  })

  test('signed with a key that is not published, under a published id or an own one', async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = await exportJWK(privateKey)
    const forged = await sign({}, 'RS256', jwk)
    expect((await refusal(access.verify(`Bearer ${forged}`))).code).toBe('UNAUTHORIZED')
    const unknown = await signWith(jwk, { alg: 'RS256', kid: 'other' }, { iss: ISSUER, exp: seconds() + 60 })
    expect((await refusal(access.verify(`Bearer ${unknown}`))).code).toBe('UNAUTHORIZED')
  })

  test("with the issuer's own key, which is too short or of another kind than the token says", async () => {
    const claims = { iss: ISSUER, aud: 'partner-api', sub: 'subject', exp: seconds() + 60, role: 'partner' }
    const tokenOf = (header: object) => {
      const parts = [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
      const signature = signBytes('sha256', Buffer.from(parts.join('.')), weak.privateKey)
      return [...parts, signature.toString('base64url')].join('.')
    }
    for (const alg of ['RS256', 'PS256', 'RS512', 'ES256', 'EdDSA'])
      for (const kid of ['weak', 'RS256', 'ES256', undefined]) {
        const error = await refusal(access.verify(`Bearer ${tokenOf({ alg, kid })}`))
        expect([alg, kid, error.code]).toEqual([alg, kid, 'UNAUTHORIZED'])
      }
  })

  test('HS256 with a published key as the secret, and alg none', async () => {
    const k = Buffer.from(JSON.stringify(published[0])).toString('base64url')
    const confused = await sign({}, 'HS256', { kty: 'oct', k })
    expect((await refusal(access.verify(`Bearer ${confused}`))).code).toBe('UNAUTHORIZED')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const unsigned = `${none}.${(await sign({})).split('.')[1]}.`
    expect((await refusal(access.verify(`Bearer ${unsigned}`))).code).toBe('UNAUTHORIZED')
  })

  test('a client that is disabled here', async () => {
    await access.clients.add({ id: 'ended', role: 'partner' })
    await access.clients.disable('ended')
    expect((await refusal(verify({ client_id: 'ended' }))).message).toBe('The client is disabled')
  })
})

test("OUTSIDE-06 the provider's keys out of reach: 503, and service once they are back", async () => {
  healthy = false
  access = await connect()
  expect((await refusal(verify({}))).code).toBe('SERVICE_UNAVAILABLE')
  healthy = true
  expect((await verify({})).clientId).toBe('subject')
})

test('OUTSIDE-07 there is no token endpoint, and no signing key is made', async () => {
  await using server = serve(access)
  expect(access.issuer).toBeUndefined()
  expect((await server.inject({ method: 'POST', url: '/oauth2/accesstoken' })).statusCode).toBe(404)
  expect((await server.inject('/.well-known/jwks.json')).statusCode).toBe(404)
  expect(await database.prisma.signingKey.count()).toBe(0)
})

test('OUTSIDE-08 where unregistered clients are refused, a registered one is not', async () => {
  const { verify } = await connect({ UNREGISTERED_CLIENTS: 'refuse' })
  const as = async (client_id: string) => verify(`Bearer ${await sign({ client_id })}`)
  expect((await refusal(as('new-client'))).code).toBe('UNAUTHORIZED')
  expect((await as('known')).clientId).toBe('known')
})
