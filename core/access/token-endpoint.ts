/** The built-in issuer over HTTP: `POST /oauth2/accesstoken` (RFC 6749 §4.4) and its public keys (RFC 7517). */
import OAuth2Server from '@node-oauth/oauth2-server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { decodeBody } from '../values/text.ts'
import type { Access, Issuer } from './access.ts'
import type { ClientRecord } from './clients.ts'
import { toOAuthFailure } from './oauth-errors.ts'
import { GRANT_TYPE, parseForm, toOAuthRequest } from './oauth-request.ts'

const FORM = 'application/x-www-form-urlencoded'
const BODY_LIMIT = 8_192
/** Nobody has shown a token yet, and a form is small. */
const BODY_TIMEOUT_MS = 2_000
/** RFC 6749 §5.1: tokens stay out of every cache. */
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }
/** How long others may keep the public keys, in seconds. */
const KEYS_MAX_AGE = 300

/** What the library asks for; nothing is stored, since the token carries all there is to know. */
const modelFor = (issuer: Issuer, address: string): OAuth2Server.ClientCredentialsModel => ({
  getClient: async (clientId, secret) => {
    const record = await issuer.authenticate({ clientId, address }, secret)
    return { id: record.id, grants: [GRANT_TYPE], record }
  },
  getUserFromClient: async client => ({ id: client.id }),
  generateAccessToken: client => issuer.issue(client.record as ClientRecord),
  saveToken: async (token, client, user) => ({ ...token, client, user }),
  getAccessToken: async () => null,
})

const sendToken = (issuer: Issuer) => async (request: FastifyRequest, reply: FastifyReply) => {
  const server = new OAuth2Server({ model: modelFor(issuer, request.ip) })
  const { accessToken } = await server.token(toOAuthRequest(request), new OAuth2Server.Response())
  return reply
    .headers(NO_STORE)
    .send({ access_token: accessToken, token_type: 'Bearer', expires_in: issuer.lifetimeSeconds })
}

const hasCause = (error: unknown): boolean => error instanceof Error && error.cause !== undefined

const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const { status, headers, body } = toOAuthFailure(error, request.headers.authorization !== undefined)
  // What is refused for too much is in the log of requests; what is foreseen is no error of ours.
  if (status === 500) request.log.error({ err: error }, 'a token request failed')
  else if (status > 500 && hasCause(error))
    request.log.warn({ err: error }, 'a token request could not be served')
  return reply
    .status(status)
    .headers({ ...headers, ...NO_STORE })
    .send(body)
}

const sendKeys = (issuer: Issuer) => async (_: FastifyRequest, reply: FastifyReply) =>
  reply
    .headers({ 'cache-control': `public, max-age=${KEYS_MAX_AGE}` })
    .type('application/jwk-set+json')
    .send(await issuer.jwks())

/** Forms are understood here alone, and nothing else is. */
const takeFormsOnly = (scope: FastifyInstance) => {
  scope.removeAllContentTypeParsers()
  const parse = async (_: FastifyRequest, body: Buffer) => parseForm(decodeBody(body))
  scope.addContentTypeParser(FORM, { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, parse)
}

/**
 * Adds the token endpoint and `GET /.well-known/jwks.json`. With an outside issuer (`AUTH_JWKS_URL`) there is
 * nothing to add. The throttle sees `request.ip`, which behind a proxy is the client's by `TRUST_PROXY`.
 */
export function registerTokenEndpoint(fastify: FastifyInstance, { issuer }: Pick<Access, 'issuer'>): void {
  if (!issuer) return
  fastify.register(async scope => {
    takeFormsOnly(scope)
    scope.setErrorHandler(sendFailure)
    const config = { bodyTimeoutMs: BODY_TIMEOUT_MS }
    scope.post('/oauth2/accesstoken', { bodyLimit: BODY_LIMIT, config }, sendToken(issuer))
    scope.get('/.well-known/jwks.json', sendKeys(issuer))
  })
}
