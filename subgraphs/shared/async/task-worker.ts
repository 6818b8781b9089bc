/** A worker whose rounds begin tasks that outlast them: when some have ended, another round fills their places. */
import { setTimeout as delay } from 'node:timers/promises'
import { createWorker, type Worker, type WorkerOptions } from './worker.ts'

export interface TaskWorkerOptions extends Pick<WorkerOptions, 'run' | 'sweepMs' | 'restMs' | 'onError'> {
  /** How long ended tasks are gathered before a round gives their places to others, in milliseconds. */
  readonly gatherMs: number
  /** How long a stop waits for tasks under way before it breaks them off, in milliseconds. */
  readonly stopMs: number
}

export class TaskWorker implements Worker {
  readonly #rounds: Worker
  readonly #options: TaskWorkerOptions
  readonly #tasks = new Set<Promise<void>>()
  readonly #breakOff = new AbortController()
  #gathering: NodeJS.Timeout | undefined
  #stopped = false

  /** Starts it; it waits to be woken. */
  constructor(options: TaskWorkerOptions) {
    this.#options = options
    this.#rounds = createWorker(options)
  }

  /** Aborted when a stop waits no longer; tasks end soon after, without failing. */
  get signal(): AbortSignal {
    return this.#breakOff.signal
  }

  /** How many tasks are under way. */
  get size(): number {
    return this.#tasks.size
  }

  wake(): void {
    this.#rounds.wake()
  }

  /**
   * Counts a task as under way until it ends.
   * @param onError told of its failure, which nothing else hears of.
   */
  track(task: Promise<void>, onError: (error: unknown) => void): void {
    const tracked: Promise<void> = task.catch(onError).finally(() => {
      this.#tasks.delete(tracked)
      this.#wakeSoon()
    })
    this.#tasks.add(tracked)
  }

  /** Resolves when a round has found nothing to do, and no task is under way. */
  async idle(): Promise<void> {
    let found: number
    do {
      await this.#rounds.idle()
      found = this.#tasks.size
      await this.#ended()
    } while (found > 0)
  }

  /** Ends the round under way, lets tasks end for a moment, then breaks them off, and does no other round. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#gathering)
    await this.#rounds.stop()
    await Promise.race([this.#ended(), delay(this.#options.stopMs, undefined, { ref: false })])
    this.#breakOff.abort(new Error('the process is stopping'))
    await this.#ended()
  }

  async #ended(): Promise<void> {
    await Promise.all(this.#tasks)
  }

  #wakeSoon(): void {
    if (this.#stopped) return
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.wake()
    }, this.#options.gatherMs)
  }
}
