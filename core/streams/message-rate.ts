/** How much one client may say over one WebSocket: messages and pings of the protocol below, which are answered too. */
import type { WebSocket } from 'ws'
import { type BucketRate, TokenBucket } from '../access/token-bucket.ts'
import { CLOSE, closeSocket } from './socket.ts'

/** A portal's page begins some dozens of operations at once; a gateway's connection has one. */
const RATE: BucketRate = { perSecond: 200, capacity: 2_000 }
/** Answers to pings that may wait for a client that sends, and does not read. */
const MAX_WAITING = 64 * 1024

/** Closes the socket of a client that says too much; what it said before counts. */
export function limitMessages(socket: WebSocket): void {
  const bucket = new TokenBucket(RATE, performance.now())
  const take = () => {
    if (bucket.take(1, RATE, performance.now()) === 0) return true
    // Nothing more of it is read: what it sends would otherwise be handled until it has taken notice.
    socket.removeAllListeners('message')
    closeSocket(socket, CLOSE.policy, `More than ${RATE.perSecond} messages a second`)
    return false
  }
  socket.on('message', take)
  socket.on('ping', data => {
    if (socket.readyState === socket.OPEN && take() && socket.bufferedAmount <= MAX_WAITING) socket.pong(data)
  })
}
