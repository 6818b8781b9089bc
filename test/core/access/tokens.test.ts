/** Verification of the built-in issuer's tokens: what is accepted, and every way in which a token is refused. */
import { createHmac } from 'node:crypto'
import {
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
} from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClients } from '#core/access/clients.ts'
import { createKeys } from '#core/access/signing-keys.ts'
import { builtInIssuer, createVerifier } from '#core/access/tokens.ts'
import { config, deadPrisma, openAccess, refusal, signWith } from './support.ts'

let opened: Awaited<ReturnType<typeof openAccess>>
let own: { kid: string; jwk: JWK; publicJwk: JWK }
let token: string

const issue = async (id: string) => opened.access.issuer!.issue((await opened.access.clients.find(id))!)
const verify = (presented: string) => opened.access.verify(`Bearer ${presented}`)

beforeAll(async () => {
  opened = await openAccess()
  const { clients, cipher } = opened.access
  await clients.add({
    id: 'shop',
    role: 'partner',
    name: 'Shop',
    maxAmount: '10',
    currencies: ['OMR', 'USD'],
  })
  await clients.add({ id: 'bound', role: 'partner', phoneNumber: '+96891000001' })
  const [row] = await opened.db.signingKey.findMany()
  const publicJwk = row!.publicJwk as unknown as JWK
  own = { kid: row!.kid, jwk: JSON.parse(cipher.decrypt(row!.privateJwk)), publicJwk }
})
beforeEach(async () => {
  token = await issue('shop')
})
afterAll(() => opened.close())

const HEADER = () => ({ alg: 'ES256', typ: 'at+jwt', kid: own.kid })
const sign = (change: object, header: Partial<JWTHeaderParameters> = {}) =>
  signWith(own.jwk, { ...HEADER(), ...header }, { ...decodeJwt(token), jti: crypto.randomUUID(), ...change })
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Refused with 401 and an RFC 6750 challenge; returns the message. */
const refused = async (presented: string) => {
  const error = await refusal(verify(presented))
  expect([error.code, error.status]).toEqual(['UNAUTHORIZED', 401])
  expect(error.headers['www-authenticate']).toBe(
    `Bearer realm="partner-graph", error="invalid_token", error_description="${error.message}"`,
  )
  return error.message
}

test('TOKEN-01 a token holds what RFC 9068 asks for', async () => {
  expect(decodeProtectedHeader(token)).toEqual(HEADER())
  const { iat, exp, jti, ...claims } = decodeJwt(token)
  expect(claims).toEqual({
    iss: 'partner-graph',
    aud: 'partner-graph',
    sub: 'shop',
    client_id: 'shop',
    role: 'partner',
  })
  expect(exp! - iat!).toBe(3_600)
  expect(decodeJwt(await issue('shop')).jti).not.toBe(jti)
  expect(decodeJwt(await issue('bound')).phone_number).toBe('+96891000001')
})

test('TOKEN-02 it verifies as its client, with the limits on record', async () => {
  const principal = await verify(token)
  expect(principal).toMatchObject({ clientId: 'shop', name: 'Shop', role: 'partner', phoneNumber: undefined })
  expect(principal.limits).toMatchObject({ currencies: ['OMR', 'USD'], dummyCards: false })
  expect(String(principal.limits.maxAmount)).toBe('10')
  expect(principal.expiresAt.getTime()).toBe(decodeJwt(token).exp! * 1_000)
  expect((await verify(await issue('bound'))).phoneNumber).toBe('96891000001')
})

test.each(['Bearer ', 'bearer ', 'BEARER   '])(
  'TOKEN-03 the scheme is case-insensitive: %o',
  async scheme => {
    expect((await opened.access.verify(scheme + token)).clientId).toBe('shop')
  },
)

test.each([undefined, '', 'Basic c2hvcDpzZWNyZXQ=', 'Bearertoken'])(
  'TOKEN-04 without a bearer token (%o): 401, a challenge without error code',
  async authorization => {
    const error = await refusal(opened.access.verify(authorization))
    expect([error.code, error.headers]).toEqual([
      'UNAUTHORIZED',
      { 'www-authenticate': 'Bearer realm="partner-graph"' },
    ])
  },
)

describe('TOKEN-05 malformed', () => {
  const forms = [
    '',
    'abc',
    'a.b.c',
    'ä.b.c',
    '....',
    'a b',
    `${'a'.repeat(9_000)}`,
    'eyJhbGciOiJFUzI1NiJ9.e30.',
  ]
  test.each(forms)('%#', async text => {
    expect(await refused(text)).toMatch(/malformed|algorithm|signed/)
  })
})

test('TOKEN-06 expired: 401 from the second on, also when it was verified before', async () => {
  const { clock } = opened
  const started = clock.time
  await verify(token)
  clock.time = decodeJwt(token).exp! * 1_000 - 1
  expect((await verify(token)).clientId).toBe('shop')
  clock.pass(1)
  expect(await refused(token)).toBe('The access token has expired')
  clock.time = started
})

test('TOKEN-07 tampered: any changed claim or signature is refused', async () => {
  const [header, , signature] = token.split('.')
  const changed = part({ ...decodeJwt(token), role: 'portal' })
  expect(await refused(`${header}.${changed}.${signature}`)).toMatch(/not signed/)
  const other = (await issue('shop')).split('.')[2]
  expect(await refused(`${token.split('.').slice(0, 2).join('.')}.${other}`)).toMatch(/not signed/)
})

test.each(['none', 'None', 'NONE', 'nOnE'])('TOKEN-08 alg %s is refused', async alg => {
  const unsigned = `${part({ alg, typ: 'at+jwt' })}.${token.split('.')[1]}.`
  expect(await refused(unsigned)).toMatch(/algorithm|malformed/)
  expect(await refused(`${unsigned}${token.split('.')[2]}`)).toMatch(/algorithm|malformed/)
})

test('TOKEN-09 HS256 with the public key as the secret is refused', async () => {
  const pem = await exportSPKI((await importJWK(own.publicJwk, 'ES256')) as CryptoKey)
  for (const secret of [pem, pem.trim(), JSON.stringify(own.publicJwk)]) {
    const signed = `${part({ ...HEADER(), alg: 'HS256' })}.${token.split('.')[1]}`
    const mac = createHmac('sha256', secret).update(signed).digest('base64url')
    expect(await refused(`${signed}.${mac}`)).toMatch(/algorithm/)
  }
})

test('TOKEN-10 another key is refused, under the own key id or brought along in the header', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const claims = decodeJwt(token)
  const headers = [HEADER(), { ...HEADER(), kid: 'other' }, { ...HEADER(), jwk: await exportJWK(publicKey) }]
  for (const header of headers)
    expect(await refused(await signWith(jwk, header, claims))).toMatch(/not signed/)
})

test.each<[string, object, RegExp]>([
  ['audience', { aud: 'other' }, /its aud is not accepted/],
  ['absent audience', { aud: undefined }, /its aud is not accepted/],
  ['issuer', { iss: 'other' }, /its iss is not accepted/],
  ['absent issuer', { iss: undefined }, /its iss is not accepted/],
  ['no expiry', { exp: undefined }, /its exp is not accepted/],
  ['not yet valid', { nbf: 4_000_000_000 }, /its nbf is not accepted/],
  ['expiry as text', { exp: 'tomorrow' }, /malformed|exp/],
  [
    'role',
    { role: 'admin' },
    /The claim role names no role: it has admin, and roles are partner, portal, analyst, auditor/,
  ],
  ['no role', { role: undefined }, /has no claim role; it has /],
  ['two roles', { role: ['partner', 'portal'] }, /must name one role: it has partner, portal/],
  ['phone number', { phone_number: 'x' }, /phone_number claim/],
  ['unknown client', { client_id: 'nobody' }, /client is not known/],
  ['client id as a number', { client_id: 7 }, /names no client/],
])('TOKEN-11 signed by the issuer but with a wrong claim: %s', async (_, claims, message) => {
  expect(await refused(await sign(claims))).toMatch(message)
})

test('TOKEN-12 a signed JWT that is not marked as an access token is refused (RFC 9068)', async () => {
  expect(await refused(await sign({}, { typ: 'JWT' }))).toMatch(/its typ is not accepted/)
  expect(await refused(await sign({}, { typ: undefined }))).toMatch(/its typ is not accepted/)
})

test('TOKEN-13 a disabled client is refused although its token is valid and was accepted', async () => {
  const { clients } = opened.access
  await clients.add({ id: 'ended', role: 'partner' })
  const valid = await issue('ended')
  await verify(valid)
  await clients.disable('ended')
  expect(await refused(valid)).toBe('The client is disabled')
})

test('TOKEN-14 a signature is verified once in five minutes, the client looked up each time', async () => {
  const { access, db, clock } = opened
  const started = clock.time
  const keys = createKeys(db, access.cipher, clock.now)
  const key = vi.fn(keys.verificationKey)
  const find = vi.fn(access.clients.find)
  const trust = { ...builtInIssuer(config, keys), key }
  const counted = createVerifier({ issuer: trust, clients: { find }, countryCode: '968', now: clock.now })
  for (let i = 0; i < 3; i++) await counted(`Bearer ${token}`)
  expect([key.mock.calls.length, find.mock.calls.length]).toEqual([1, 3])
  clock.pass(300_000)
  await counted(`bearer ${token}`)
  expect([key.mock.calls.length, find.mock.calls.length]).toEqual([2, 4])
  clock.time = started
})

test('TOKEN-16 keys or clients out of reach: 503, not 401', async () => {
  const { access, clock } = opened
  const noKeys = createKeys(deadPrisma, access.cipher, clock.now)
  const { find } = createClients(deadPrisma, { countryCode: '968' })
  const parts = {
    clients: access.clients,
    issuer: builtInIssuer(config, noKeys),
    countryCode: '968',
    now: clock.now,
  }
  const keys = createKeys(opened.db, access.cipher, clock.now)
  const both = [parts, { ...parts, clients: { find }, issuer: builtInIssuer(config, keys) }]
  for (const each of both)
    expect((await refusal(createVerifier(each)(`Bearer ${token}`))).code).toBe('SERVICE_UNAVAILABLE')
})

test('TOKEN-15 every process accepts what another one issued, even with a key made since', async () => {
  const { access, db, clock } = opened
  const fresh = await openAccess()
  const other = await fresh.db.signingKey.findFirstOrThrow()
  await fresh.close()
  const jwk = JSON.parse(fresh.access.cipher.decrypt(other.privateJwk))
  const newer = await signWith(jwk, { ...HEADER(), kid: other.kid }, decodeJwt(token))
  expect(await refused(newer)).toMatch(/not signed/)
  const privateJwk = access.cipher.encrypt(JSON.stringify(jwk))
  await db.signingKey.create({ data: { ...other, publicJwk: other.publicJwk as object, privateJwk } })
  clock.pass(5_000)
  expect((await verify(newer)).clientId).toBe('shop')
})
