/**
 * The newest of a stream's events, for who shows a state and not each change: those that come while one is being shown,
 * or within a short rest after it, are one. Nothing waits but the last, so a slow reader costs nothing.
 */
import { DONE } from '../async/stream.ts'
import type { EventRow } from './event.ts'
import type { PositionedStream } from './stream.ts'

type Source = PositionedStream<EventRow>

/** An event stream written by hand, as the one it reads is: ending it waits for nothing. */
export class NewestEvents implements Source {
  readonly #source: Source
  readonly #restMs: number
  #newest: EventRow | undefined
  #delivered: bigint
  #rested = Promise.resolve()
  #ended: { readonly error?: unknown } | undefined
  #wake: () => void = () => undefined
  #stopRest: () => void = () => undefined

  /** @param restMs how long there is at least between two. */
  constructor(source: Source, restMs: number) {
    this.#source = source
    this.#restMs = restMs
    this.#delivered = source.position
    void this.#follow()
  }

  /** Where the subscriber stands: the state that it was shown is of this position, or later. */
  get position(): bigint {
    return this.#delivered
  }

  async next(): Promise<IteratorResult<EventRow, undefined>> {
    while (!this.#newest && !this.#ended) await new Promise<void>(wake => (this.#wake = wake))
    await this.#rested
    const event = this.#newest
    if (!event) return this.#conclude()
    this.#newest = undefined
    this.#delivered = event.position
    this.#rested = this.#rest()
    return { done: false, value: event }
  }

  async return(): Promise<IteratorResult<EventRow, undefined>> {
    this.#newest = undefined
    this.#end({})
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
      for await (const event of this.#source) {
        this.#newest = event
        this.#wake()
      }
      this.#end({})
    } catch (error) {
      this.#end({ error })
    }
  }

  /** Nobody rests from a stream that has ended. */
  #rest(): Promise<void> {
    if (this.#ended) return Promise.resolve()
    return new Promise(done => {
      const timer = setTimeout(done, this.#restMs)
      this.#stopRest = () => {
        clearTimeout(timer)
        done()
      }
    })
  }

  /** An error is told once, after the last event; after it the stream is simply over. */
  #conclude(): typeof DONE {
    const error = this.#ended?.error
    this.#ended = {}
    if (error) throw error
    return DONE
  }

  #end(how: { readonly error?: unknown }): void {
    if (this.#ended) return
    this.#ended = how
    this.#stopRest()
    this.#wake()
  }
}
