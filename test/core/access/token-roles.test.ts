/** Role of a client or person where an operator's own identity provider writes it (`AUTH_ROLE_CLAIM`, `AUTH_ROLE_MAP`). */
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Access } from '#core/access/access.ts'
import { type Issuer, openIssuer } from './issuer.ts'
import { refusal } from './support.ts'

let issuer: Issuer
beforeAll(async () => {
  issuer = await openIssuer()
})
afterAll(() => issuer[Symbol.asyncDispose]())

const connect = (env: Record<string, string>): Promise<Access> => issuer.connect(env)
const sign = (claims: JWTPayload): Promise<string> => issuer.sign(claims)

/** Claims of a person's token as Keycloak 26 writes them. */
const KEYCLOAK: JWTPayload = {
  role: undefined,
  jti: 'onrtac:51f0',
  aud: ['partner-api', 'account'],
  sub: '5d1f5ab6-65a4-4d65-8e0c-9e8bb7f5a1c2',
  typ: 'Bearer',
  azp: 'care-portal',
  sid: 'f0b7',
  acr: '1',
  realm_access: { roles: ['offline_access', 'portal-users', 'uma_authorization', 'default-roles-operator'] },
  resource_access: { 'care.portal': { roles: ['analyst'] }, account: { roles: ['view-profile'] } },
  scope: 'openid profile email',
  preferred_username: 'amal',
}

/** Claims of a service's token as Entra writes them, version 2 and version 1. */
const ENTRA: JWTPayload = {
  role: undefined,
  aud: 'partner-api',
  azp: '11112222-bbbb-3333-cccc-4444dddd5555',
  azpacr: '1',
  oid: 'aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb',
  sub: 'aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb',
  roles: ['Kiosk.Post'],
  tid: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
  ver: '2.0',
}

const ROLE_MAP = 'portal-users:portal,Kiosk.Post:partner,api://partner/Read:analyst,desk:portal'

test.each<[string, string, JWTPayload, string, string]>([
  ['Keycloak, realm roles', 'realm_access.roles', KEYCLOAK, 'portal', 'care-portal'],
  ['Entra, version 2', 'roles', ENTRA, 'partner', '11112222-bbbb-3333-cccc-4444dddd5555'],
  ['Entra, version 1', 'roles', { ...ENTRA, azp: undefined, appid: 'app' }, 'partner', 'app'],
  ['a scope', 'scope', { ...KEYCLOAK, scope: 'openid api://partner/Read' }, 'analyst', 'care-portal'],
  [
    'two words of one role',
    'roles',
    { ...ENTRA, roles: ['portal-users', 'desk'] },
    'portal',
    String(ENTRA['azp']),
  ],
  [
    'a name with dots',
    'https://op.example/role',
    { ...ENTRA, 'https://op.example/role': 'desk' },
    'portal',
    String(ENTRA['azp']),
  ],
])('OUTSIDE-20 MUST find the role where the provider writes it: %s', async (_, claim, claims, role, id) => {
  const mapped = await connect({ AUTH_ROLE_CLAIM: claim, AUTH_ROLE_MAP: ROLE_MAP })
  expect(await mapped.verify(`Bearer ${await sign(claims)}`)).toMatchObject({ role, clientId: id })
})

test('OUTSIDE-21 MUST read a client role of Keycloak whose client has a dot, without a map', async () => {
  const direct = await connect({ AUTH_ROLE_CLAIM: 'resource_access.care.portal.roles' })
  expect(await direct.verify(`Bearer ${await sign(KEYCLOAK)}`)).toMatchObject({
    role: 'analyst',
    user: KEYCLOAK.sub,
  })
})

test.each<[string, JWTPayload, RegExp]>([
  ['no such claim', { realm_access: undefined }, /has no claim realm_access.roles; it has .*azp/],
  [
    'no word that counts',
    { realm_access: { roles: ['admin', 'portal'] } },
    /names no role: it has admin, portal, and AUTH_ROLE_MAP knows portal-users/,
  ],
  [
    'two roles',
    { realm_access: { roles: ['portal-users', 'Kiosk.Post'] } },
    /must name one role: .*which mean portal, partner/,
  ],
  ['no words', { realm_access: { roles: {} } }, /it has no words/],
  ['hostile words', { realm_access: { roles: ['a"b\\c\r\nx: y'] } }, /it has a\?b\?c\?\?x: y/],
])('OUTSIDE-22 MUST refuse and say what was found: %s', async (_, claims, sentence) => {
  const mapped = await connect({ AUTH_ROLE_CLAIM: 'realm_access.roles', AUTH_ROLE_MAP: ROLE_MAP })
  const refused = await refusal(mapped.verify(`Bearer ${await sign({ ...KEYCLOAK, ...claims })}`))
  expect(refused.code).toBe('UNAUTHORIZED')
  expect(refused.message).toMatch(sentence)
})

test.each<[Record<string, string>, RegExp]>([
  [{ AUTH_ROLE_MAP: 'portal' }, /AUTH_ROLE_MAP must be word:role/],
  [{ AUTH_ROLE_MAP: 'x:admin' }, /AUTH_ROLE_MAP must name roles/],
  [{ AUTH_ISSUER: 'https://a,https://b' }, /AUTH_JWKS_URL must be one address for each of AUTH_ISSUER/],
])('OUTSIDE-24 MUST stop the start for %o', async (env, sentence) => {
  await expect(connect(env)).rejects.toThrow(sentence)
})
