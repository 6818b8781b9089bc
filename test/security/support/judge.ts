/** Faults of a response, independent of its request: statuses, envelope, headers. */
import { STATUS_OF } from '#core/errors/catalogue.ts'
import { faultsOfAnswer } from '../../support/openapi.ts'

const WELL_FORMED = /^[A-Za-z0-9\-_:;./<>{}]{1,256}$/

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const statusFaults = (status: number) => (status >= 500 && status !== 503 ? [`answered with ${status}`] : [])

const correlatorFaults = (sent: string | undefined, headers: Headers) => {
  const answered = headers.get('x-correlator')
  if (!answered || !WELL_FORMED.test(answered)) return [`x-correlator is ${answered}`]
  return sent && WELL_FORMED.test(sent) && answered !== sent ? ['x-correlator is another than was sent'] : []
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const generalFaults = ({ headers: sent }: Sent, { status, headers, text }: Answered) => [
  ...statusFaults(status),
  ...correlatorFaults(sent['x-correlator'], headers),
  ...(text !== '' && !/^application\/(graphql-response\+)?json/.test(headers.get('content-type') ?? '')
    ? [`content-type is ${headers.get('content-type')}`]
    : []),
]

/** A REST answer against its OpenAPI document. */
export function faultsOfRest(sent: Sent, answered: Answered): string[] {
  const general = generalFaults(sent, answered)
  if (sent.method === 'HEAD') return general
  const body = parse(answered.text)
  if (body === undefined) return [...general, `${answered.status} with ${answered.text.slice(0, 80)}`]
  return [...general, ...faultsOfAnswer(sent.method, sent.path.split('?', 1)[0]!, { ...answered, body })]
}

interface ErrorShape {
  readonly message?: unknown
  readonly extensions?: { code?: string; http?: { status?: number } }
}

/** Codes of the persisted-query protocol, which its clients speak. */
const PROTOCOL = ['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED']
const ALLOWED = ['message', 'locations', 'path', 'extensions']
const EXTENSIONS = ['code', 'http', 'field', 'reason', 'sentence', 'limit', 'existingId', 'cursor']

const errorFaults = (error: ErrorShape): string[] => {
  const { code = '', http } = error.extensions ?? {}
  if (PROTOCOL.includes(code)) return []
  const more = [
    ...Object.keys(error).filter(name => !ALLOWED.includes(name)),
    ...Object.keys(error.extensions ?? {}).filter(name => !EXTENSIONS.includes(name)),
  ]
  const known = (STATUS_OF as Record<string, number>)[code]
  return [
    ...(known === undefined ? [`an error of no code of the catalogue: ${JSON.stringify(error)}`] : []),
    ...(http?.status === known || http?.status === 405 ? [] : [`${code} with status ${http?.status}`]),
    ...statusFaults(http?.status ?? 0),
    ...(typeof error.message === 'string' && error.message ? [] : ['an error without a message']),
    ...more.map(name => `an error with ${name}`),
  ]
}

/** A request with an unreadable body never became one of GraphQL, and is refused as on REST. */
const isErrorInfo = (body: object): boolean =>
  Object.keys(body).toSorted().join() === 'code,message,status' &&
  Object.values(body).every(one => typeof one === 'string')

/** A response of the graph against the catalogue. */
export function faultsOfGraph(sent: Sent, answered: Answered): string[] {
  const general = generalFaults(sent, answered)
  const body = parse(answered.text) as { data?: unknown; errors?: ErrorShape[] } | undefined
  if (typeof body !== 'object' || body === null)
    return [...general, `no object: ${answered.text.slice(0, 80)}`]
  if (answered.status >= 400 && isErrorInfo(body)) return general
  const { data, errors, ...more } = body
  return [
    ...general,
    ...(answered.status === 200 && data === undefined ? ['200 without data'] : []),
    ...(data === undefined && !errors?.length ? ['neither data nor errors'] : []),
    ...(errors ?? []).flatMap(errorFaults),
    ...Object.keys(more).map(name => `an answer with ${name}`),
  ]
}

const OAUTH =
  /^\{"error":"(invalid_request|invalid_client|unsupported_grant_type|invalid_grant|invalid_scope|temporarily_unavailable)"/

/** A response to who knows what: a success of any kind, or the envelope; the token endpoint has RFC 6749's own. */
export function envelopeFaults({ status, headers, text }: Answered): string[] {
  if (status < 400) return []
  const body = parse(text) as object | undefined
  const isEnvelope = text === '' ? headers.get('content-length') !== '0' : isErrorInfo(body ?? {})
  const known = isEnvelope || OAUTH.test(text) || (body !== undefined && 'errors' in body)
  return [
    ...statusFaults(status),
    ...(known ? [] : [`${status} without the envelope: ${text.slice(0, 80)}`]),
    ...correlatorFaults(undefined, headers),
  ]
}
