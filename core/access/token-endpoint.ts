/**
 * The built-in issuer over HTTP: `POST /oauth2/accesstoken` with the client credentials grant (RFC 6749 §4.4), and its
 * public keys (RFC 7517). Failures have the one shape that OAuth clients know (RFC 6749 §5.2).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors/catalogue.ts'
import { decodeBody, findUtf8, parseQuery, requireUtf8 } from '../values/text.ts'
import type { Access, Issuer } from './access.ts'
import { REALM } from './claims.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const FORM_ONLY = `The request must have a form body: ${FORM_TYPE}`
const BODY_LIMIT = 8_192
/** Short, since a form is small and its client has shown no token yet. */
const BODY_TIMEOUT_MS = 2_000
/** Keeps tokens out of every cache (RFC 6749 §5.1). */
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }
/** Time in seconds for which the public keys may be cached. */
const KEYS_MAX_AGE = 300

/** The only grant: no user is present at a partner's server to log in. */
const GRANT_TYPE = 'client_credentials'

/** Refusal of a token request by the rules of the grant. */
class GrantError extends Error {
  /** RFC 6749 §5.2. */
  readonly error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type'

  constructor(error: GrantError['error'], description: string) {
    super(description)
    this.error = error
  }
}

type Form = Record<string, string>

/**
 * Reads a form body; a parameter without a value counts as omitted, a repeated one is an error (RFC 6749 §3.2).
 * @throws ServiceError INVALID_ARGUMENT for a value that is not percent-encoded UTF-8 (RFC 6749 appendix B).
 */
function parseForm(text: string): Form {
  const parameters = parseQuery(text)
  requireUtf8(parameters)
  const form: Form = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== 'string')
      throw new GrantError('invalid_request', 'A parameter is given more than once')
    if (value !== '') form[name] = value
  }
  return form
}

/** Id and secret are form-encoded inside Basic (RFC 6749 §2.3.1); text that cannot be decoded is taken literally. */
const decode = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

interface Credentials {
  readonly clientId: string
  readonly secret: string
}

const basicCredentials = (authorization: string): Credentials => {
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(findUtf8(Buffer.from(encoded ?? '', 'base64')) ?? '') ?? []
  if (!id || !secret)
    throw new GrantError(
      'invalid_client',
      'The Authorization header must be Basic with client id and secret, in UTF-8',
    )
  return { clientId: decode(id), secret: decode(secret) }
}

/** Credentials in the body, or by Basic; a client id alone may stand in the body too, since it proves nothing. */
const credentialsOf = (
  { client_id, client_secret }: Form,
  authorization: string | undefined,
): Credentials => {
  if (authorization === undefined) {
    if (client_id && client_secret) return { clientId: client_id, secret: client_secret }
    throw new GrantError('invalid_client', 'Client id and secret are required')
  }
  const basic = basicCredentials(authorization)
  if (client_secret !== undefined || (client_id !== undefined && client_id !== basic.clientId))
    throw new GrantError('invalid_request', 'Client credentials must be given in one way: Basic or the body')
  return basic
}

/** Characters of ids and secrets (RFC 6749 appendix A, `VSCHAR`). */
const PRINTABLE = /^[\x20-\x7e]+$/

/** A media type with complete parameters (RFC 9110 §8.3.1); Fastify ignores malformed ones. */
const MEDIA_TYPE = /^[^;]*(; *[\w!#$%&'*+.^`|~-]+ *= *([\w!#$%&'*+.^`|~-]+|"([^"\\]|\\.)*") *)*$/

/** Checks a token request. `scope` may be ignored (RFC 6749 §3.3): the client's role decides what it may do. */
const readRequest = ({ body, headers }: FastifyRequest): Credentials => {
  if (!body) throw new GrantError('invalid_request', FORM_ONLY)
  const form = body as Form
  if (!form.grant_type) throw new GrantError('invalid_request', 'grant_type is missing')
  if (form.grant_type !== GRANT_TYPE)
    throw new GrantError('unsupported_grant_type', `grant_type must be ${GRANT_TYPE}`)
  const credentials = credentialsOf(form, headers.authorization)
  if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) throw new GrantError('invalid_request', FORM_ONLY)
  if (!PRINTABLE.test(credentials.clientId))
    throw new GrantError('invalid_request', 'Invalid parameter: `client_id`')
  if (!PRINTABLE.test(credentials.secret))
    throw new GrantError('invalid_request', 'Invalid parameter: `client_secret`')
  return credentials
}

const sendToken = (issuer: Issuer) => async (request: FastifyRequest, reply: FastifyReply) => {
  const { clientId, secret } = readRequest(request)
  const client = await issuer.authenticate({ clientId, address: request.ip }, secret)
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

/** A challenge only for a client that used the header: a browser would open a login window for the others. */
const challenge = ({ headers }: FastifyRequest): Record<string, string> =>
  headers.authorization === undefined ? {} : { 'www-authenticate': `Basic realm="${REALM}", charset="UTF-8"` }

/** A description has no quotes and no backslashes (RFC 6749 §5.2). */
const toDescription = (message: string): string => message.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'")

const fromService = (
  { code, status, message, headers }: ServiceError,
  request: FastifyRequest,
): Failure | undefined => {
  if (code === 'UNAUTHORIZED')
    return failure(401, 'invalid_client', message, { ...challenge(request), ...headers })
  if (status < 500) return failure(400, 'invalid_request', toDescription(message))
  return code === 'SERVICE_UNAVAILABLE' || code === 'REQUEST_TIMEOUT_EXCEEDED'
    ? failure(503, 'temporarily_unavailable', message, { 'retry-after': '2', ...headers })
    : undefined
}

/** The response to a foreseen failure; undefined for any other. */
const foreseen = (error: unknown, request: FastifyRequest): Failure | undefined => {
  if (error instanceof ServiceError) return fromService(error, request)
  if (error instanceof GrantError)
    return error.error === 'invalid_client'
      ? failure(401, error.error, error.message, challenge(request))
      : failure(400, error.error, error.message)
  // Fastify's own: not a form, too large, cut off.
  const { statusCode = 500 } = error as { statusCode?: number }
  if (statusCode === 415) return failure(400, 'invalid_request', FORM_ONLY)
  return statusCode < 500 ? failure(400, 'invalid_request', 'The request body cannot be read') : undefined
}

const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const { status, headers, body } =
    foreseen(error, request) ?? failure(500, 'server_error', 'The request could not be served')
  if (status === 500) request.log.error({ err: error }, 'a token request failed')
  // A refusal for too much work has no cause, and is in the log of requests.
  else if (status > 500 && error instanceof Error && error.cause !== undefined)
    request.log.warn({ err: error }, 'a token request could not be served')
  return reply
    .status(status)
    .headers({ ...headers, ...NO_STORE })
    .send(body)
}

/**
 * Adds the token endpoint and `GET /.well-known/jwks.json`; nothing with an outside issuer (`AUTH_JWKS_URL`). The
 * throttle sees `request.ip`, which behind a proxy is the client's by `TRUST_PROXY`.
 */
export function registerTokenEndpoint(fastify: FastifyInstance, { issuer }: Pick<Access, 'issuer'>): void {
  if (!issuer) return
  fastify.register(async scope => {
    // Forms are understood here alone, and no other type is.
    scope.removeAllContentTypeParsers()
    const parse = async (_: FastifyRequest, body: Buffer) => parseForm(decodeBody(body))
    scope.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, parse)
    scope.setErrorHandler(sendFailure)
    const config = { bodyTimeoutMs: BODY_TIMEOUT_MS }
    scope.post('/oauth2/accesstoken', { bodyLimit: BODY_LIMIT, config }, sendToken(issuer))
    scope.get('/.well-known/jwks.json', async (_, reply) =>
      reply
        .headers({ 'cache-control': `public, max-age=${KEYS_MAX_AGE}` })
        .type('application/jwk-set+json')
        .send(await issuer.jwks()),
    )
  })
}
