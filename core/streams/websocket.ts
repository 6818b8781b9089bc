/** WebSocket connections at `/graphql`: taken over from the HTTP server, kept alive, closed when the server stops. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { handleProtocols } from 'graphql-ws'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { Release } from '../access/client-usage.ts'
import type { Config } from '../config/config.ts'
import { asServiceError, invalid, ServiceError, unavailable } from '../errors/catalogue.ts'
import { refusalText } from '../http/errors.ts'
import { remoteAddress } from '../http/exchange.ts'
import { CORRELATOR, checkCorrelator, requestCorrelator } from '../http/pre-auth.ts'
import { networkOf } from '../values/network.ts'
import {
  CLOSE,
  type ConnectionLimit,
  closeSocket,
  createPendingConnections,
  enterStream,
  limitMessages,
  PENDING,
  type PendingLimits,
  protocolSocket,
} from './connection.ts'
import { createProtocol, type ProtocolOptions } from './graphql-ws-protocol.ts'

const MAX_MESSAGE = 1024 * 1024
const PING_MS = 15_000
const OPTIONS: ServerOptions = {
  noServer: true,
  maxPayload: MAX_MESSAGE,
  handleProtocols,
  autoPong: false,
  // Messages and pings of one segment are emitted in turns of the event loop, one in each.
  allowSynchronousEvents: false,
}
const busy = () => unavailable('As many connections are open as are served; try again shortly')

/** Refuses an upgrade. Node.js has taken its own listeners off the socket: a client that resets it would end the process. */
const refuse = (socket: Duplex, request: IncomingMessage, error: ServiceError) => {
  socket.on('error', () => undefined)
  // A client that keeps its half open would keep the socket.
  socket.once('finish', () => socket.destroy())
  socket.end(refusalText(error, requestCorrelator(request)))
}

/** Refuses a handshake that is none, which `ws` would answer without envelope and correlator. */
const refuseHandshake = ({ message }: Error, socket: Duplex, request: IncomingMessage) =>
  refuse(
    socket,
    request,
    request.method === 'GET'
      ? invalid(message, { headers: { 'sec-websocket-version': '13, 8' } })
      : invalid('WebSockets are opened by GET', {
          status: 405,
          reason: 'METHOD_NOT_ALLOWED',
          headers: { allow: 'GET' },
        }),
  )

/** The host as the browser sees it: the proxy's where proxies are trusted. */
const hostOf = ({ headers, socket }: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>) => {
  const forwarded = headers['x-forwarded-host']
  const isTrusted = trustProxy !== false && trustProxy(socket.remoteAddress ?? '', 0)
  return isTrusted && typeof forwarded === 'string' ? forwarded : headers.host
}

/** Compares hosts under the page's own scheme, since a proxy may have ended TLS. */
const isSame = (origin: string, host: string | undefined): boolean => {
  const page = URL.parse(origin)
  return page !== null && host !== undefined && URL.parse(`${page.protocol}//${host}`)?.origin === origin
}

/**
 * Whether a browser's page may open a WebSocket, which CORS does not cover (RFC 6455 §10.2): one of this server, or of
 * `CORS_ORIGINS`. Clients other than browsers name no origin.
 */
export const mayConnect = (
  request: IncomingMessage,
  config: Pick<Config, 'corsOrigins' | 'trustProxy'>,
): boolean => {
  const { origin } = request.headers
  return origin === undefined || config.corsOrigins.allows(origin) || isSame(origin, hostOf(request, config))
}

/** Cuts off clients that have not answered one ping before the next. */
const startPings = (server: WebSocketServer): NodeJS.Timeout => {
  const silent = new WeakSet<WebSocket>()
  server.on('connection', socket => socket.on('pong', () => silent.delete(socket)))
  return setInterval(() => {
    for (const socket of server.clients) {
      if (silent.has(socket)) socket.terminate()
      silent.add(socket)
      if (socket.readyState === socket.OPEN) socket.ping()
    }
  }, PING_MS).unref()
}

const closeAll = async (server: WebSocketServer) => {
  const closed = [...server.clients].map(socket => new Promise(done => socket.once('close', done)))
  for (const socket of server.clients) {
    closeSocket(socket, CLOSE.goingAway, 'The server stops: connect again and resume after your last cursor')
  }
  await Promise.all(closed)
}

export interface WebSocketOptions extends ProtocolOptions {
  readonly streams: ConnectionLimit
  /** The limits on connections without a known client; `PENDING` unless given. */
  readonly pending?: PendingLimits
}

/** Hands a connection to the protocol; `leavePending` is called as soon as its client is known. */
const opener = (options: WebSocketOptions) => {
  const { app, streams } = options
  const protocol = createProtocol(options)
  return (socket: WebSocket, request: IncomingMessage, leavePending: Release): void => {
    limitMessages(socket)
    const closed = protocol.opened(protocolSocket(socket, app), {
      socket,
      enter(principal) {
        leavePending()
        return enterStream(app, streams, principal)
      },
      correlator: requestCorrelator(request),
      address: remoteAddress(request, app.config.trustProxy),
      headers: request.headers,
      active: new Map(),
      subscriptions: new Set(),
    })
    socket.on('error', error => app.log.debug({ err: error }, 'a WebSocket failed'))
    socket.once('close', (code, reason) => {
      closed(code, String(reason)).catch(error => app.log.error({ err: error }, 'closing a WebSocket failed'))
    })
  }
}

/** Makes the function that admits a connection as a pending one. It throws a ServiceError for one that is refused. */
const admitter = ({ app, streams, pending: limits = PENDING }: WebSocketOptions) => {
  const pending = createPendingConnections(limits)
  return (request: IncomingMessage, stopping: boolean): Release => {
    checkCorrelator(request.headers)
    if (request.url?.split('?', 1)[0] !== '/graphql')
      throw new ServiceError('NOT_FOUND', 'WebSockets are opened at /graphql alone')
    if (!mayConnect(request, app.config))
      throw new ServiceError('PERMISSION_DENIED', 'Pages of this origin may not open a WebSocket here')
    if (streams.full()) app.metrics.clients.throttled('process_streams')
    const release =
      stopping || streams.full()
        ? undefined
        : pending.enter(networkOf(remoteAddress(request, app.config.trustProxy)))
    if (!release) throw busy()
    return release
  }
}

/**
 * Serves graphql-transport-ws on the HTTP server's own port.
 * @returns a function that closes every connection and takes no more.
 */
export function registerWebSocket(http: FastifyInstance, options: WebSocketOptions): () => Promise<void> {
  const open = opener(options)
  const admit = admitter(options)
  const server = new WebSocketServer(OPTIONS)
  server.on('wsClientError', refuseHandshake)
  server.on(
    'headers',
    (headers, request) => void headers.push(`${CORRELATOR}: ${requestCorrelator(request)}`),
  )
  const pings = startPings(server)
  let stopping = false
  http.server.on('upgrade', (request, socket, head) => {
    let admitted: Release
    try {
      admitted = admit(request, stopping)
    } catch (error) {
      return refuse(socket, request, asServiceError(error))
    }
    // The same in the response of the handshake, in the log and in every operation.
    request.headers[CORRELATOR] = requestCorrelator(request)
    socket.once('close', admitted)
    server.handleUpgrade(request, socket, head, taken => {
      server.emit('connection', taken, request)
      open(taken, request, admitted)
    })
  })
  return async () => {
    stopping = true
    clearInterval(pings)
    await closeAll(server)
  }
}
