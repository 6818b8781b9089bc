/** `GET /.well-known/jwks.json`: public keys that verify tokens of the built-in issuer, and signatures of webhooks. */
import type { FastifyInstance } from 'fastify'
import type { Access } from './access.ts'

/** Time in seconds for which the public keys may be cached. */
const MAX_AGE_SECONDS = 300

/** Registers the path (RFC 7517 §5). With an external issuer (`AUTH_JWKS_URL`) it serves the keys of webhooks alone. */
export function registerJwks(
  fastify: FastifyInstance,
  { issuer, webhookKeys }: Pick<Access, 'issuer' | 'webhookKeys'>,
): void {
  fastify.get('/.well-known/jwks.json', async (_, reply) => {
    const sets = await Promise.all([issuer?.jwks(), webhookKeys.publicJwks()])
    return reply
      .headers({ 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` })
      .type('application/jwk-set+json')
      .send({ keys: sets.flatMap(set => set?.keys ?? []) })
  })
}
