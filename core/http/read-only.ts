/** A server with `READ_ONLY=1` refuses every change itself, whatever its database would allow. */
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { readsOnly } from '../errors/catalogue.ts'

/** Methods that change nothing (RFC 9110 §9.2.1; RFC 10008 for QUERY). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

/** Paths that are posted to and change nothing by that: a token is only signed, and mutations are refused one by one. */
const CHANGE_NOTHING = new Set(['/oauth2/accesstoken', '/graphql', '/graphql/stream'])

const refuse: onRequestHookHandler = (request, _, done) => {
  if (!SAFE.has(request.method)) throw readsOnly()
  done()
}

/** Puts the refusal behind whatever else looks at the head of a request, so that a token that is wrong is still 401. */
export function refuseChanges(server: FastifyInstance): void {
  server.addHook('onRoute', route => {
    if (!CHANGE_NOTHING.has(route.url)) route.onRequest = [route.onRequest ?? [], refuse].flat()
  })
}
