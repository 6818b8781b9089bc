/** A stream that reconnects: each connection resumes where the last one ended, so subscribers do not notice. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FormattedExecutionResult } from 'graphql'
import { createBackoff } from '#core/async/retry.ts'
import { DONE, type Stream, streamOf } from '#core/async/stream.ts'
import { fromEventCursor, toEventCursor } from '#core/events/read.ts'
import type { Positioned } from '#core/events/stream.ts'
import { isTransientError } from '#gateway/operation/error-format.ts'
import { cursorIn } from '#gateway/operation/rewrites.ts'
import { LostError } from './subscription-socket.ts'

/** An event with the subgraph's response. */
export interface UpstreamEvent extends Positioned {
  readonly response: FormattedExecutionResult
}

export interface ReconnectingOptions {
  /** The position after which events are wanted. */
  readonly after: bigint
  /** The longest outage of the subgraph that the stream survives, in milliseconds. */
  readonly maxOutageMs: number
  /** Opens a connection whose events begin after a cursor. */
  connect(after: string): Stream<FormattedExecutionResult>
}

/**
 * Wait before another connection, spread by chance, so that streams that broke together do not all come back at once.
 */
const waitMs = createBackoff({ firstMs: 50, longestMs: 2_000, jitter: 0.5 })
/** Share of the longest outage after which a connection counts as a good one; the protocol does not report that. */
const GOOD_SHARE = 0.25

/** Whether another connection may do better. */
export const isTransientLoss = (error: unknown): boolean =>
  error instanceof LostError || isTransientError(error)

class ReconnectingStream {
  readonly #options: ReconnectingOptions
  readonly #stop = new AbortController()
  #position: bigint
  #connection: Stream<FormattedExecutionResult> | undefined
  #connectedAt = 0
  /** The start of the time without a good connection, and the number of tries since. */
  #failing: { readonly since: number; times: number } | undefined

  constructor(options: ReconnectingOptions) {
    this.#options = options
    this.#position = options.after
  }

  async next(): Promise<IteratorResult<UpstreamEvent, undefined>> {
    while (!this.#stop.signal.aborted) {
      try {
        const event = await this.#take()
        if (event) return { done: false, value: event }
      } catch (error) {
        await this.#recover(error)
      }
    }
    return DONE
  }

  async end(): Promise<void> {
    this.#stop.abort()
    await this.#drop()
  }

  #connected(): Stream<FormattedExecutionResult> {
    if (!this.#connection) {
      this.#connectedAt = Date.now()
      this.#connection = this.#options.connect(toEventCursor(this.#position))
    }
    return this.#connection
  }

  async #take(): Promise<UpstreamEvent | undefined> {
    const { done, value } = await this.#connected().next()
    if (done) throw new LostError('The events have ended')
    return this.#accept(value)
  }

  /**
   * Takes a response as an event. One that failed as a whole has no cursor, so it is requested again; one that has come
   * before is left out.
   */
  #accept(response: FormattedExecutionResult): UpstreamEvent | undefined {
    const cursor = cursorIn(response.data)
    if (cursor === undefined)
      throw new LostError(response.errors?.[0]?.message ?? 'An event without its cursor')
    const position = fromEventCursor('cursor', cursor)
    this.#failing = undefined
    if (position <= this.#position) return undefined
    this.#position = position
    return { position, response }
  }

  /**
   * Waits before another connection.
   * @throws the error where waiting does not help, or has taken too long.
   */
  async #recover(error: unknown): Promise<void> {
    await this.#drop()
    if (this.#stop.signal.aborted) return
    const { maxOutageMs } = this.#options
    if (Date.now() - this.#connectedAt > maxOutageMs * GOOD_SHARE) this.#failing = undefined
    this.#failing ??= { since: Date.now(), times: 0 }
    if (!isTransientLoss(error) || Date.now() - this.#failing.since > maxOutageMs) throw error
    const wait = waitMs(this.#failing.times++)
    await delay(wait, undefined, { signal: this.#stop.signal }).catch(() => undefined)
  }

  async #drop(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await connection?.return(undefined)
  }
}

/**
 * Makes the stream of every event after a position, in sequence, each once. It fails with an error that no other
 * connection would mend.
 */
export function reconnectingStream(options: ReconnectingOptions): Stream<UpstreamEvent> {
  const events = new ReconnectingStream(options)
  return streamOf(
    () => events.next(),
    () => events.end(),
  )
}
