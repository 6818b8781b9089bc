/**
 * Connections of streams: limits on open ones, all together (`MAX_STREAMS`) and those whose client is not known yet, and one
 * WebSocket for the protocol. It is bounded in what it takes and in what waits to be sent, and closed with a code and a reason.
 * Messages that come in bursts are handled in turns of the event loop, one connection after the other, however much each of them
 * has sent; everything else goes on between two turns.
 */
import type { WebSocket as ProtocolSocket } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { type BucketRate, type Release, TokenBucket } from '../access/client-usage.ts'
import type { Principal } from '../access/principal.ts'
import { createUseCounter, RoundRobin, type UseCounter } from '../async/limits.ts'
import type { App, Platform } from '../context/app.ts'
import { unavailable } from '../errors/catalogue.ts'
import { findUtf8 } from '../values/text.ts'

/** The longest that work is begun in one turn, in milliseconds; one piece of work that takes longer is not interrupted. */
const TURN_MS = 5
/**
 * Pieces of work that are looked at in one turn: each is a callback of its own, after which its promises go on before
 * the next.
 */
const AT_ONCE = 32

/**
 * Scheduler for work that comes in bursts: as much is begun in one turn as takes a few milliseconds, and the rest in
 * later turns.
 */
export class Turns {
  readonly #waiting = new RoundRobin<object, () => void>()
  readonly #now: () => number
  #steps = 0
  #began = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Begins work in its owner's turn; the work of one owner begins in the sequence in which it came. */
  add(owner: object, work: () => void): void {
    this.#waiting.add(owner, work)
    if (this.#steps === 0) this.#schedule(1)
  }

  #schedule(steps: number): void {
    this.#steps = steps
    this.#began = Number.NaN
    for (let step = 0; step < steps; step += 1) setImmediate(() => this.#step())
  }

  /** Runs one step; all steps that were scheduled together run in one turn. */
  #step(): void {
    const now = this.#now()
    if (Number.isNaN(this.#began)) this.#began = now
    try {
      if (now - this.#began < TURN_MS) this.#waiting.take()?.()
    } finally {
      // Only now: work that adds more must not schedule steps beside these.
      this.#steps -= 1
      if (this.#steps === 0 && !this.#waiting.isEmpty) this.#schedule(AT_ONCE)
    }
  }
}

export interface ConnectionLimit {
  /** How many connections are open. */
  readonly count: number
  full(): boolean
  /** Counts one more; the result takes it back. */
  enter(): Release
}

/** Counts WebSocket connections and event streams together, up to `max`. */
export function createConnectionLimit(max: number): ConnectionLimit {
  const open = createUseCounter()
  return {
    get count() {
      return open.count
    },
    full: () => open.count >= max,
    enter: open.enter,
  }
}

/**
 * Counts a stream for the process and for its client, until the result is called.
 * @throws ServiceError SERVICE_UNAVAILABLE when the process or the client has too many.
 */
export function enterStream(
  { usage, metrics }: Pick<App, 'usage' | 'metrics'>,
  streams: ConnectionLimit,
  principal: Principal,
): Release {
  if (streams.full()) {
    metrics.clients.throttled('process_streams')
    throw unavailable('Too many streams are open; try again shortly')
  }
  const leaveClient = usage.enterStream(principal)
  const leaveAll = streams.enter()
  return () => {
    leaveClient()
    leaveAll()
  }
}

export interface PendingLimits {
  /** The most pending connections of one network (`networkOf`). */
  readonly perNetwork: number
  readonly total: number
}

/**
 * A connection is pending for three seconds at the most, and for a moment when its client is in earnest. So a thousand
 * clients that return at once behind one address still get in, after another try.
 */
export const PENDING: PendingLimits = { perNetwork: 500, total: 2_000 }

export interface PendingConnections {
  /** Counts one more until the result is called; undefined where there are too many. */
  enter(network: string): Release | undefined
}

/** Counts connections whose client has not sent its token yet: apart, so that they take no slot from known clients. */
export function createPendingConnections({ perNetwork, total }: PendingLimits): PendingConnections {
  const all = createUseCounter()
  const ofNetwork = new Map<string, UseCounter>()
  /** A network without connections is forgotten. */
  const enterNetwork = (network: string): Release => {
    const uses = ofNetwork.get(network) ?? createUseCounter()
    ofNetwork.set(network, uses)
    const leave = uses.enter()
    return () => {
      leave()
      if (uses.count === 0 && ofNetwork.get(network) === uses) ofNetwork.delete(network)
    }
  }
  return {
    enter(network) {
      if (all.count >= total || (ofNetwork.get(network)?.count ?? 0) >= perNetwork) return undefined
      const leaveAll = all.enter()
      const leaveNetwork = enterNetwork(network)
      return () => {
        leaveNetwork()
        leaveAll()
      }
    },
  }
}

/** Close codes: those of RFC 6455 §7.4.1 and of graphql-transport-ws. */
export const CLOSE = {
  goingAway: 1001,
  notUtf8: 1007,
  policy: 1008,
  internal: 1011,
  tryLater: 1013,
  badRequest: 4400,
  unauthorized: 4401,
  forbidden: 4403,
} as const

/** The bytes that may wait in this process for a client that does not read. */
const MAX_BUFFERED = 4 * 1024 * 1024
/** The time that a client may take to answer a close before it is cut off. */
const CLOSE_WAIT_MS = 2_000
/** Messages and pings of one client: a portal's page begins some dozens of operations at once, a gateway's connection one. */
const MESSAGE_RATE: BucketRate = { perSecond: 200, capacity: 2_000 }
/** The bytes of pongs that may wait for a client that sends, and does not read. */
const MAX_WAITING_PONGS = 64 * 1024

/** Closes with a code and a reason; a client that does not answer is cut off. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return
  // A reason is at most 123 bytes (RFC 6455 §5.5).
  socket.close(code, reason.length > 123 ? `${reason.slice(0, 120)}...` : reason)
  const timer = setTimeout(() => socket.terminate(), CLOSE_WAIT_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Log and metrics of the process of a socket. */
type SocketObservers = Pick<Platform, 'log' | 'metrics'>

const endSlowReader = (socket: WebSocket, { log, metrics }: SocketObservers) => {
  metrics.clients.slowReaders.inc()
  log.info({ waiting: socket.bufferedAmount }, 'closing the connection of a slow reader')
  closeSocket(socket, CLOSE.tryLater, 'You read too slowly: connect again and resume after your last cursor')
}

/** Closes the socket of a client that sends too many messages or pings; those before the limit count. */
export function limitMessages(socket: WebSocket): void {
  const bucket = new TokenBucket(MESSAGE_RATE, performance.now())
  const take = () => {
    if (bucket.take(1, MESSAGE_RATE, performance.now()) === 0) return true
    // Nothing more is read: it would otherwise be handled until the client has noticed the close.
    socket.removeAllListeners('message')
    closeSocket(socket, CLOSE.policy, `More than ${MESSAGE_RATE.perSecond} messages a second`)
    return false
  }
  socket.on('message', take)
  socket.on('ping', data => {
    const isOpen = socket.readyState === socket.OPEN
    if (isOpen && take() && socket.bufferedAmount <= MAX_WAITING_PONGS) socket.pong(data)
  })
}

/** Sends a text; resolves when the system has it. Ends a client for which too much waits. */
export const sendText = (socket: WebSocket, data: string, observers: SocketObservers): Promise<void> => {
  if (socket.readyState === socket.OPEN && socket.bufferedAmount > MAX_BUFFERED)
    endSlowReader(socket, observers)
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  return new Promise(sent => socket.send(data, () => sent()))
}

/** The turns of all connections of this process, since it has one event loop. */
const turns = new Turns()

/**
 * The socket for `graphql-ws`. Messages that came in one burst are handled over several turns of the event loop. A
 * stream waits for `send`, and so is held back while its client reads slowly.
 */
export const protocolSocket = (socket: WebSocket, observers: SocketObservers): ProtocolSocket => ({
  protocol: socket.protocol,
  send: data => sendText(socket, data, observers),
  close: (code, reason) => closeSocket(socket, code ?? CLOSE.internal, reason ?? ''),
  onMessage(handle) {
    const handleNow = (text: string) => {
      socket.resume()
      // Nothing would end an operation that the protocol began now.
      if (socket.readyState === socket.CLOSED) return
      handle(text).catch(error => {
        observers.log.error({ err: error }, 'a message over WebSocket could not be handled')
        closeSocket(socket, CLOSE.internal, 'Internal server error')
      })
    }
    socket.on('message', (data, isBinary) => {
      // `ws` has checked texts.
      const text = isBinary ? findUtf8(data as Buffer) : String(data)
      if (text === undefined) return closeSocket(socket, CLOSE.notUtf8, 'Messages must be encoded in UTF-8')
      // Nothing more is read of a client whose messages wait.
      socket.pause()
      turns.add(socket, () => handleNow(text))
    })
  },
})
