/** Not found: unknown paths (404) and methods that a path does not have (405), in the contract's envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid, notFound, toRest } from '../errors/catalogue.ts'
import { pathOf } from './probes.ts'

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

const toPattern = (url: string) => {
  const parts = url.split('/').map(part => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
  return new RegExp(`^${parts.join('/')}$`)
}

/** Collects the routes as they are registered; call before them. */
export function registerNotFound(server: FastifyInstance): void {
  const known = new Map<string, KnownPath>()
  server.addHook('onRoute', ({ url, method, constraints }) => {
    // A route for some requests alone: for all others its path is not there.
    if (constraints && Object.keys(constraints).length > 0) return
    const path = known.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const one of [method].flat()) path.methods.add(one)
    known.set(url, path)
  })
  const methodsOf = (path: string) =>
    [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])

  const response = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.url)
    const allow = methodsOf(path).join(', ')
    const failure = allow
      ? invalid(`${request.method} is not possible here, but ${allow}`, {
          status: 405,
          reason: 'METHOD_NOT_ALLOWED',
          headers: { allow },
        })
      : notFound(`${request.method} ${path}`)
    return reply.code(failure.status).headers(failure.headers).type('application/json').send(toRest(failure))
  }
  // Before the body, which nobody would read.
  server.addHook('onRequest', async (request, reply) =>
    request.is404 ? response(request, reply) : undefined,
  )
  server.setNotFoundHandler(response)
}
