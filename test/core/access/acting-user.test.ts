/** The person behind a client, and the seal by which a gateway is known. */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { identityOf } from '#core/access/claims.ts'
import { createGatewaySeals } from '#core/access/gateway-seal.ts'
import type { Principal } from '#core/access/principal.ts'
import { actingUserOf } from '#core/access/principal.ts'
import { OWN_ROLE_CLAIM } from '#core/access/role-claim.ts'

const principal = (role: Principal['role'], user?: string) => ({ role, user }) as Principal

it.each([
  ['a portal', principal('portal'), 'salma.k@operator', 'salma.k@operator'],
  ['a portal, a name with spaces', principal('portal'), 'Salma Al Kindi', 'Salma Al Kindi'],
  ['a portal that says nothing', principal('portal'), '', undefined],
  ['a partner', principal('partner'), 'salma', undefined],
  ['an analyst', principal('analyst'), 'salma', undefined],
  ['a token that is a person’s own', principal('portal', 'sub-7'), 'salma', 'sub-7'],
])('ACTING-01 MUST take the person of %s', (_, client, named, expected) => {
  expect(actingUserOf(client, named)).toBe(expected)
})

it.each(['a\nb', 'a\u0000', ' a', 'a ', 'é', 'x'.repeat(257), 7, ['a', 'b']])(
  'ACTING-02 MUST refuse %j as a name',
  named => {
    expect(() => actingUserOf(principal('portal'), named)).toThrow(/x-acting-user must be/)
  },
)

it('ACTING-03 MUST take the `sub` of a token that is not the client, without what could break a line', () => {
  const claims = { client_id: 'portal', role: 'portal', exp: 1 }
  expect(identityOf({ ...claims, sub: 'portal' }, '968', OWN_ROLE_CLAIM).user).toBeUndefined()
  expect(identityOf({ ...claims, sub: 'auth0|7' }, '968', OWN_ROLE_CLAIM).user).toBe('auth0|7')
  expect(identityOf({ ...claims, sub: 'a\nb\u0000c\ud800' }, '968', OWN_ROLE_CLAIM).user).toBe(
    'a\uFFFDb\uFFFDc\uFFFD',
  )
  expect(identityOf({ ...claims, sub: 'x'.repeat(999) }, '968', OWN_ROLE_CLAIM).user).toHaveLength(256)
})

it('SEAL-01 MUST be known by processes with the same key alone, and for minutes', () => {
  let now = 1_000_000
  const clock = () => now
  const key = randomBytes(32)
  const [gateway, subgraph] = [createGatewaySeals(key, clock), createGatewaySeals(key, clock)]
  const seal = gateway.seal()
  expect(subgraph.isSealed(seal)).toBe(true)
  expect(createGatewaySeals(randomBytes(32), clock).isSealed(seal)).toBe(false)
  expect(createGatewaySeals(randomBytes(32), clock, [key]).isSealed(seal)).toBe(true)
  for (const forged of [undefined, '', 'v1.', `${seal}x`, seal.slice(0, -1), [seal], '1000000'])
    expect(subgraph.isSealed(forged)).toBe(false)
  now += 300_000
  expect(subgraph.isSealed(seal)).toBe(false)
  expect(subgraph.isSealed(gateway.seal())).toBe(true)
})
