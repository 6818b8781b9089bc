/** Bearer tokens on the other side: the same JWTs, verified with the same library, once each, as ours does. */
import type { FastifyInstance } from 'fastify'
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'

const OPTIONS = { issuer: 'partner-graph', audience: 'partner-graph', algorithms: ['ES256'], typ: 'at+jwt' }

export type VerifyToken = (authorization: string | undefined) => Promise<JWTPayload>

/** Trusts the public keys of the issuer that listens at `issuer`. */
export async function createVerify(issuer: string): Promise<VerifyToken> {
  const keys = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as JSONWebKeySet
  const find = createLocalJWKSet(keys)
  const known = new Map<string, JWTPayload>()
  return async (authorization = '') => {
    const token = authorization.slice('Bearer '.length)
    const found = known.get(token)
    if (found && found.exp! * 1_000 > Date.now()) return found
    const { payload } = await jwtVerify(token, find, OPTIONS)
    known.set(token, payload)
    return payload
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    clientId: string
  }
}

/** Every request of a bare server needs a token. */
export function requireToken(server: FastifyInstance, verify: VerifyToken): void {
  server.decorateRequest('clientId', '')
  server.addHook('onRequest', async (request, reply) => {
    try {
      request.clientId = String((await verify(request.headers.authorization))['client_id'])
    } catch {
      return reply.code(401).send({ code: 'UNAUTHORIZED' })
    }
  })
}
