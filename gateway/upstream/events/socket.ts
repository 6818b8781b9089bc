/**
 * One subscription at a subgraph, by the standard graphql-transport-ws protocol, on a connection of its own: so a
 * slow taker holds back nobody else, and ending it ends everything that was done for it.
 */
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { type Client, type ClientOptions, CloseCode, createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { ServiceError } from '../../../subgraphs/shared/errors.ts'
import { CLOSE } from '../../../subgraphs/shared/streams/socket.ts'
import { DONE, type Stream, streamOf } from '../../../subgraphs/shared/streams/stream.ts'

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
}

/** The client's own code for a connection that it gave up. */
const TERMINATED = 4499
const HANDSHAKE_MS = 5_000
const PING_MS = 10_000
const PONG_MS = 5_000
const MAX_MESSAGE = 16 * 1024 * 1024
/** So many results wait here for whoever takes them; then the connection is not read until they are taken. */
const MAX_WAITING = 64

const socketWith = ({ authorization, ...headers }: Readonly<Record<string, string>>) =>
  class extends WebSocket {
    constructor(address: string, protocols: string) {
      const options = { headers, handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_MESSAGE }
      super(address, protocols, { ...options, perMessageDeflate: false })
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

const toError = (error: unknown): Error => {
  if (Array.isArray(error)) {
    const [{ message, path, extensions }] = error as [GraphQLFormattedError]
    return new GraphQLError(message, { path, extensions })
  }
  if (!isCloseEvent(error))
    return new LostError(`The connection failed: ${(error as Error).message}`, { cause: error })
  const isRefusal = error.code === CLOSE.unauthorized || error.code === CLOSE.forbidden
  return isRefusal
    ? new ServiceError('UNAUTHORIZED', error.reason)
    : new LostError(`The connection was closed: ${error.code} ${error.reason}`)
}

/** What has come and was not taken yet; the connection is paused while it is too much. */
class Inbox {
  readonly #waiting: FormattedExecutionResult[] = []
  #end: { readonly error?: Error } | undefined
  #wake: () => void = () => undefined
  socket: WebSocket | undefined

  put(result: FormattedExecutionResult): void {
    this.#waiting.push(result)
    if (this.#waiting.length >= MAX_WAITING) this.socket?.pause()
    this.#wake()
  }

  /** What has come is still taken; then there is nothing more, for this reason if there is one. */
  end(error?: Error): void {
    this.#end ??= { error }
    this.#wake()
  }

  /** A paused connection could not even be closed. */
  resume(): void {
    if (this.socket?.isPaused) this.socket.resume()
  }

  async take(): Promise<IteratorResult<FormattedExecutionResult, undefined>> {
    for (;;) {
      const value = this.#waiting.shift()
      if (this.#waiting.length === 0) this.resume()
      if (value) return { done: false, value }
      if (this.#end?.error) throw this.#end.error
      if (this.#end) return DONE
      await new Promise<void>(wake => (this.#wake = wake))
    }
  }
}

const createSocketClient = ({ url, headers, onAnswered }: SocketRequest, inbox: Inbox): Client => {
  const client = createClient({
    url,
    webSocketImpl: socketWith(headers),
    connectionParams: { Authorization: headers['authorization'] },
    connectionAckWaitTimeout: HANDSHAKE_MS,
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      ...watchPongs(() => {
        client.terminate()
        inbox.socket?.terminate()
      }),
      connected(socket) {
        inbox.socket = socket as WebSocket
        onAnswered()
      },
    },
  })
  return client
}

/**
 * Subscribes. Results come as the subgraph sends them; the stream never ends by itself but fails: with GraphQLError or
 * ServiceError UNAUTHORIZED where the subgraph refuses, with LostError where the connection is to blame.
 */
export function subscribeOverSocket(request: SocketRequest): Stream<FormattedExecutionResult> {
  const inbox = new Inbox()
  const { query, variables } = request
  const unsubscribe = createSocketClient(request, inbox).subscribe(
    { query, variables: { ...variables } },
    {
      next: result => inbox.put(result as FormattedExecutionResult),
      error(error) {
        if (!inbox.socket) (isAnswer(error) ? request.onAnswered : request.onFailed)()
        inbox.end(toError(error))
      },
      complete: () => inbox.end(new LostError('The subgraph ended the subscription')),
    },
  )
  const end = () => {
    inbox.end()
    inbox.resume()
    unsubscribe()
  }
  return streamOf(() => inbox.take(), end)
}
