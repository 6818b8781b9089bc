/**
 * Graceful close: no request is lost. Closing a server cuts idle connections, into which a request may just be on its
 * way: whoever sent it cannot know whether it was done. So connections end with a response that says so, while new ones
 * are refused and go to another instance.
 */
import type { ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long an idle connection may still bring a last request, in milliseconds. */
const IDLE_MS = 500
const LOOK_MS = 20

/** Answers under way end their connections. */
const closeAfterResponse = (responses: Iterable<ServerResponse>) => {
  for (const response of responses) response.shouldKeepAlive = false
}

/** Notes the responses that are under way; from when `isLeaving`, each is the last of its connection. */
const trackResponses = (
  { server }: FastifyInstance,
  isLeaving: () => boolean,
): ReadonlySet<ServerResponse> => {
  const responses = new Set<ServerResponse>()
  server.prependListener('request', (_, response) => {
    responses.add(response)
    response.once('close', () => responses.delete(response))
    if (isLeaving()) closeAfterResponse([response])
  })
  return responses
}

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
 * waits for all that is under way.
 */
export function prepareGracefulClose(http: FastifyInstance): () => Promise<void> {
  let ended: Promise<unknown> | undefined
  let looking: NodeJS.Timeout | undefined
  const responses = trackResponses(http, () => ended !== undefined)
  http.addHook('onClose', () => ended?.then(() => clearInterval(looking)))
  return async () => {
    // Not the HTTP server's own close, which cuts idle connections.
    ended = new Promise(done => Server.prototype.close.call(http.server, done))
    closeAfterResponse(responses)
    await Promise.race([ended, delay(IDLE_MS)])
    looking = setInterval(() => http.server.closeIdleConnections(), LOOK_MS)
  }
}
