/**
 * Batches of concurrent requests, with one commit each: items that arrive while a batch is being written wait for the
 * next one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { unavailable } from '../errors/catalogue.ts'
import { isOver } from './deadline.ts'
import type { Rounds } from './watchdog.ts'

interface Waiting<T, R> {
  readonly item: T
  readonly signal: AbortSignal
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
  readonly noted: unknown
}

/** Observer of batches, who notes something of each item when it is added. */
export interface BatchObserver<Note> {
  /** Called where an item is added. */
  ofItem(): Note
  /** Runs a batch. */
  observe<T>(notes: readonly Note[], run: () => Promise<T>): Promise<T>
}

interface BatchOptions {
  /** The most items of a batch. */
  readonly maxBatch: number
  /** The most items that may wait; more are refused with 503 at once. */
  readonly maxWaiting: number
  /** The watchdog's view of its batches. */
  readonly rounds: Rounds
  readonly observer?: BatchObserver<unknown> | undefined
}

/** Runs work on behalf of no request: a batch belongs to several. */
const outside = AsyncLocalStorage.snapshot()

/** Collects items and hands them to `run` in order, one batch at a time. */
export class Batcher<T, R> {
  readonly #run: (items: T[], signals: AbortSignal[]) => Promise<R[]>
  readonly #options: BatchOptions
  readonly #waiting: Waiting<T, R>[] = []
  #running: Promise<void> | undefined

  constructor(run: (items: T[], signals: AbortSignal[]) => Promise<R[]>, options: BatchOptions) {
    this.#run = run
    this.#options = options
  }

  /** Resolves with the item's own result once its batch is committed; an aborted item that still waits is dropped. */
  add(item: T, signal: AbortSignal): Promise<R> {
    if (this.#waiting.length >= this.#options.maxWaiting) {
      return Promise.reject(unavailable('Too many requests are waiting to be written; try again shortly'))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, signal, resolve, reject, noted: this.#options.observer?.ofItem() })
      this.#running ??= outside(() => this.#drain())
    })
  }

  async #drain(): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#next()
    this.#running = undefined
  }

  #runBatch(batch: readonly Waiting<T, R>[]): Promise<R[]> {
    const items = batch.map(({ item }) => item)
    const signals = batch.map(({ signal }) => signal)
    const { observer } = this.#options
    if (!observer) return this.#run(items, signals)
    return observer.observe(
      batch.map(({ noted }) => noted),
      () => this.#run(items, signals),
    )
  }

  async #next(): Promise<void> {
    const taken = this.#waiting.splice(0, this.#options.maxBatch)
    for (const { signal, reject } of taken) if (isOver(signal)) reject(signal.reason)
    const batch = taken.filter(({ signal }) => !isOver(signal))
    if (batch.length === 0) return
    this.#options.rounds.begin()
    try {
      const results = await this.#runBatch(batch)
      batch.forEach(({ resolve }, index) => resolve(results[index] as R))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#options.rounds.end()
    }
  }
}
