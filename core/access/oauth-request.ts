/** A token request's steps before authentication: its form, its grant type, its client credentials (RFC 6749 §4.4). */
import OAuth2Server from '@node-oauth/oauth2-server'
import type { FastifyRequest } from 'fastify'
import { parseQuery, requireUtf8 } from '../values/query.ts'
import { findUtf8 } from '../values/text.ts'

const { InvalidClientError, InvalidRequestError, UnsupportedGrantTypeError } = OAuth2Server

export type Form = Record<string, string>

/** The one grant there is: a partner's server has nobody to log in. */
export const GRANT_TYPE = 'client_credentials'

export const FORM_ONLY = 'The request must have a form body: application/x-www-form-urlencoded'

/**
 * Reads a form body; a parameter without a value counts as omitted, a repeated one is an error (RFC 6749 §3.2).
 * @throws ServiceError INVALID_ARGUMENT for a value that is not percent-encoded UTF-8 (RFC 6749 appendix B).
 */
export function parseForm(text: string): Form {
  const given = parseQuery(text)
  requireUtf8(given)
  const form: Form = {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw new InvalidRequestError('A parameter is given more than once')
    if (value !== '') form[name] = value
  }
  return form
}

const formOf = (request: FastifyRequest): Form => {
  if (request.body) return request.body as Form
  throw new InvalidRequestError(FORM_ONLY)
}

const checkGrantType = ({ grant_type }: Form) => {
  if (!grant_type) throw new InvalidRequestError('grant_type is missing')
  if (grant_type !== GRANT_TYPE) throw new UnsupportedGrantTypeError(`grant_type must be ${GRANT_TYPE}`)
}

/** Id and secret are form-encoded inside Basic (RFC 6749 §2.3.1); one that cannot be decoded is taken as it is. */
const decode = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const basicCredentials = (authorization: string): Form => {
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(findUtf8(Buffer.from(encoded ?? '', 'base64')) ?? '') ?? []
  if (!id || !secret)
    throw new InvalidClientError('The Authorization header must be Basic with client id and secret, in UTF-8')
  return { client_id: decode(id), client_secret: decode(secret) }
}

/** A client id alone may stand in the body beside Basic: it authenticates nobody. */
const checkOneWay = (form: Form, basic: Form) => {
  const another = form.client_id !== undefined && form.client_id !== basic.client_id
  if (form.client_secret !== undefined || another)
    throw new InvalidRequestError('Client credentials must be given in one way: Basic or the body')
}

const credentialsOf = (form: Form, authorization: string | undefined): Form => {
  if (authorization === undefined) {
    const { client_id, client_secret } = form
    if (!client_id || !client_secret) throw new InvalidClientError('Client id and secret are required')
    return { client_id, client_secret }
  }
  const basic = basicCredentials(authorization)
  checkOneWay(form, basic)
  return basic
}

/**
 * The request as the OAuth library reads it: credentials in the body, wherever they came from. `scope` is left
 * out: what a client may do is its role, and a server may ignore the scope (RFC 6749 §3.3).
 */
export function toOAuthRequest(request: FastifyRequest): OAuth2Server.Request {
  const form = formOf(request)
  checkGrantType(form)
  const body = { grant_type: GRANT_TYPE, ...credentialsOf(form, request.headers.authorization) }
  const { authorization: _, ...headers } = request.headers
  return new OAuth2Server.Request({ headers: headers as Form, method: 'POST', query: {}, body })
}
