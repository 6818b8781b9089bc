/**
 * Graceful close without a lost request. Closing a server cuts idle connections, and a request may be on its way into
 * one: its client could not know whether it was carried out. So connections end with a response that says so, while new
 * ones are refused and go to another instance.
 */

import type { ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { withTimeout } from '../async/deadline.ts'

/** Time in milliseconds in which an idle connection may still bring a last request. */
const IDLE_MS = 500
const LOOK_MS = 20

/**
 * Has closing a server end connections that never brought a byte, such as the spare ones of browsers. Node.js counts them
 * among the busy ones, so that one of them would hold up the close.
 */
export function endSilentConnections(http: FastifyInstance): void {
  const sockets = new Set<Socket>()
  http.server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  http.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
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
  http.server.prependListener('request', (_, response) => {
    inFlight.add(response)
    response.once('close', () => inFlight.delete(response))
    if (ended) response.shouldKeepAlive = false
  })
  http.addHook('onClose', () => ended?.then(() => clearInterval(looking)))
  return async () => {
    // The HTTP server's own close would cut idle connections.
    ended = new Promise(done => Server.prototype.close.call(http.server, done))
    for (const response of inFlight) response.shouldKeepAlive = false
    await withTimeout<unknown>(ended, IDLE_MS, () => undefined)
    looking = setInterval(() => http.server.closeIdleConnections(), LOOK_MS)
  }
}
