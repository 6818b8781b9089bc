/** Tokens of a real identity provider over the wire: claims as Keycloak and Entra write them, its new keys, its absence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { AUDIENCE, type Provider, startProvider } from './process.ts'

const [payment] = FIXTURES
const PATIENT = { timeout: 40_000, interval: 500 }

/** Claims of services as their providers write them, beside `iss`, `sub`, `aud`, `exp`, `jti` and `client_id`. */
const KEYCLOAK = {
  kiosk: {
    azp: 'kiosk',
    realm_access: { roles: ['offline_access', 'kiosks', 'default-roles-operator'] },
    resource_access: { account: { roles: ['view-profile'] } },
  },
  stranger: { azp: 'stranger', realm_access: { roles: ['offline_access', 'staff'] } },
}
const ENTRA = {
  bank: {
    azp: 'bank',
    azpacr: '1',
    tid: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
    roles: ['Kiosk.Post'],
    ver: '2.0',
  },
}

const SHAPES = [
  {
    ...{ name: 'Keycloak', services: KEYCLOAK, service: 'kiosk' },
    settings: { AUTH_ROLE_CLAIM: 'realm_access.roles', AUTH_ROLE_MAP: 'kiosks:partner' },
  },
  {
    ...{ name: 'Entra', services: ENTRA, service: 'bank' },
    settings: { AUTH_ROLE_CLAIM: 'roles', AUTH_ROLE_MAP: 'Kiosk.Post:partner' },
  },
] as const

describe.each(SHAPES)('tokens as $name writes them', ({ services, service, settings }) => {
  let provider: Provider
  let stack: Stack
  beforeAll(async () => {
    provider = await startProvider(services)
    const { issuer } = provider
    const own = { AUTH_ISSUER: issuer, AUTH_AUDIENCE: AUDIENCE, AUTH_JWKS_URL: `${issuer}/jwks` }
    stack = await startStack({ env: { ...own, ...settings } })
  })
  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  const list = (token: string) =>
    fetch(stack.address + payment!.path, { headers: { authorization: `Bearer ${token}` } })

  it('PROVIDER-01 MUST give a service its role and its own transactions, over REST and in the graph', async () => {
    const headers = {
      authorization: `Bearer ${await provider.token(service)}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify(payment!.body())
    const posted = await fetch(stack.address + payment!.path, { method: 'POST', headers, body })
    expect(posted.status).toBe(201)
    expect(await (await list(await provider.token(service))).json()).toHaveLength(1)
    const query = JSON.stringify({ query: '{ me { id role } }' })
    const answered = await fetch(`${stack.address}/graphql`, { method: 'POST', headers, body: query })
    expect(await answered.json()).toEqual({ data: { me: { id: service, role: 'partner' } } })
  })

  it.runIf('stranger' in services)(
    'PROVIDER-02 MUST refuse a service without a role, and say what was found',
    async () => {
      const refused = await list(await provider.token('stranger'))
      expect(refused.status).toBe(401)
      expect(await refused.text()).toContain('names no role: it has offline_access, staff')
    },
  )

  it.runIf(service === 'kiosk')(
    'PROVIDER-03 MUST take tokens of a new key, and of the former one until they end',
    {
      timeout: 60_000,
    },
    async () => {
      const former = await provider.token(service)
      await provider.rotate()
      const next = await provider.token(service)
      await expect.poll(async () => (await list(next)).status, PATIENT).toBe(200)
      expect((await list(former)).status).toBe(200)
    },
  )

  it('PROVIDER-04 MUST go on with the keys that it has while the provider is away', async () => {
    const token = await provider.token(service)
    await provider[Symbol.asyncDispose]()
    expect((await list(token)).status).toBe(200)
  })
})
