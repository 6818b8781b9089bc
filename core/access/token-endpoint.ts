/**
 * The built-in issuer over HTTP: `POST /oauth2/accesstoken` with the client credentials grant (RFC 6749 §4.4). Error
 * bodies have the form of RFC 6749 §5.2, the only one that OAuth clients read.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '../config/sections.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { decodeBody } from '../values/text.ts'
import type { Access, Issuer } from './access.ts'
import { REALM } from './claims.ts'
import type { Proof } from './client-authentication.ts'
import { proveByCertificate } from './client-certificate.ts'
import {
  FORM_ONLY,
  FORM_TYPE,
  GrantError,
  parseForm,
  type RequestCredentials,
  readTokenRequest,
} from './token-request.ts'

/** Longest body in octets: far above a form with an id and a secret. */
const BODY_LIMIT_OCTETS = 8_192
const TOO_LARGE = `The form must not have more than ${BODY_LIMIT_OCTETS} bytes`
/** Longest time for a body, in milliseconds. A form is small, and its client has not authenticated yet. */
const BODY_TIMEOUT_MS = 2_000
/** Keeps tokens out of every cache (RFC 6749 §5.1). */
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }
/** Wait in seconds that is proposed to a client after a 503, where the error proposes none. */
const RETRY_AFTER_SECONDS = 2

/** Path of the token endpoint. */
const PATH = '/oauth2/accesstoken'

/**
 * Address of the token endpoint where it is asked on its own machine, as developers do. Elsewhere a `Host` proves nothing,
 * and `TOKEN_ENDPOINT` names the address.
 */
const localAddress = ({ protocol, host, hostname, ip }: FastifyRequest): string | undefined =>
  isLoopback(hostname) && isLoopback(ip) ? `${protocol}://${host}${PATH}` : undefined

const proofOf = (
  issuer: Issuer,
  request: FastifyRequest,
  credentials: RequestCredentials,
): string | Proof => {
  if ('secret' in credentials) return credentials.secret
  return 'certificate' in credentials
    ? proveByCertificate(credentials.certificate)
    : issuer.proveByAssertion(credentials.assertion, localAddress(request))
}

const sendToken = (issuer: Issuer) => async (request: FastifyRequest, reply: FastifyReply) => {
  const credentials = readTokenRequest(request, issuer.readCertificate(request))
  const attempt = { clientId: credentials.clientId, address: request.ip }
  const client = await issuer.authenticate(attempt, proofOf(issuer, request, credentials))
  const { clientId } = attempt
  if (request.facts) request.facts.principal = { clientId, role: client.role }
  const token = await issuer.issue(client)
  return reply
    .headers(NO_STORE)
    .send({ access_token: token, token_type: 'Bearer', expires_in: issuer.lifetimeSeconds })
}

const failure = (
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
) => ({
  status,
  headers,
  body: { error, error_description: description },
})

type Failure = ReturnType<typeof failure>

/**
 * Header with a challenge, only for a client that used `Authorization`: a browser would open a login window for the
 * others.
 */
const challenge = ({ headers }: FastifyRequest): Record<string, string> =>
  headers.authorization === undefined ? {} : { 'www-authenticate': `Basic realm="${REALM}", charset="UTF-8"` }

/** Text of `error_description`, which has no quotes and no backslashes (RFC 6749 §5.2). */
const toDescription = (message: string): string => message.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'")

const fromServiceError = (
  { code, status, message, headers }: ServiceError,
  request: FastifyRequest,
): Failure | undefined => {
  if (code === 'UNAUTHORIZED')
    return failure(401, 'invalid_client', message, { ...challenge(request), ...headers })
  if (status < 500) return failure(400, 'invalid_request', toDescription(message))
  return code === 'SERVICE_UNAVAILABLE' || code === 'REQUEST_TIMEOUT_EXCEEDED'
    ? failure(503, 'temporarily_unavailable', message, {
        'retry-after': String(RETRY_AFTER_SECONDS),
        ...headers,
      })
    : undefined
}

/** Maps an error to its OAuth response; undefined for an error that no rule covers. */
const toFailure = (error: unknown, request: FastifyRequest): Failure | undefined => {
  if (error instanceof ServiceError) return fromServiceError(error, request)
  if (error instanceof GrantError)
    return error.error === 'invalid_client'
      ? failure(401, error.error, error.message, challenge(request))
      : failure(400, error.error, error.message)
  // Errors of Fastify itself: the body is no form, is too large, or was cut off.
  const { statusCode = 500 } = error as { statusCode?: number }
  if (statusCode === 415) return failure(400, 'invalid_request', FORM_ONLY)
  if (statusCode === 413) return failure(400, 'invalid_request', TOO_LARGE)
  return statusCode < 500 ? failure(400, 'invalid_request', 'The request body cannot be read') : undefined
}

const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const { status, headers, body } =
    toFailure(error, request) ?? failure(500, 'server_error', 'The request could not be served')
  if (request.facts) request.facts.code = body.error
  if (status === 500) request.log.error({ err: error }, 'a token request failed')
  // A request that was refused under load has no cause to report; the access log has its status.
  else if (status > 500 && error instanceof Error && error.cause !== undefined)
    request.log.warn({ err: error }, 'a token request could not be served')
  return reply
    .status(status)
    .headers({ ...headers, ...NO_STORE })
    .send(body)
}

/**
 * Adds the token endpoint; nothing with an external issuer (`AUTH_JWKS_URL`). Attempts are throttled by `request.ip`, which
 * behind a proxy is the client's address only with `TRUST_PROXY`.
 */
export function registerTokenEndpoint(fastify: FastifyInstance, { issuer }: Pick<Access, 'issuer'>): void {
  if (!issuer) return
  fastify.register(async scope => {
    // This scope alone accepts forms, and it accepts no other media type.
    scope.removeAllContentTypeParsers()
    const parse = async (_: FastifyRequest, body: Buffer) => parseForm(decodeBody(body))
    scope.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer', bodyLimit: BODY_LIMIT_OCTETS }, parse)
    scope.setErrorHandler(sendFailure)
    const config = { bodyTimeoutMs: BODY_TIMEOUT_MS, way: 'TOKEN', operation: 'accesstoken' } as const
    scope.post(PATH, { bodyLimit: BODY_LIMIT_OCTETS, config }, sendToken(issuer))
  })
}
