/** A worker whose rounds begin tasks that outlast them: when some have ended, another round fills their places. */
import { setTimeout as delay } from 'node:timers/promises'
import { createAbortable } from './deadline.ts'
import { createWorker, type Worker, type WorkerOptions } from './worker.ts'

export interface TaskWorkerOptions
  extends Pick<WorkerOptions, 'run' | 'rounds' | 'sweepMs' | 'restMs' | 'onError' | 'isToldElsewhere'> {
  /** How long ended tasks are gathered before a round gives their places to others, in milliseconds. */
  readonly gatherMs: number
  /** How long a stop waits for tasks under way before it breaks them off, in milliseconds. */
  readonly stopMs: number
}

export class TaskWorker implements Worker {
  readonly #rounds: Worker
  readonly #options: TaskWorkerOptions
  readonly #tasks = new Set<Promise<void>>()
  readonly #breakOff = createAbortable()
  /** How many tasks there have been. */
  #begun = 0
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
    const end = () => {
      this.#tasks.delete(tracked)
      this.#wakeSoon()
    }
    const fail = (error: unknown) => {
      onError(error)
      end()
    }
    const tracked = task.then(end, fail)
    this.#tasks.add(tracked)
    this.#begun++
  }

  /** Resolves when a round has found nothing to do, and no task is under way. */
  async idle(): Promise<void> {
    let [begun, found] = [0, 0]
    do {
      begun = this.#begun
      await this.#rounds.idle()
      found = this.#tasks.size
      await this.#ended()
      // A task may also have begun and ended in the round.
    } while (found > 0 || this.#begun > begun)
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
