/** Requests for tokens: forms with the client credentials grant, and the credentials that they carry (RFC 6749 §2.3, §4.4). */
import type { X509Certificate } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import { findUtf8, parseQuery, requireUtf8 } from '../values/text.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const FORM_ONLY = `The request must have a form body: ${FORM_TYPE}`

/** The only grant: no user is present at a partner's server to log in. */
const GRANT_TYPE = 'client_credentials'

/** Refusal of a token request by the rules of the grant. */
export class GrantError extends Error {
  /** Error code (RFC 6749 §5.2). */
  readonly error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type'

  constructor(error: GrantError['error'], description: string) {
    super(description)
    this.error = error
  }
}

export type Form = Record<string, string>

/**
 * Reads a form body. A parameter without a value counts as omitted (RFC 6749 §3.2).
 * @throws GrantError for a parameter that is given more than once (RFC 6749 §3.2).
 * @throws ServiceError INVALID_ARGUMENT for a value that is not percent-encoded UTF-8 (RFC 6749 appendix B).
 */
export function parseForm(text: string): Form {
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

/**
 * Decodes an id or a secret, which are form-encoded inside Basic (RFC 6749 §2.3.1). Many clients send them unencoded, so
 * text that cannot be decoded is taken literally.
 */
const decodeFormComponent = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

interface SecretCredentials {
  readonly clientId: string
  readonly secret: string
}

/** Credentials as a signed assertion (RFC 7521 §4.2). */
interface AssertionCredentials {
  readonly clientId: string
  readonly assertion: string
}

/** Credentials as the certificate of the connection (RFC 8705 §2). */
interface CertificateCredentials {
  readonly clientId: string
  readonly certificate: X509Certificate
}

/** Credentials of a client, in one of the three ways. */
export type RequestCredentials = SecretCredentials | AssertionCredentials | CertificateCredentials

const readBasicCredentials = (authorization: string): SecretCredentials => {
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(findUtf8(Buffer.from(encoded ?? '', 'base64')) ?? '') ?? []
  if (!id || !secret)
    throw new GrantError(
      'invalid_client',
      'The Authorization header must be Basic with client id and secret, in UTF-8',
    )
  return { clientId: decodeFormComponent(id), secret: decodeFormComponent(secret) }
}

/**
 * Reads the credentials from the header (Basic) or from the body, but not from both. A body beside Basic may repeat the
 * client id, which proves nothing by itself. Alone it is proven by the certificate of the connection (RFC 8705 §2).
 */
const readCredentials = (
  { client_id, client_secret }: Form,
  authorization: string | undefined,
  certificate: X509Certificate | undefined,
): SecretCredentials | CertificateCredentials => {
  if (authorization === undefined) {
    if (client_id && client_secret) return { clientId: client_id, secret: client_secret }
    if (client_id && certificate) return { clientId: client_id, certificate }
    throw new GrantError('invalid_client', 'Client id and secret are required')
  }
  const basic = readBasicCredentials(authorization)
  if (client_secret !== undefined || (client_id !== undefined && client_id !== basic.clientId))
    throw new GrantError('invalid_request', 'Client credentials must be given in one way: Basic or the body')
  return basic
}

/** The one type of assertion (RFC 7523 §2.2). */
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const subjectOf = (assertion: string): string | undefined => {
  try {
    return decodeJwt(assertion).sub
  } catch {
    return undefined
  }
}

/** Reads an assertion, whose `sub` is the client; nothing of it is verified here. */
const readAssertion = (
  form: Form,
  assertion: string,
  authorization: string | undefined,
): AssertionCredentials => {
  if (authorization !== undefined || form.client_secret !== undefined)
    throw new GrantError(
      'invalid_request',
      'Client credentials must be given in one way: a secret or an assertion',
    )
  if (form.client_assertion_type !== JWT_BEARER)
    throw new GrantError('invalid_request', `client_assertion_type must be ${JWT_BEARER}`)
  const clientId = subjectOf(assertion)
  if (typeof clientId !== 'string' || clientId === '')
    throw new GrantError(
      'invalid_client',
      'The client_assertion must be a signed JWT whose sub is the client id',
    )
  if (form.client_id !== undefined && form.client_id !== clientId)
    throw new GrantError('invalid_client', 'The sub of the client_assertion must be the client_id')
  return { clientId, assertion }
}

/** Characters of ids and secrets (RFC 6749 appendix A, `VSCHAR`). */
const PRINTABLE = /^[\x20-\x7e]+$/

/** A media type with complete parameters (RFC 9110 §8.3.1). Fastify ignores malformed parameters; here they are refused. */
const MEDIA_TYPE = /^[^;]*(; *[\w!#$%&'*+.^`|~-]+ *= *([\w!#$%&'*+.^`|~-]+|"([^"\\]|\\.)*") *)*$/

/**
 * Checks a token request, and reads its credentials. `scope` is ignored, as RFC 6749 §3.3 allows: the client's role decides
 * what it may do.
 * @param certificate of the client's connection, where it has shown one.
 */
export const readTokenRequest = (
  { body, headers }: FastifyRequest,
  certificate: X509Certificate | undefined,
): RequestCredentials => {
  if (!body) throw new GrantError('invalid_request', FORM_ONLY)
  const form = body as Form
  if (!form.grant_type) throw new GrantError('invalid_request', 'grant_type is missing')
  if (form.grant_type !== GRANT_TYPE)
    throw new GrantError('unsupported_grant_type', `grant_type must be ${GRANT_TYPE}`)
  const { client_assertion: assertion } = form
  const credentials =
    assertion === undefined
      ? readCredentials(form, headers.authorization, certificate)
      : readAssertion(form, assertion, headers.authorization)
  if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) throw new GrantError('invalid_request', FORM_ONLY)
  if (!PRINTABLE.test(credentials.clientId))
    throw new GrantError('invalid_request', 'Invalid parameter: `client_id`')
  if ('secret' in credentials && !PRINTABLE.test(credentials.secret))
    throw new GrantError('invalid_request', 'Invalid parameter: `client_secret`')
  return credentials
}
