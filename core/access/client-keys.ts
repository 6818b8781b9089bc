/** Public keys of a client beside its secret, given as a set or published at an address; registered by the operator. */
import type { JSONWebKeySet, JWK } from 'jose'
import { type Actor, recordAct } from '../audit/acts.ts'
import { type Db, Prisma } from '../data/db.ts'
import { type AllowList, checkWebhookAddress } from '../egress/callback-policy.ts'
import { invalidField, notFound } from '../errors/catalogue.ts'
import { Faults } from '../errors/faults.ts'
import { keyFault, keysIn, MAX_KEYS, publicMembers } from './public-keys.ts'

/** New keys of a client: a JWK set, the address of one, or none. */
export interface ClientKeys {
  readonly jwks?: unknown
  readonly jwksUri?: string | undefined
}

/** Checks a set and reduces it to what is stored. @throws ServiceError INVALID_ARGUMENT naming each wrong key. */
async function checkKeySet(set: unknown): Promise<JSONWebKeySet> {
  const given = keysIn(set)
  if (!given || given.length === 0 || given.length > MAX_KEYS)
    throw invalidField(
      'jwks',
      'BAD_FORMAT',
      `must be a JWK set, {"keys": […]}, of 1 to ${MAX_KEYS} public keys`,
    )
  const faults = new Faults()
  for (const [index, key] of given.entries()) {
    const fault = keyFault(key)
    faults.expect(fault === undefined, `jwks.keys[${index}]`, 'BAD_FORMAT', `a public key: ${fault}`)
  }
  faults.throwAny()
  const keys = await Promise.all(given.map(key => publicMembers(key as JWK)))
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
    throw invalidField('jwks', 'CONTRADICTION', 'must give each key a kid of its own')
  return { keys }
}

/** Facts of the change for the log of acts. */
const detailsOf = (jwks: JSONWebKeySet | undefined, jwksUri: string | undefined) =>
  jwksUri === undefined ? { keys: jwks?.keys.map(({ kid }) => kid) ?? [] } : { jwksUri }

/**
 * Replaces the keys of a client; assertions by keys that it no longer has are refused within two seconds.
 * @param allow addresses that are open although private or http, for `jwksUri`.
 * @returns the keys as stored.
 * @throws ServiceError INVALID_ARGUMENT naming each fault; NOT_FOUND for an unknown client.
 */
export async function setClientKeys(
  db: Db,
  id: string,
  { jwks: set, jwksUri }: ClientKeys,
  { allow, by: actor }: { readonly allow: AllowList; readonly by: Actor },
): Promise<{ jwks: JSONWebKeySet | null; jwksUri: string | null }> {
  if (set !== undefined && jwksUri !== undefined)
    throw invalidField('jwksUri', 'CONTRADICTION', 'must not be given beside jwks (RFC 7591 §2)')
  const jwks = set === undefined ? undefined : await checkKeySet(set)
  if (jwksUri !== undefined) checkWebhookAddress('jwksUri', jwksUri, allow)
  const stored = { jwks: jwks ?? null, jwksUri: jwksUri ?? null }
  const column = jwks ? { ...jwks } : Prisma.DbNull
  await db.$transaction(async tx => {
    const { count } = await tx.client.updateMany({
      where: { id },
      data: { jwks: column as Prisma.InputJsonValue, jwksUri: stored.jwksUri },
    })
    if (count === 0) throw notFound(`Client ${id}`)
    await recordAct(tx, {
      actor,
      action: 'CLIENT_KEYS_CHANGED',
      target: id,
      details: detailsOf(jwks, jwksUri),
    })
  })
  return stored
}
