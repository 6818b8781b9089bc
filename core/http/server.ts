/** The HTTP server under all routes: correlator, JSON bodies, and failures in the contract's form. */
import type { IncomingMessage } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  fastify,
  LogController,
  type onRequestHookHandler,
} from 'fastify'
import type { App } from '../context/app.ts'
import { readsOnly } from '../errors/catalogue.ts'
import { parseQuery } from '../values/query.ts'
import { registerBodies } from './bodies.ts'
import { registerCompression } from './encoding.ts'
import { refuseExpectations, refuseOnSocket, sendFailure } from './errors.ts'
import { registerLoadShedding } from './limits.ts'
import { createRequestLog, registerAccessLog } from './observe.ts'
import { registerPreAuth, requestCorrelator } from './pre-auth.ts'

const BODY_LIMIT = 1024 * 1024
/** Time in milliseconds for the rest of a body that is not read, because its request was refused. */
const UNREAD_MS = 1_000
/** Interval in milliseconds at which silent connections are looked for. */
const LOOK_MS = 1_000

/** Any other upgrade is ignored: the request is answered as if it had not asked for one (RFC 9110 §7.8). */
const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Writes responses that are ready in the same turn of the event loop together, at its end. A reader on this machine,
 * mostly a proxy, is then woken once for all of them: to be woken for each costs as much as executing a query.
 * Must be the last of the `onSend` hooks: a response that is still being encoded is not ready.
 */
export function registerCoalescedWrites(server: FastifyInstance): void {
  let turn: Promise<void> | undefined
  const begin = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    setImmediate(() => {
      turn = undefined
      resolve()
    })
    return promise
  }
  server.addHook('onSend', async () => (turn ??= begin()))
}

/** Methods that change nothing (RFC 9110 §9.2.1; RFC 10008 for QUERY). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

/** Paths on which a POST changes nothing: a token is only signed, and mutations are refused one by one. */
const CHANGE_NOTHING = new Set(['/oauth2/accesstoken', '/graphql', '/graphql/stream'])

const refuseUnsafe: onRequestHookHandler = (request, _, done) => {
  if (!SAFE.has(request.method)) throw readsOnly()
  done()
}

/**
 * Refuses every change for `READ_ONLY=1`, even where the database would allow it. The refusal comes after the other
 * checks of a request's head, so that a wrong token is still 401.
 */
function refuseChanges(server: FastifyInstance): void {
  server.addHook('onRoute', route => {
    if (!CHANGE_NOTHING.has(route.url)) route.onRequest = [route.onRequest ?? [], refuseUnsafe].flat()
  })
}

/** Makes a server without routes. */
export function createHttp(app: App): FastifyInstance {
  const { readOnly, requestTimeoutMs, trustProxy } = app.config
  const server = fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    childLoggerFactory: createRequestLog,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlator' }),
    bodyLimit: BODY_LIMIT,
    http: {
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(LOOK_MS, requestTimeoutMs),
      // `pre-auth.ts` checks it, with an answer in the contract's form.
      requireHostHeader: false,
      shouldUpgradeCallback: isWebSocket,
    },
    requestTimeout: requestTimeoutMs + UNREAD_MS,
    trustProxy,
    genReqId: requestCorrelator,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 512, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    frameworkErrors: sendFailure,
    clientErrorHandler: refuseOnSocket,
  })
  for (const name of ['principal', 'cameAt', 'held']) server.decorateRequest(name)
  refuseExpectations(server.server)
  registerAccessLog(server, app.log)
  registerPreAuth(server, app.config)
  // Before the limit of the time to read a response, which then holds for the compressed one.
  registerCompression(server)
  registerBodies(server, requestTimeoutMs)
  registerCoalescedWrites(server)
  registerLoadShedding(server, app.config)
  server.setErrorHandler(sendFailure)
  if (readOnly) refuseChanges(server)
  return server
}
