/** WebSocket connections at `/graphql`: taken over from the HTTP server, kept alive, closed when it stops. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { handleProtocols } from 'graphql-ws'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { Release } from '../access/client-usage.ts'
import { correlatorOf } from '../http/pre-auth.ts'
import { type ConnectionLimit, enterStream } from './connection-limit.ts'
import { createProtocol, type ProtocolParts } from './graphql-ws-protocol.ts'
import { limitMessages } from './message-rate.ts'
import { mayConnect } from './origin.ts'
import { createPendingConnections, PENDING, type PendingLimits } from './pending-connections.ts'
import { networkOf, remoteAddress } from './remote-address.ts'
import { CLOSE, closeSocket, protocolSocket } from './socket.ts'

const MAX_MESSAGE = 1024 * 1024
const PING_MS = 15_000
const OPTIONS: ServerOptions = {
  noServer: true,
  maxPayload: MAX_MESSAGE,
  handleProtocols,
  autoPong: false,
  // Messages and pings of one segment are told of in turns of the event loop, one in each.
  allowSynchronousEvents: false,
}
const BUSY = '503 Service Unavailable'

const refuse = (socket: Duplex, status: string) =>
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)

/** Who has not answered one ping before the next is gone. */
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

export interface WebSocketParts extends ProtocolParts {
  readonly streams: ConnectionLimit
  /** How many connections may be open whose client is not known yet; `PENDING` unless given. */
  readonly pending?: PendingLimits
}

/** Hands a connection to the protocol; `known` is called once it is known whose it is. */
const opener = (parts: WebSocketParts) => {
  const { app, streams } = parts
  const protocol = createProtocol(parts)
  return (socket: WebSocket, request: IncomingMessage, known: Release): void => {
    limitMessages(socket)
    const closed = protocol.opened(protocolSocket(socket, app.log), {
      socket,
      enter(principal) {
        known()
        return enterStream(app, streams, principal)
      },
      correlator: correlatorOf(request),
      active: new Set(),
    })
    socket.on('error', error => app.log.debug({ err: error }, 'a WebSocket failed'))
    socket.once('close', (code, reason) => {
      closed(code, String(reason)).catch(error => app.log.error({ err: error }, 'closing a WebSocket failed'))
    })
  }
}

/** Lets in who may connect, or says by which status it is refused. */
const admitter = ({ app, streams, pending: limits = PENDING }: WebSocketParts) => {
  const pending = createPendingConnections(limits)
  return (request: IncomingMessage, stopping: boolean): Release | string => {
    if (request.url?.split('?', 1)[0] !== '/graphql') return '404 Not Found'
    if (!mayConnect(request, app.config)) return '403 Forbidden'
    if (stopping || streams.full()) return BUSY
    return pending.enter(networkOf(remoteAddress(request, app.config.trustProxy))) ?? BUSY
  }
}

/**
 * Serves graphql-transport-ws on the HTTP server's own port.
 * @returns a function that closes every connection and takes no more.
 */
export function registerWebSocket(http: FastifyInstance, parts: WebSocketParts): () => Promise<void> {
  const open = opener(parts)
  const admit = admitter(parts)
  const server = new WebSocketServer(OPTIONS)
  const pings = startPings(server)
  let stopping = false
  http.server.on('upgrade', (request, socket, head) => {
    const known = admit(request, stopping)
    if (typeof known === 'string') return refuse(socket, known)
    socket.once('close', known)
    server.handleUpgrade(request, socket, head, taken => {
      server.emit('connection', taken, request)
      open(taken, request, known)
    })
  })
  return async () => {
    stopping = true
    clearInterval(pings)
    await closeAll(server)
  }
}
