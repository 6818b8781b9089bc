/**
 * Streams without async generator functions, whose `return` waits for the next item first; and the bounded queue of one
 * producer that its consumer pulls as a stream. Nothing is requested of the producer in advance.
 *
 * The producer of a queue decides what becomes of too many items (`onFull`). The three usual ways:
 * - fail: `onFull: queue => queue.close(error)`
 * - conflate, so that the last item stands for those before it: `onFull: queue => queue.dropOldest()`
 * - hold back: pause the source in `onFull` and resume it in `onEmpty`
 */
export type Stream<T> = AsyncGenerator<T, undefined, undefined>

export const DONE = { done: true, value: undefined } as const

/**
 * Makes the stream of what `next` gives until it is done, fails, or is ended; `end` is called once, whichever it is.
 */
export function streamOf<T>(
  next: () => Promise<IteratorResult<T, undefined>>,
  end: () => unknown,
): Stream<T> {
  let ended = false
  const finish = async () => {
    if (ended) return DONE
    ended = true
    await end()
    return DONE
  }
  return {
    async next() {
      if (ended) return DONE
      try {
        const result = await next()
        return result.done ? await finish() : result
      } catch (error) {
        await finish()
        throw error
      }
    },
    return: finish,
    async throw(error) {
      await finish()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
    async [Symbol.asyncDispose]() {
      await finish()
    },
  }
}

/** Makes the stream of what `map` makes of each item; ending it ends the original, and `onEnd` is called once. */
export const mapStream = <From, To>(
  stream: Stream<From>,
  map: (item: From) => Promise<To>,
  onEnd: () => void = () => undefined,
): Stream<To> =>
  streamOf<To>(
    async () => {
      const { done, value } = await stream.next()
      return done ? DONE : { done: false, value: await map(value) }
    },
    () => {
      onEnd()
      return stream.return(undefined)
    },
  )

export interface AsyncQueueOptions<T> {
  /** The most items that may wait. */
  readonly capacity: number
  /** The most bytes that the waiting items may come to; unlimited when absent. */
  readonly capacityBytes?: number
  /** Approximate size of an item in bytes: the same number at each call. */
  sizeOf?(item: T): number
  /** Called after each `put` that exceeds the capacity. */
  onFull(queue: AsyncQueue<T>): void
  /** Called with each item that the consumer gets, as it leaves the queue. */
  onTaken?(item: T): void
  /** Called whenever the consumer has taken the last item that waited. */
  onEmpty?(): void
}

export class AsyncQueue<T> implements Stream<T> {
  readonly #options: AsyncQueueOptions<T>
  #waiting: T[] = []
  #bytes = 0
  #ended: { readonly error?: unknown } | undefined
  #change: PromiseWithResolvers<void> | undefined

  constructor(options: AsyncQueueOptions<T>) {
    this.#options = options
  }

  /** Number of items that wait. */
  get size(): number {
    return this.#waiting.length
  }

  /** Whether `end` or `close` was called; items may still wait after `end`. */
  get isEnded(): boolean {
    return this.#ended !== undefined
  }

  /** Adds an item; one that comes after the end is dropped. */
  put(item: T): void {
    if (this.#ended) return
    const { capacity, capacityBytes = Number.POSITIVE_INFINITY } = this.#options
    this.#add(item)
    if (this.#waiting.length > capacity || this.#bytes > capacityBytes) this.#options.onFull(this)
    this.#wake()
  }

  /** Adds items that the consumer itself has requested, however many: they are bounded by its request. */
  fill(items: readonly T[]): void {
    if (this.#ended) return
    for (const item of items) this.#add(item)
    this.#wake()
  }

  /** Drops the item that has waited longest. */
  dropOldest(): void {
    if (this.#waiting.length > 0) this.#take()
  }

  /** Ends the stream after the items that wait; with an error, it is thrown once then. The first end counts. */
  end(error?: unknown): void {
    this.#ended ??= { error }
    this.#wake()
  }

  /** Ends the stream at once: the items that wait are dropped. */
  close(error?: unknown): void {
    this.#waiting = []
    this.#bytes = 0
    this.end(error)
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    while (this.#waiting.length === 0) {
      if (this.#ended) return this.#finish(this.#ended)
      this.#change ??= Promise.withResolvers()
      await this.#change.promise
    }
    const value = this.#take()
    this.#options.onTaken?.(value)
    if (this.#waiting.length === 0) this.#options.onEmpty?.()
    return { done: false, value }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.close()
    return DONE
  }

  async throw(error: unknown): Promise<IteratorResult<T, undefined>> {
    this.close()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }

  #add(item: T): void {
    this.#waiting.push(item)
    this.#bytes += this.#options.sizeOf?.(item) ?? 0
  }

  #take(): T {
    const item = this.#waiting.shift() as T
    this.#bytes -= this.#options.sizeOf?.(item) ?? 0
    return item
  }

  #wake(): void {
    this.#change?.resolve()
    this.#change = undefined
  }

  #finish({ error }: { readonly error?: unknown }): typeof DONE {
    this.#ended = {}
    if (error !== undefined) throw error
    return DONE
  }
}
