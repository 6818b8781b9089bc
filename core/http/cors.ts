/**
 * CORS (Fetch standard §3.2): which pages of other origins may call, and what of a response they may read. There are no
 * cookies, so credentials are never allowed: whoever calls brings its token itself.
 *
 * Own hook: @fastify/cors adds its own when the server boots, behind those that refuse, whose refusals no page could
 * read then; and it answers through a route for all paths, by which every path would exist for OPTIONS.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CorsOrigins } from '../config/cors-origins.ts'
import { isProbe } from './probes.ts'

/** What a page may read beside the headers that it always may (Fetch standard, "CORS-safelisted response-header name"). */
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
].join(', ')

/** In seconds: as long as Chromium keeps what a preflight said. */
const MAX_AGE = '7200'

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

/** Headers are let through whatever their names: they carry nothing that a page does not have. */
const answerPreflight = ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
      'access-control-max-age': MAX_AGE,
    })
    .send()

/**
 * Lets pages of these origins call, and answers their preflights before anything else is looked at. Health and metrics
 * are left out: they are guarded by the place that asks, which a browser would lend to any page.
 */
export function registerCors(server: FastifyInstance, origins: CorsOrigins): void {
  if (origins.none) return
  server.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (isProbe(request.url)) return done()
    if (!origins.all) reply.header('vary', 'Origin')
    if (origin === undefined || !origins.allows(origin)) return done()
    reply.header('access-control-allow-origin', origins.all ? '*' : origin)
    reply.header('access-control-expose-headers', EXPOSED)
    if (isPreflight(request)) answerPreflight(request, reply)
    else done()
  })
}
