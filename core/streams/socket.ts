/** One WebSocket as the protocol sees it: bounded in what waits to be sent, closed with a code that says why. */
import type { WebSocket as ProtocolSocket } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { Turns } from '../async/turns.ts'
import type { Logger } from '../observability/log.ts'
import { findUtf8 } from '../values/text.ts'

/** RFC 6455 §7.4.1 and the codes of graphql-transport-ws. */
export const CLOSE = {
  goingAway: 1001,
  notUtf8: 1007,
  policy: 1008,
  internal: 1011,
  tryLater: 1013,
  unauthorized: 4401,
  forbidden: 4403,
} as const

/** What may wait in this process for a client that does not read. */
const MAX_BUFFERED = 4 * 1024 * 1024
/** How long a client may take to answer a close before it is cut off. */
const CLOSE_WAIT_MS = 2_000

/** A close reason is at most 123 bytes (RFC 6455 §5.5). */
const short = (reason: string) => (reason.length > 123 ? `${reason.slice(0, 120)}...` : reason)

/** Closes politely; who does not answer is cut off. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return
  socket.close(code, short(reason))
  const timer = setTimeout(() => socket.terminate(), CLOSE_WAIT_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

const endSlowReader = (socket: WebSocket, log: Logger) => {
  log.info({ waiting: socket.bufferedAmount }, 'closing the connection of a slow reader')
  closeSocket(socket, CLOSE.tryLater, 'You read too slowly: connect again and resume after your last cursor')
}

/** Resolves when it was handed to the system; ends a client that lets too much wait. */
export const sendText = (socket: WebSocket, data: string, log: Logger): Promise<void> => {
  if (socket.readyState === socket.OPEN && socket.bufferedAmount > MAX_BUFFERED) endSlowReader(socket, log)
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  return new Promise(sent => socket.send(data, () => sent()))
}

/** Those of all connections of this process: it has one event loop. */
const turns = new Turns()

/**
 * The socket for `graphql-ws`. Messages that came in one burst are handled over several turns of the event loop. Waiting for `send` is what holds a stream back while its client reads slowly.
 */
export const protocolSocket = (socket: WebSocket, log: Logger): ProtocolSocket => ({
  protocol: socket.protocol,
  send: data => sendText(socket, data, log),
  close: (code, reason) => closeSocket(socket, code ?? CLOSE.internal, reason ?? ''),
  onMessage(handle) {
    const handleNow = (text: string) => {
      socket.resume()
      // What the protocol would begin now, nothing would end.
      if (socket.readyState === socket.CLOSED) return
      handle(text).catch(error => {
        log.error({ err: error }, 'a message over WebSocket could not be handled')
        closeSocket(socket, CLOSE.internal, 'Internal server error')
      })
    }
    socket.on('message', (data, isBinary) => {
      // `ws` has checked what came as text.
      const text = isBinary ? findUtf8(data as Buffer) : String(data)
      if (text === undefined) return closeSocket(socket, CLOSE.notUtf8, 'Messages must be encoded in UTF-8')
      // Nothing more is read of a client whose messages wait.
      socket.pause()
      turns.add(socket, () => handleNow(text))
    })
  },
})
