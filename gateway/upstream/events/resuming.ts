/** A subgraph's events over connections that may break: each begins where the last one ended, so nobody notices. */
import { setTimeout as delay } from 'node:timers/promises'
import { type FormattedExecutionResult, GraphQLError } from 'graphql'
import { fromEventCursor, toEventCursor } from '../../../subgraphs/shared/delivery/event-cursor.ts'
import type { Positioned } from '../../../subgraphs/shared/delivery/event-stream.ts'
import { ServiceError } from '../../../subgraphs/shared/errors.ts'
import { DONE, type Stream, streamOf } from '../../../subgraphs/shared/streams/stream.ts'
import { cursorIn } from '../../subscriptions/primary.ts'
import { LostError } from './socket.ts'

/** An event as the subgraph answered it. */
export interface UpstreamEvent extends Positioned {
  readonly answer: FormattedExecutionResult
}

export interface ResumingParts {
  /** The position after which events are wanted. */
  readonly after: bigint
  /** How long the subgraph may be away before the stream fails, in milliseconds. */
  readonly patienceMs: number
  /** Opens a connection whose events begin after a cursor. */
  connect(after: string): Stream<FormattedExecutionResult>
}

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 2_000

const PASSING_CODES = new Set<unknown>(['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED'])

/** Whether another connection may do better. */
export const isPassing = (error: unknown): boolean =>
  error instanceof LostError ||
  (error instanceof ServiceError && PASSING_CODES.has(error.code)) ||
  (error instanceof GraphQLError && PASSING_CODES.has(error.extensions['code']))

class Resuming {
  readonly #parts: ResumingParts
  readonly #stop = new AbortController()
  #position: bigint
  #connection: Stream<FormattedExecutionResult> | undefined
  /** Since when there has been no event, and how often it was tried since. */
  #failing: { readonly since: number; times: number } | undefined

  constructor(parts: ResumingParts) {
    this.#parts = parts
    this.#position = parts.after
  }

  async next(): Promise<IteratorResult<UpstreamEvent, undefined>> {
    while (!this.#stop.signal.aborted) {
      try {
        const { done, value } = await this.#connected().next()
        if (!done) return { done: false, value: this.#accept(value) }
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
    this.#connection ??= this.#parts.connect(toEventCursor(this.#position))
    return this.#connection
  }

  /** An event that failed as a whole has no cursor, so it is asked for again. */
  #accept(answer: FormattedExecutionResult): UpstreamEvent {
    const cursor = cursorIn(answer.data)
    if (cursor === undefined)
      throw new LostError(answer.errors?.[0]?.message ?? 'An event without its cursor')
    this.#position = fromEventCursor('cursor', cursor)
    this.#failing = undefined
    return { position: this.#position, answer }
  }

  /** @throws the error where waiting does not help, or has taken too long. */
  async #recover(error: unknown): Promise<void> {
    await this.#drop()
    if (this.#stop.signal.aborted) return
    this.#failing ??= { since: Date.now(), times: 0 }
    if (!isPassing(error) || Date.now() - this.#failing.since > this.#parts.patienceMs) throw error
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failing.times++)
    await delay(wait * (0.5 + Math.random()), undefined, { signal: this.#stop.signal }).catch(() => undefined)
  }

  async #drop(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await connection?.return(undefined)
  }
}

/** Every event after a position, in sequence, each once. Fails with what no other connection would mend. */
export function resuming(parts: ResumingParts): Stream<UpstreamEvent> {
  const events = new Resuming(parts)
  return streamOf(
    () => events.next(),
    () => events.end(),
  )
}
