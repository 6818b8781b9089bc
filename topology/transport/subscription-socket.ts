/**
 * One subscription at a subgraph, by the standard graphql-transport-ws protocol, on a connection of its own: so a
 * slow taker holds back nobody else, and ending it ends everything that was done for it.
 */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { type Client, type ClientOptions, CloseCode, createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { type Stream, streamOf } from '#core/async/stream.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { fromFormatted } from '#core/errors/graphql-errors.ts'
import { CLOSE } from '#core/streams/socket.ts'
import { Inbox } from './inbox.ts'

/** The connection broke, or the subgraph ended it: another one may do better. */
export class LostError extends Error {}

export interface SocketRequest {
  /** `ws://127.0.0.1:4001/graphql`. */
  readonly url: string
  /** What goes along: the token in `connection_init`, the rest as headers of the handshake. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Called when the subgraph has accepted the connection, or has said why it does not. */
  onAnswered(): void
  /** Called when there was no connection to be had. */
  onFailed(): void
  /** Called when nobody wanted it any more before either could be said. */
  onAbandoned(): void
}

/** The client's own code for a connection that it gave up. */
const TERMINATED = 4499
const HANDSHAKE_MS = 5_000
const PING_MS = 10_000
const PONG_MS = 5_000
const MAX_MESSAGE = 16 * 1024 * 1024

const socketWith = ({ authorization, ...headers }: SocketRequest['headers'], inbox: Inbox) =>
  class extends WebSocket {
    constructor(address: string, protocols: string) {
      const options = { headers, handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_MESSAGE }
      super(address, protocols, { ...options, perMessageDeflate: false })
      inbox.socket = this
    }
  }

/** A connection whose other end has vanished without a word is cut when a ping is not answered. */
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

/** Close codes that no other end has sent: the connection broke, or this end gave up waiting. */
const UNSAID = new Set([1006, CloseCode.ConnectionAcknowledgementTimeout, TERMINATED])

/** The words of ws for an upgrade that was answered with 503: busy, but there. */
const BUSY = /^Unexpected server response: 503/

const isAnswer = (error: unknown): boolean =>
  Array.isArray(error) ||
  (isCloseEvent(error) ? !UNSAID.has(error.code) : BUSY.test((error as Error).message))

const isCloseEvent = (error: unknown): error is { code: number; reason: string } =>
  typeof error === 'object' && error !== null && 'code' in error && 'reason' in error

/** Why there is no more to come, as the stream's taker understands it. */
const reasonOf = (error: unknown): Error => {
  if (Array.isArray(error)) return fromFormatted((error as [GraphQLFormattedError])[0])
  if (!isCloseEvent(error))
    return new LostError(`The connection failed: ${(error as Error).message}`, { cause: error })
  const isRefusal = error.code === CLOSE.unauthorized || error.code === CLOSE.forbidden
  return isRefusal
    ? new ServiceError('UNAUTHORIZED', error.reason)
    : new LostError(`The connection was closed: ${error.code} ${error.reason}`)
}

const createSocketClient = ({ url, headers, onAnswered }: SocketRequest, inbox: Inbox): Client => {
  const client = createClient({
    url,
    webSocketImpl: socketWith(headers, inbox),
    connectionParams: { Authorization: headers['authorization'] },
    connectionAckWaitTimeout: HANDSHAKE_MS,
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      ...watchPongs(() => {
        client.terminate()
        inbox.socket?.terminate()
      }),
      connected: onAnswered,
    },
  })
  return client
}

/** Tells once what became of connecting; what is given up is cut, since there is nobody yet to be told. */
const outcomeOf = ({ onAnswered, onFailed, onAbandoned }: SocketRequest, inbox: Inbox) => {
  let told = false
  const once = (tell: () => void) => () => {
    if (!told) tell()
    told = true
  }
  const abandon = once(() => {
    inbox.socket?.terminate()
    onAbandoned()
  })
  return { onAnswered: once(onAnswered), onFailed: once(onFailed), abandon }
}

/**
 * Subscribes. Results come as the subgraph sends them; the stream never ends by itself but fails: with GraphQLError or
 * ServiceError UNAUTHORIZED where the subgraph refuses, with LostError where the connection is to blame.
 */
export function subscribeOverSocket(request: SocketRequest): Stream<FormattedExecutionResult> {
  const inbox = new Inbox()
  const outcome = outcomeOf(request, inbox)
  const { query, variables } = request
  const unsubscribe = createSocketClient({ ...request, ...outcome }, inbox).subscribe(
    { query, variables: { ...variables } },
    {
      next: result => inbox.put(result as FormattedExecutionResult),
      error(error) {
        if (isAnswer(error)) outcome.onAnswered()
        else outcome.onFailed()
        inbox.end(reasonOf(error))
      },
      complete: () => inbox.end(new LostError('The subgraph ended the subscription')),
    },
  )
  const end = () => {
    outcome.abandon()
    inbox.end()
    inbox.resume()
    unsubscribe()
  }
  return streamOf(() => inbox.take(), end)
}
