/** Failures of the token endpoint in the one shape OAuth clients know (RFC 6749 §5.2). */
import OAuth2Server from '@node-oauth/oauth2-server'
import { ServiceError } from '../errors/catalogue.ts'
import { REALM } from './claims.ts'
import { FORM_ONLY } from './oauth-request.ts'

/** A response ready to send. */
export interface OAuthFailure {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: { error: string; error_description: string }
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

/** The library wraps what the model throws. */
const unwrap = (error: unknown): unknown =>
  error instanceof OAuth2Server.ServerError && 'inner' in error ? error.inner : error

/** A challenge only for those who used the header: a browser would open a login window for the others. */
const challenge = (usedHeader: boolean): Record<string, string> =>
  usedHeader ? { 'www-authenticate': `Basic realm="${REALM}", charset="UTF-8"` } : {}

/** No quotes and no backslashes (RFC 6749 §5.2). */
const described = (message: string): string => message.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'")

const fromService = ({ code, status, message, headers }: ServiceError, usedHeader: boolean) => {
  if (code === 'UNAUTHORIZED')
    return failure(401, 'invalid_client', message, { ...challenge(usedHeader), ...headers })
  if (status < 500) return failure(400, 'invalid_request', described(message))
  return code === 'SERVICE_UNAVAILABLE' || code === 'REQUEST_TIMEOUT_EXCEEDED'
    ? failure(503, 'temporarily_unavailable', message, { 'retry-after': '2', ...headers })
    : undefined
}

const fromLibrary = ({ name, code, message }: OAuth2Server.OAuthError, usedHeader: boolean) => {
  if (name === 'invalid_client') return failure(401, name, message, challenge(usedHeader))
  return code < 500 ? failure(400, name, message) : undefined
}

/** Fastify's own: not a form, too large, cut off. */
const fromFastify = (error: unknown) => {
  const { statusCode = 500 } = error as { statusCode?: number }
  if (statusCode === 415) return failure(400, 'invalid_request', FORM_ONLY)
  return statusCode < 500 ? failure(400, 'invalid_request', 'The request body cannot be read') : undefined
}

const known = (error: unknown, usedHeader: boolean) => {
  if (error instanceof ServiceError) return fromService(error, usedHeader)
  if (error instanceof OAuth2Server.OAuthError) return fromLibrary(error, usedHeader)
  return fromFastify(error)
}

/**
 * The response to a failed token request; `usedHeader`: the client came with an `Authorization` header. What is
 * not foreseen is `server_error`, 500, without internals; a database out of reach `temporarily_unavailable`, 503.
 */
export const toOAuthFailure = (error: unknown, usedHeader: boolean): OAuthFailure =>
  known(unwrap(error), usedHeader) ?? failure(500, 'server_error', 'The request could not be served')
