/**
 * The HTTP server under all routes: correlator, JSON bodies, failures in the contract's form, and a close that answers
 * before it ends connections.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  LogController,
  type onRequestHookHandler,
} from 'fastify'
import { withTimeout } from '../async/deadline.ts'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/sections.ts'
import type { KeyPair } from '../config/tls.ts'
import type { App } from '../context/app.ts'
import { readsOnly } from '../errors/catalogue.ts'
import { parseQuery } from '../values/text.ts'
import { registerBodies } from './bodies.ts'
import { followConnections } from './connections.ts'
import { openDirectWay } from './direct-way.ts'
import { refuseExpectations, refuseOnSocket, sendFailure } from './errors.ts'
import type { HeadStep } from './exchange.ts'
import { registerLoadShedding } from './limits.ts'
import { createRequestLog, recordArrival, registerFacts } from './observe.ts'
import { headChecks, registerPreAuth, requestCorrelator } from './pre-auth.ts'
import { registerCompression } from './responses.ts'
import { createSecureServer, http2Of, type SecureServerOptions } from './secure-server.ts'

const BODY_LIMIT = 1024 * 1024
/** Time in milliseconds for the rest of a body that is not read, because its request was refused. */
const UNREAD_MS = 1_000
/** Interval in milliseconds at which silent connections are looked for. */
const LOOK_MS = 1_000

type Limit = 'requestTimeout' | 'keepAliveTimeout'

/** Any other upgrade is ignored: the request is answered as if it had not asked for one (RFC 9110 §7.8). */
const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Writes responses that are ready in the same turn of the event loop together, at its end. A reader on this machine,
 * mostly a proxy, is then woken once for all of them: to be woken for each costs as much as executing a query.
 * Must be the last of the `onSend` hooks: a response that is still being encoded is not ready.
 * @returns a function that waits for the end of the turn.
 */
export function registerCoalescedWrites(server: FastifyInstance): () => Promise<void> {
  let turn: Promise<void> | undefined
  const begin = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    setImmediate(() => {
      turn = undefined
      resolve()
    })
    return promise
  }
  const endOfTurn = () => (turn ??= begin())
  server.addHook('onSend', async () => endOfTurn())
  return endOfTurn
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

/** A year: the time in which a browser comes back by TLS alone (RFC 6797 §6.1). */
const STRICT_TRANSPORT = 'max-age=31536000'

/**
 * Sends the headers that keep browsers from guessing types and from coming back without TLS. The latter goes to clients
 * that came by TLS, also where a trusted proxy ended it. It holds for every port of a host, so that this machine's own names
 * never get it.
 */
const sendSecurityHeaders: HeadStep = (request, reply) => {
  reply.header('x-content-type-options', 'nosniff')
  if (request.protocol === 'https' && !isLoopback(request.hostname))
    reply.header('strict-transport-security', STRICT_TRANSPORT)
  return false
}

/**
 * Tells a client that asks by `x-pipelining` the port that we see at its end of the connection. Where that is its own, it speaks
 * with this server itself, which serves the requests of a connection side by side (`topology/upstream/plain-connection.ts`).
 */
const tellPort: HeadStep = ({ raw }, reply) => {
  if (raw.headers['x-pipelining'] !== undefined) reply.header('x-pipelining', String(raw.socket.remotePort))
  return false
}

/** Makes one step of several, which come one after another until one has answered. */
const inOrder =
  (steps: readonly HeadStep[]): HeadStep =>
  (request, reply) =>
    steps.some(step => step(request, reply))

/** Has Fastify use a server with TLS: `https` is for the addresses that it reports. */
const secureOptions = (pair: KeyPair, { clientCertificates }: Config, http: SecureServerOptions['http']) => ({
  https: {},
  serverFactory: (
    handler: RequestListener,
    { requestTimeout = 0, keepAliveTimeout = 0 }: Pick<FastifyServerOptions, Limit>,
  ) => {
    const asksCertificate = clientCertificates === 'tls'
    return createSecureServer(pair, { http, asksCertificate, requestTimeout, keepAliveTimeout }, handler)
  },
})

/**
 * Makes a server without routes.
 * @param pair the certificate to serve; plain HTTP without one.
 */
export function createHttp(app: App, pair?: KeyPair): FastifyInstance {
  const { readOnly, requestTimeoutMs, trustProxy } = app.config
  const http = {
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(LOOK_MS, requestTimeoutMs),
    // `pre-auth.ts` checks it, with an answer in the contract's form.
    requireHostHeader: false,
    shouldUpgradeCallback: isWebSocket,
  }
  const server = fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    childLoggerFactory: createRequestLog,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlator' }),
    bodyLimit: BODY_LIMIT,
    ...(pair ? secureOptions(pair, app.config, http) : { http }),
    requestTimeout: requestTimeoutMs + UNREAD_MS,
    trustProxy,
    genReqId: requestCorrelator,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 512, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    frameworkErrors: sendFailure,
    clientErrorHandler: refuseOnSocket,
  })
  for (const name of ['principal', 'cameAt', 'held', 'facts', 'stored']) server.decorateRequest(name)
  refuseExpectations(server.server)
  const passHead = inOrder([
    recordArrival(app.requests),
    sendSecurityHeaders,
    tellPort,
    ...headChecks(app.config),
  ])
  server.addHook('onRequest', (request, reply, done) => void (passHead(request, reply) || done()))
  registerFacts(server)
  registerPreAuth(server, app.config)
  // Before the limit of the time to read a response, which then holds for the compressed one.
  registerCompression(server)
  registerBodies(server, requestTimeoutMs, app.metrics)
  const endOfTurn = registerCoalescedWrites(server)
  const admitToWork = registerLoadShedding(server, app.config, app.metrics)
  server.setErrorHandler(sendFailure)
  if (readOnly) refuseChanges(server)
  openDirectWay(server, { log: app.log as FastifyBaseLogger, trustProxy, passHead, admitToWork, endOfTurn })
  return server
}

/** Time in milliseconds in which an idle connection may still bring a last request. */
const IDLE_MS = 500
/** Interval in milliseconds at which a closing server looks for idle connections. */
const IDLE_LOOK_MS = 20

/**
 * Has closing a server end sessions of HTTP/2, and connections that never brought a byte, such as the spare ones of
 * browsers. Node.js counts the latter among the busy ones, so that one of them would hold up the close.
 */
export function endSilentConnections(http: FastifyInstance): void {
  const sockets = new Set<Socket>()
  const agreeing = new Set<Socket>()
  const keep = (kept: Set<Socket>, socket: Socket) => {
    kept.add(socket)
    socket.once('close', () => kept.delete(socket))
  }
  const isSecure = http2Of(http.server) !== undefined
  followConnections(http.server, {
    opened: socket => keep(isSecure ? agreeing : sockets, socket),
    secured(secure, below) {
      agreeing.delete(below)
      // A session of HTTP/2 ends by itself.
      if (secure.alpnProtocol !== 'h2') keep(sockets, secure)
    },
  })
  http.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    for (const socket of agreeing) socket.destroy()
    http2Of(http.server)?.end()
  })
}

/**
 * Prepares a server, before it listens.
 * @returns a function that refuses new connections and resolves when idle ones had their time; closing the server then
 * waits for all requests in flight.
 */
export function prepareGracefulClose(http: FastifyInstance): () => Promise<void> {
  let ended: Promise<unknown> | undefined
  let looking: NodeJS.Timeout | undefined
  const inFlight = new Set<ServerResponse>()
  /** Last response of each connection, as far as is known: those before it would take the connection along. */
  const last = new WeakMap<Socket, ServerResponse>()
  const endBehind = (response: ServerResponse) => {
    const before = last.get(response.req.socket)
    if (before) before.shouldKeepAlive = true
    response.shouldKeepAlive = false
    last.set(response.req.socket, response)
  }
  http.server.prependListener('request', (_, response) => {
    inFlight.add(response)
    response.once('close', () => inFlight.delete(response))
    if (ended) endBehind(response)
  })
  http.addHook('onClose', () => ended?.then(() => clearInterval(looking)))
  return async () => {
    // The HTTP server's own close would cut idle connections.
    ended = new Promise(done => Server.prototype.close.call(http.server, done))
    for (const response of inFlight) endBehind(response)
    http2Of(http.server)?.announceEnd()
    await withTimeout<unknown>(ended, IDLE_MS, () => undefined)
    http2Of(http.server)?.end()
    looking = setInterval(() => http.server.closeIdleConnections(), IDLE_LOOK_MS)
  }
}
