/**
 * One subscription at a subgraph, by the standard graphql-transport-ws protocol, on a connection of its own: a slow
 * subscriber holds back no other, and ending the connection ends everything that was done for the subscription.
 */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { type Client, type ClientOptions, CloseCode, createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { AsyncQueue, type Stream, streamOf } from '#core/async/stream.ts'
import { fromFormatted, ServiceError } from '#core/errors/catalogue.ts'
import { CLOSE } from '#core/streams/connection.ts'

/** Loss of the connection: it broke, or the subgraph ended it, and another one may do better. */
export class LostError extends Error {}

export interface SocketRequest {
  /** `ws://127.0.0.1:4001/graphql`. */
  readonly url: string
  /** Headers of the request: the token goes into `connection_init`, the rest into the headers of the handshake. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Called when the subgraph has accepted the connection, or has said why it does not. */
  onResponse(): void
  /** Called when no connection could be made. */
  onFailed(): void
  /** Called when the subscription was ended before either. */
  onAbandoned(): void
}

/** The client's own code for a connection that it gave up. */
const TERMINATED = 4499
const HANDSHAKE_MS = 5_000
const PING_MS = 10_000
const PONG_MS = 5_000
const MAX_MESSAGE = 16 * 1024 * 1024
/** The most results that may wait for the subscriber; at one more the connection is not read until all are taken. */
const MAX_WAITING = 63

/** The connection of a subscription, as soon as there is one. */
interface Connection {
  socket?: WebSocket
}

const socketWith = ({ authorization, ...headers }: SocketRequest['headers'], connection: Connection) =>
  class extends WebSocket {
    constructor(address: string, protocols: string) {
      const options = { headers, handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_MESSAGE }
      super(address, protocols, { ...options, perMessageDeflate: false })
      connection.socket = this
    }
  }

/** Cuts a connection whose other end has vanished: its ping gets no pong. */
const watchPongs = (terminate: () => void): ClientOptions['on'] => {
  let timer: NodeJS.Timeout
  return {
    ping(received) {
      if (!received) timer = setTimeout(terminate, PONG_MS).unref()
    },
    pong(received) {
      if (received) clearTimeout(timer)
    },
    closed: () => clearTimeout(timer),
  }
}

/** Close codes that the other end has not sent: the connection broke, or this end gave up waiting. */
const LOCAL_CODES = new Set([1006, CloseCode.ConnectionAcknowledgementTimeout, TERMINATED])

/** Message of ws for an upgrade that was refused with 503: the subgraph lives, and is busy. */
const BUSY = /^Unexpected server response: 503/

const isResponse = (error: unknown): boolean =>
  Array.isArray(error) ||
  (isCloseEvent(error) ? !LOCAL_CODES.has(error.code) : BUSY.test((error as Error).message))

const isCloseEvent = (error: unknown): error is { code: number; reason: string } =>
  typeof error === 'object' && error !== null && 'code' in error && 'reason' in error

/** Reason of the end in the terms of the stream's subscriber. */
const reasonOf = (error: unknown): Error => {
  if (Array.isArray(error)) return fromFormatted((error as [GraphQLFormattedError])[0])
  if (!isCloseEvent(error))
    return new LostError(`The connection failed: ${(error as Error).message}`, { cause: error })
  const isRefusal = error.code === CLOSE.unauthorized || error.code === CLOSE.forbidden
  return isRefusal
    ? new ServiceError('UNAUTHORIZED', error.reason)
    : new LostError(`The connection was closed: ${error.code} ${error.reason}`)
}

const createSocketClient = ({ url, headers, onResponse }: SocketRequest, connection: Connection): Client => {
  const client = createClient({
    url,
    webSocketImpl: socketWith(headers, connection),
    connectionParams: { Authorization: headers['authorization'] },
    connectionAckWaitTimeout: HANDSHAKE_MS,
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      ...watchPongs(() => {
        client.terminate()
        connection.socket?.terminate()
      }),
      connected: onResponse,
    },
  })
  return client
}

/** Reports once how connecting ended; an abandoned connection is cut, since it has no protocol to end it by yet. */
const outcomeOf = ({ onResponse, onFailed, onAbandoned }: SocketRequest, connection: Connection) => {
  let reported = false
  const once = (report: () => void) => () => {
    if (!reported) report()
    reported = true
  }
  const abandon = once(() => {
    connection.socket?.terminate()
    onAbandoned()
  })
  return { onResponse: once(onResponse), onFailed: once(onFailed), abandon }
}

/**
 * Subscribes. Results come as the subgraph sends them; the stream never ends by itself but fails: with GraphQLError or
 * ServiceError UNAUTHORIZED where the subgraph refuses, with LostError where the connection is to blame.
 */
export function subscribeOverSocket(request: SocketRequest): Stream<FormattedExecutionResult> {
  const connection: Connection = {}
  const resume = () => {
    if (connection.socket?.isPaused) connection.socket.resume()
  }
  const results = new AsyncQueue<FormattedExecutionResult>({
    capacity: MAX_WAITING,
    onFull: () => connection.socket?.pause(),
    onEmpty: resume,
  })
  const outcome = outcomeOf(request, connection)
  const { query, variables } = request
  const unsubscribe = createSocketClient({ ...request, ...outcome }, connection).subscribe(
    { query, variables: { ...variables } },
    {
      next: result => results.put(result as FormattedExecutionResult),
      error(error) {
        if (isResponse(error)) outcome.onResponse()
        else outcome.onFailed()
        results.end(reasonOf(error))
      },
      complete: () => results.end(new LostError('The subgraph ended the subscription')),
    },
  )
  const end = () => {
    outcome.abandon()
    results.close()
    // A paused connection could not even be closed.
    resume()
    unsubscribe()
  }
  return streamOf(() => results.next(), end)
}
