/** Subscriptions as clients hold them: over WebSocket with graphql-ws, over SSE with graphql-sse. */
import type { FormattedExecutionResult } from 'graphql'
import { createClient as createSse } from 'graphql-sse'
import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
export type Result = FormattedExecutionResult<any, any>

/** Events that have arrived, taken one by one. */
export interface Incoming extends Disposable {
  next(): Promise<Result>
  take(count: number): Promise<Result[]>
  /** Events that have arrived and were not taken yet. */
  rest(): Result[]
  /** Resolves with what ended it: undefined when it was completed. */
  readonly ended: Promise<unknown>
}

interface Sink {
  next(result: unknown): void
  error(error: unknown): void
  complete(): void
}

/** Collects what a client's `subscribe` gives. */
export function collect(subscribe: (sink: Sink) => () => void): Incoming {
  const arrived: Result[] = []
  let wake: () => void = () => undefined
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>()
  let over = false
  const finish = (error?: unknown) => {
    over = true
    end(error)
    wake()
  }
  const stop = subscribe({
    next(result) {
      arrived.push(result as Result)
      wake()
    },
    error: finish,
    complete: finish,
  })
  const next = async (): Promise<Result> => {
    while (arrived.length === 0) {
      if (over) throw new Error(`ended: ${JSON.stringify(await ended)}`)
      await new Promise<void>(done => (wake = done))
    }
    return arrived.shift()!
  }
  return {
    next,
    async take(count) {
      const results: Result[] = []
      while (results.length < count) results.push(await next())
      return results
    },
    rest: () => arrived.splice(0),
    ended,
    [Symbol.dispose]: stop,
  }
}

export interface Socket extends Disposable {
  readonly client: Client
  subscribe(query: string, variables?: Record<string, unknown>): Incoming
  /** Resolves with the close event. */
  readonly closed: Promise<{ code: number; reason: string }>
  /** The socket itself. */
  readonly socket: Promise<WebSocket>
}

/** A graphql-ws connection that does not connect again by itself. */
export function connect(address: string, connectionParams?: Record<string, unknown>): Socket {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<{ code: number; reason: string }>()
  const { promise: socket, resolve: onSocket } = Promise.withResolvers<WebSocket>()
  const client = createClient({
    url: `${address.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    on: { closed: event => onClosed(event as never), opened: opened => onSocket(opened as WebSocket) },
  })
  return {
    client,
    closed,
    socket,
    subscribe: (query, variables) => collect(sink => client.subscribe({ query, variables }, sink as never)),
    // A connection that fails while it is disposed of has no one left to tell.
    [Symbol.dispose]: () => void Promise.resolve(client.dispose()).catch(() => undefined),
  }
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** A subscription over SSE at this path. */
export const subscribeSse = (
  url: string,
  token: string,
  query: string,
  variables?: Record<string, unknown>,
) => {
  const client = createSse({ url, headers: bearer(token), retryAttempts: 0 })
  return collect(sink => client.subscribe({ query, variables }, sink as never))
}
