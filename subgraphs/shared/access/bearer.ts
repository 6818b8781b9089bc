/** The bearer token in an `Authorization` value, and the 401 that answers a missing or wrong one (RFC 6750). */
import { ServiceError } from '../errors/catalogue.ts'

export const REALM = 'partner-graph'

/** RFC 6750 §2.1, `b64token`; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i
/** More than any token needs, and little enough to be worth looking at. */
const MAX_LENGTH = 8_192

/** 401 without an error code, since nothing was presented (RFC 6750 §3.1). */
export const missingToken = () =>
  new ServiceError('UNAUTHORIZED', 'An access token is required: Authorization: Bearer <token>', {
    headers: { 'www-authenticate': `Bearer realm="${REALM}"` },
  })

/** 401 `invalid_token`; `message` may hold neither quotes nor backslashes (RFC 6750 §3). */
export const invalidToken = (message: string, cause?: unknown) =>
  new ServiceError('UNAUTHORIZED', message, {
    headers: {
      'www-authenticate': `Bearer realm="${REALM}", error="invalid_token", error_description="${message}"`,
    },
    cause,
  })

/** The token in `Bearer <token>`. Absent, or another scheme, or not of a token's form: 401. */
export function bearerToken(authorization: string | undefined): string {
  if (!authorization || !/^bearer( |$)/i.test(authorization)) throw missingToken()
  const token = authorization.length > MAX_LENGTH ? undefined : BEARER.exec(authorization)?.[1]
  if (!token) throw invalidToken('The access token is malformed')
  return token
}
