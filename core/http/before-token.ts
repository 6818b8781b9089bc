/** What comes before the token: a request whose first lines cannot be served is answered by them alone. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { invalid, notFound, toRest } from '../errors/catalogue.ts'
import { CORRELATOR, checkCorrelator } from './correlator.ts'
import { registerCors } from './cors.ts'
import { pathOf } from './probes.ts'
import { registerStrangers } from './strangers.ts'
import { noteArrival } from './time-spent.ts'

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host'

/** One `Host`, no less and no more (RFC 9112 §3.2): proxies and servers must not read two of them differently. */
const checkHost = ({ rawHeaders, httpVersion }: IncomingMessage): void => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at]!)) hosts += 1
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    throw invalid('the request must have one Host header')
}

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

const toPattern = (url: string) => {
  const parts = url.split('/').map(part => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
  return new RegExp(`^${parts.join('/')}$`)
}

/** Collects the routes as they are registered. @returns the methods that a path has. */
const collectMethods = (server: FastifyInstance): ((path: string) => string[]) => {
  const known = new Map<string, KnownPath>()
  server.addHook('onRoute', ({ url, method, constraints }) => {
    // A route for some requests alone: for all others its path is not there.
    if (constraints && Object.keys(constraints).length > 0) return
    const path = known.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const one of [method].flat()) path.methods.add(one)
    known.set(url, path)
  })
  return path =>
    [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
}

/** Unknown paths (404) and methods that a path does not have (405), before the body, which nobody would read. */
const registerNotFound = (server: FastifyInstance): void => {
  const methodsOf = collectMethods(server)
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.url)
    const allow = methodsOf(path).toSorted().join(', ')
    const failure = allow
      ? invalid(`${request.method} is not possible here, but ${allow}`, {
          status: 405,
          reason: 'METHOD_NOT_ALLOWED',
          headers: { allow },
        })
      : notFound(`${request.method} ${path}`)
    return reply.code(failure.status).headers(failure.headers).type('application/json').send(toRest(failure))
  }
  server.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answer(request, reply)
    else done()
  })
  server.setNotFoundHandler(answer)
}

/** Looks at all that comes before the token, in this order; call it before routes are registered. */
export function registerBeforeToken(
  server: FastifyInstance,
  { corsOrigins, trustProxy }: Pick<Config, 'corsOrigins' | 'trustProxy'>,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    noteArrival(request)
    reply.header(CORRELATOR, request.id)
    done()
  })
  // Before whatever refuses, so that a page can read why.
  registerCors(server, corsOrigins)
  server.addHook('onRequest', ({ headers, raw }, _, done) => {
    checkCorrelator(headers)
    checkHost(raw)
    done()
  })
  registerStrangers(server, trustProxy)
  registerNotFound(server)
}
