/** Checks before the token: a request with a head that cannot be served is refused without a look at anything else. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CorsOrigins } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'
import { invalid, notFound, toRest } from '../errors/catalogue.ts'
import type { HeadStep, HttpReply, HttpRequest } from './exchange.ts'
import { registerAnonymousLimits } from './limits.ts'
import { isProbe, targetPath } from './observe.ts'

/** Header with the id of a request, the client's own or a new one: on every response and in every log line. */
export const CORRELATOR = 'x-correlator'

/** docs/decisions.md, "Failures". */
const WELL_FORMED = /^[A-Za-z0-9\-_:;./<>{}]{1,256}$/

type Headers = Record<string, unknown>

/** The correlator of the request if it is well-formed. */
const sentCorrelator = (headers: Headers): string | undefined => {
  const value = headers[CORRELATOR]
  return typeof value === 'string' && WELL_FORMED.test(value) ? value : undefined
}

/** Makes the id of a request, which Fastify keeps as `request.id`. */
export const requestCorrelator = (request: { headers: Headers }): string =>
  sentCorrelator(request.headers) ?? randomUUID()

/**
 * Checks the correlator; an empty header counts as absent.
 * @throws ServiceError INVALID_ARGUMENT for a malformed one.
 */
export const checkCorrelator = (headers: Headers): void => {
  if (headers[CORRELATOR] && sentCorrelator(headers) === undefined)
    throw invalid('x-correlator must be 1 to 256 letters, digits and -_:;./<>{}')
}

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host'

/** In HTTP/2 the authority stands in for `Host`; one that says something else is refused (RFC 9113 §8.3.1). */
const isContrary = (rawHeaders: readonly string[], host: string | undefined): boolean => {
  const at = rawHeaders.indexOf(':authority')
  return at >= 0 && host !== undefined && rawHeaders[at + 1]!.toLowerCase() !== host.toLowerCase()
}

/** Requires exactly one `Host` (RFC 9112 §3.2): a proxy and a server must not read two of them differently. */
const checkHost = ({ rawHeaders, headers, httpVersion }: IncomingMessage): void => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at]!)) hosts += 1
  const isContradicted = httpVersion === '2.0' && isContrary(rawHeaders, headers.host)
  if (hosts > 1 || isContradicted || (hosts === 0 && httpVersion === '1.1'))
    throw invalid('the request must have one Host header')
}

/** Headers that a page may read beside the safelisted ones (Fetch standard, "CORS-safelisted response-header name"). */
const EXPOSED = [
  'x-correlator',
  'Location',
  'Allow',
  'ETag',
  'X-Total-Count',
  'Content-Last-Key',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'X-Operation-Cost',
  'Idempotency-Replayed',
].join(', ')

/** Validity of a preflight's result in seconds: the longest that Chromium keeps one. */
const MAX_AGE = '7200'

const isPreflight = ({ method, headers }: HttpRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

/** Allows any header: none carries anything that a page does not have. */
const answerPreflight = ({ headers }: HttpRequest, reply: HttpReply): HttpReply =>
  reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
      'access-control-max-age': MAX_AGE,
    })
    .send()

/**
 * Lets pages of these origins call (CORS, Fetch standard §3.2), and answers their preflights before all other checks.
 * There are no cookies, so credentials are never allowed: a page sends its token itself. Health and metrics are left
 * out: they are guarded by the address of the caller, which a browser would lend to any page.
 *
 * An own hook: @fastify/cors adds its own when the server boots, behind the hooks that refuse, so no page could read
 * their refusals; and it answers through a route for all paths, which would make every path exist for OPTIONS.
 */
const allowOrigins =
  (origins: CorsOrigins): HeadStep =>
  (request, reply) => {
    const { origin } = request.headers
    if (origins.none || isProbe(request.url)) return false
    if (!origins.all) reply.header('vary', 'Origin')
    if (origin === undefined || !origins.allows(origin)) return false
    reply.header('access-control-allow-origin', origins.all ? '*' : origin)
    reply.header('access-control-expose-headers', EXPOSED)
    if (!isPreflight(request)) return false
    answerPreflight(request, reply)
    return true
  }

const nameCorrelator: HeadStep = ({ id }, reply) => {
  reply.header(CORRELATOR, id)
  return false
}

const checkHead: HeadStep = ({ headers, raw }) => {
  checkCorrelator(headers)
  checkHost(raw)
  return false
}

/** Makes the first checks, in their order; CORS is before all that refuse, so that a page can read the reason. */
export const headChecks = ({ corsOrigins }: Pick<Config, 'corsOrigins'>): HeadStep[] => [
  nameCorrelator,
  allowOrigins(corsOrigins),
  checkHead,
]

const toPattern = (url: string) => {
  const parts = url.split('/').map(part => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
  return new RegExp(`^${parts.join('/')}$`)
}

/** Collects the routes as they are registered. @returns the methods of a path. */
const collectMethods = (server: FastifyInstance): ((path: string) => string[]) => {
  const known = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  server.addHook('onRoute', ({ url, method, constraints }) => {
    // A route with constraints serves some requests alone: for all others its path does not exist.
    if (constraints && Object.keys(constraints).length > 0) return
    const path = known.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const one of [method].flat()) path.methods.add(one)
    known.set(url, path)
  })
  return path =>
    [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
}

/** Path as the router reads it; one that cannot be decoded has no methods. */
const decoded = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Refuses unknown paths (404) and methods that a path does not have (405) before their body is read. */
const registerNotFound = (server: FastifyInstance): void => {
  const methodsOf = collectMethods(server)
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = targetPath(request.url)
    const allow = methodsOf(decoded(path)).toSorted().join(', ')
    const failure = allow
      ? invalid(`Method ${request.method} is not allowed; use ${allow}`, {
          status: 405,
          reason: 'METHOD_NOT_ALLOWED',
          headers: { allow },
        })
      : notFound(`${request.method} ${path}`)
    request.facts?.fail(failure)
    return reply.code(failure.status).headers(failure.headers).type('application/json').send(toRest(failure))
  }
  server.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answer(request, reply)
    else done()
  })
  server.setNotFoundHandler(answer)
}

/** Registers the other checks before the token, behind `headChecks`; call it before routes are registered. */
export function registerPreAuth(server: FastifyInstance, { trustProxy }: Pick<Config, 'trustProxy'>): void {
  registerAnonymousLimits(server, trustProxy)
  registerNotFound(server)
}
