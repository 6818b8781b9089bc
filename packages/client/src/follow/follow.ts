/**
 * Following: every event once, over connections that come and go. A connection that is lost is resumed after the last
 * event that was handed out; a program that starts again begins after the last one that it acknowledged.
 */
import type { Client } from '../client.ts'
import { memoryCursorStore } from '../stores/memory.ts'
import { Acks, type CursorStore } from './acks.ts'
import { type FollowedEvent, type FollowFilter, Interruption, type Way } from './event.ts'
import { overPoll } from './poll.ts'
import { overSse } from './sse.ts'
import { overWebSocket } from './websocket.ts'

/** Ways to follow: WebSocket and server-sent events of the graph, long poll of `/partner/v1/events`. */
export type FollowWay = 'websocket' | 'sse' | 'poll'

/** State of the connection, for a light on a page or a line in a log. */
export type FollowState =
  | { readonly name: 'connecting' | 'following' }
  /** Another try is made after `retryInMs`. */
  | { readonly name: 'lost'; readonly reason: Error; readonly retryInMs: number }

export interface FollowOptions {
  /** `websocket` unless set. */
  readonly way?: FollowWay
  readonly filter?: FollowFilter
  /** Where cursors are kept: in memory unless set, so that a restart begins anew. */
  readonly store?: CursorStore
  /** Name of the cursor in the store, one for each program that follows. */
  readonly name?: string
  /** Where to begin without a kept cursor: `now` unless set, the `oldest` event that is kept, or after a cursor. */
  readonly from?: 'now' | 'oldest' | { readonly after: string }
  /** Further fields of `TransactionEvent` for each event, over the graph alone: `transaction { amount { value } }`. */
  readonly selection?: string
  /** Ends following. */
  readonly signal?: AbortSignal
  /** Most events that may be handed out and not acknowledged; 1,000 unless set. */
  readonly maxOpen?: number
  readonly onState?: (state: FollowState) => void
  /** Longest wait between two tries in milliseconds, 30 seconds unless set. */
  readonly maxRetryMs?: number
}

/** An event, and the way to say that it was dealt with. */
export interface Delivery<Event extends FollowedEvent = FollowedEvent> {
  readonly event: Event
  /** Keeps the cursor, so that the event does not come again after a restart. */
  ack(): Promise<void>
}

export interface Following<Event extends FollowedEvent> extends AsyncIterableIterator<Delivery<Event>> {
  return(): Promise<IteratorResult<Delivery<Event>, undefined>>
}

const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 30_000
const MAX_OPEN = 1_000
/** Time in milliseconds after which a connection has proved itself, so that the next wait is short again. */
const STEADY_MS = 10_000
/** Refused tokens in a row after which following gives up: the client is disabled, or its secret changed. */
const MAX_REFUSED = 3

const WAYS = { websocket: overWebSocket, sse: overSse, poll: overPoll }

const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(done => {
    if (signal.aborted) return done()
    const over = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      done()
    }
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', over)
  })

/** Errors of the network have no class of their own: `fetch` throws a TypeError, a limit of time a TimeoutError. */
const isInterruption = (error: unknown): error is Error =>
  error instanceof Interruption ||
  error instanceof TypeError ||
  (error instanceof DOMException && error.name === 'TimeoutError') ||
  (error instanceof Error && isServerFault(error))

const isServerFault = (error: Error): boolean => 'status' in error && Number(error.status) >= 500

/** Waits that grow, each a half to the whole of its length, so that clients do not come back together. */
class Backoff {
  readonly #maxMs: number
  #tries = 0

  constructor(maxMs: number) {
    this.#maxMs = maxMs
  }

  reset(): void {
    this.#tries = 0
  }

  next(reason: unknown): number {
    const proposed = reason instanceof Interruption ? (reason.retryAfterMs ?? 0) : 0
    const planned = Math.min(this.#maxMs, MIN_RETRY_MS * 2 ** this.#tries++)
    return Math.max(proposed, planned * (0.5 + Math.random() / 2))
  }
}

/** Events of one connection after another, each once. */
async function* eventsOf<Event extends FollowedEvent>(
  client: Client,
  way: Way<Event>,
  start: string | undefined,
  { from = 'now', onState = () => undefined, maxRetryMs = MAX_RETRY_MS }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  const backoff = new Backoff(maxRetryMs)
  let after = start ?? (typeof from === 'object' ? from.after : undefined)
  let hasBegun = after !== undefined
  let refused = 0
  while (!signal.aborted) {
    const since = Date.now()
    let reason: Error = new Interruption('the server ended the connection')
    try {
      onState({ name: 'connecting' })
      if (!hasBegun) {
        const begin = await way.begin(from as 'now' | 'oldest', signal)
        after = begin.after
        hasBegun = true
        if (begin.first) yield begin.first
      }
      const onOpen = () => {
        refused = 0
        onState({ name: 'following' })
      }
      for await (const event of way.open(after, signal, onOpen)) {
        after = event.cursor
        backoff.reset()
        yield event
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isInterruption(error)) throw error
      reason = error
    }
    if (signal.aborted) return
    if (Date.now() - since > STEADY_MS) backoff.reset()
    if (reason instanceof Interruption && reason.refusedToken !== undefined) {
      if (refused + 1 >= MAX_REFUSED) throw reason.cause ?? reason
      try {
        await client.token(reason.refusedToken)
        refused += 1
      } catch (error) {
        // An issuer that cannot be reached says nothing of the token: the next try asks it again.
        if (!isInterruption(error)) throw error
        reason = error
      }
    }
    const retryInMs = backoff.next(reason)
    onState({ name: 'lost', reason, retryInMs })
    await delay(retryInMs, signal)
  }
}

async function* deliveries<Event extends FollowedEvent>(
  client: Client,
  way: Way<Event>,
  options: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<Delivery<Event>, undefined> {
  const { store = memoryCursorStore(), name = 'default', maxOpen = MAX_OPEN } = options
  const acks = new Acks(cursor => store.set(name, cursor))
  const kept = await store.get(name)
  const source = eventsOf(client, way, kept, options, signal)
  for await (const event of source) {
    if (acks.open >= maxOpen)
      throw new Error(
        `${maxOpen} events are not acknowledged: call ack() of each once it is dealt with, or raise maxOpen`,
      )
    yield { event, ack: acks.add(event.cursor) }
  }
  return undefined
}

/**
 * Follows events: `for await (const { event, ack } of follow(client)) { …; await ack() }`. Leaving the loop, or
 * `options.signal`, ends it.
 * @typeParam Event what `selection` adds to an event.
 * @throws TypeError for a filter or selection that the way does not know; Refusal where the server refuses for good: a role that may not, a cursor that has expired.
 */
export function follow<Event extends FollowedEvent = FollowedEvent>(
  client: Client,
  options: FollowOptions = {},
): Following<Event> {
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const { way = 'websocket', filter = {}, selection = '' } = options
  const source = deliveries(client, WAYS[way]<Event>(client, filter, selection), options, signal)
  return {
    next: () => source.next(),
    // The generator may be waiting for an event, and would hear of its end with the next one alone.
    return() {
      stop.abort()
      return source.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
