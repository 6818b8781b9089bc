/**
 * Conflated events, for a reader that shows a state and not each change: events that come while one is being shown, or
 * within a short rest after it, become one. Nothing waits but the last event, so that a slow reader costs nothing.
 */
import { AsyncQueue } from '../async/stream.ts'
import type { EventRow } from './event.ts'
import type { PositionedStream } from './stream.ts'

/** Stream of the last events of another one. Ending it ends the source, and waits for nothing. */
export class ConflatedEvents implements PositionedStream<EventRow> {
  readonly #source: PositionedStream<EventRow>
  readonly #restMs: number
  readonly #queue: AsyncQueue<EventRow>
  #delivered: bigint
  #rested = Promise.resolve()
  #stopRest: () => void = () => undefined

  /** @param restMs the least time between two events, in milliseconds. */
  constructor(source: PositionedStream<EventRow>, restMs: number) {
    this.#source = source
    this.#restMs = restMs
    this.#delivered = source.position
    this.#queue = new AsyncQueue<EventRow>({
      capacity: 1,
      onFull: queue => queue.dropOldest(),
      onTaken: ({ position }) => {
        this.#delivered = position
        this.#rested = this.#rest()
      },
    })
    void this.#follow()
  }

  /** The position of the state that the reader was shown. */
  get position(): bigint {
    return this.#delivered
  }

  /** An error of the source is thrown once, after the last event. */
  async next(): Promise<IteratorResult<EventRow, undefined>> {
    await this.#rested
    return this.#queue.next()
  }

  async return(): Promise<IteratorResult<EventRow, undefined>> {
    this.#queue.close()
    this.#stopRest()
    return this.#source.return(undefined)
  }

  async throw(error: unknown): Promise<IteratorResult<EventRow, undefined>> {
    await this.return()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  async #follow(): Promise<void> {
    try {
      for await (const event of this.#source) this.#queue.put(event)
      this.#queue.end()
    } catch (error) {
      this.#queue.end(error)
    }
    this.#stopRest()
  }

  /** Waits for the rest; a stream that has ended has none. */
  #rest(): Promise<void> {
    if (this.#queue.isEnded) return Promise.resolve()
    return new Promise(done => {
      const timer = setTimeout(done, this.#restMs)
      this.#stopRest = () => {
        clearTimeout(timer)
        done()
      }
    })
  }
}
