/** Tokens of an operator's own identity provider, played by a local server that publishes keys. */
import { sign as signBytes } from 'node:crypto'
import fastify from 'fastify'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Access } from '#core/access/access.ts'
import { ISSUER, type Issuer, openIssuer, seconds } from './issuer.ts'
import { refusal, serve, signWith } from './support.ts'

let issuer: Issuer
let access: Access
beforeAll(async () => {
  issuer = await openIssuer()
  access = await issuer.connect()
  await access.clients.add({
    id: 'known',
    role: 'partner',
    name: 'Known',
    maxAmount: '5',
    phoneNumber: '91000009',
  })
})
beforeEach(() => {
  issuer.healthy = true
})
afterAll(() => issuer[Symbol.asyncDispose]())

const connect = (env: Record<string, string> = {}): Promise<Access> => issuer.connect(env)
const sign = (claims: JWTPayload, alg?: string, jwk?: JWK): Promise<string> => issuer.sign(claims, alg, jwk)
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
      const signature = signBytes('sha256', Buffer.from(parts.join('.')), issuer.weak)
      return [...parts, signature.toString('base64url')].join('.')
    }
    for (const alg of ['RS256', 'PS256', 'RS512', 'ES256', 'EdDSA'])
      for (const kid of ['weak', 'RS256', 'ES256', undefined]) {
        const error = await refusal(access.verify(`Bearer ${tokenOf({ alg, kid })}`))
        expect([alg, kid, error.code]).toEqual([alg, kid, 'UNAUTHORIZED'])
      }
  })

  test('HS256 with a published key as the secret, and alg none', async () => {
    const k = Buffer.from(JSON.stringify(issuer.published[0])).toString('base64url')
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
  issuer.healthy = false
  access = await connect()
  expect((await refusal(verify({}))).code).toBe('SERVICE_UNAVAILABLE')
  issuer.healthy = true
  expect((await verify({})).clientId).toBe('subject')
})

test('OUTSIDE-07 there is no token endpoint, no key for tokens is made, and that of webhooks is published', async () => {
  await using server = serve(access)
  expect(access.issuer).toBeUndefined()
  expect((await server.inject({ method: 'POST', url: '/oauth2/accesstoken' })).statusCode).toBe(404)
  const { keys } = (await server.inject('/.well-known/jwks.json')).json()
  expect(keys).toEqual([expect.objectContaining({ crv: 'Ed25519' })])
  expect(await issuer.db.signingKey.count()).toBe(0)
})

test('OUTSIDE-08 where unregistered clients are refused, a registered one is not', async () => {
  const { verify } = await connect({ UNREGISTERED_CLIENTS: 'refuse' })
  const as = async (client_id: string) => verify(`Bearer ${await sign({ client_id })}`)
  expect((await refusal(as('new-client'))).code).toBe('UNAUTHORIZED')
  expect((await as('known')).clientId).toBe('known')
})

test('OUTSIDE-23 MUST take tokens of several issuers, each by its own keys alone', async () => {
  const second = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(second.publicKey)), kid: 'second', use: 'sig' }
  const other = fastify()
  other.get('/certs', () => ({ keys: [jwk] }))
  await other.listen({ port: 0 })
  try {
    const both = await connect({
      AUTH_ISSUER: `${ISSUER},https://login.example/v2.0`,
      AUTH_JWKS_URL: `${issuer.keysUrl},${other.listeningOrigin}/certs`,
      AUTH_AUDIENCE: 'partner-api,api://partner',
    })
    const privateJwk = await exportJWK(second.privateKey)
    const signed = (claims: JWTPayload) =>
      signWith(
        privateJwk,
        { alg: 'ES256', kid: 'second' },
        { aud: 'api://partner', exp: seconds() + 60, role: 'portal', client_id: 'b', ...claims },
      )
    expect(await both.verify(`Bearer ${await sign({ client_id: 'a' })}`)).toMatchObject({ clientId: 'a' })
    expect(await both.verify(`Bearer ${await signed({ iss: 'https://login.example/v2.0' })}`)).toMatchObject({
      clientId: 'b',
    })
    const stolen = await refusal(both.verify(`Bearer ${await signed({ iss: ISSUER })}`))
    expect(stolen.message).toContain('not signed with a key of its issuer')
    const unknown = await refusal(both.verify(`Bearer ${await signed({ iss: 'https://else.example' })}`))
    expect(unknown.message).toContain('its iss is not accepted')
  } finally {
    await other.close()
  }
})
