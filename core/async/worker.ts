/**
 * Background work: a worker runs rounds when it is woken, and now and then in case it was not. A task worker's rounds begin
 * tasks that outlast them. A commit notifier wakes workers after a commit, in this process or another.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { createAbortable, withTimeout } from './deadline.ts'
import type { Rounds } from './watchdog.ts'

export interface WorkerOptions {
  /**
   * Runs one round: does all that there is to do at the moment. Rounds never overlap.
   * @param isStopping whether work that can wait for the next start should wait.
   * @param progress to be called where a round goes on with a next step, so that it is not taken for one that stands
   *   still.
   */
  run(isStopping: () => boolean, progress: () => void): Promise<unknown>
  /** The watchdog's view of its rounds. */
  readonly rounds: Rounds
  /** Interval of rounds without a wake-up, in milliseconds; none when absent. */
  readonly sweepMs?: number
  /** Rest before a round, in milliseconds, so that wake-ups that come close together lead to one round. */
  restMs?(previousRoundMs: number): number
  /** Called with the failure that ended a round; the worker goes on with the next. */
  onError(error: unknown): void
  /** Whether readiness reports the cause of a failure by itself: then the worker is not reported late for it. */
  isReportedByReadiness?(error: unknown): boolean
}

export interface Worker {
  /** Wakes the worker, since there may be something to do. */
  wake(): void
  /** Resolves when all is done that there was to do at the call. */
  idle(): Promise<void>
  /** Finishes the current round and does no other. */
  stop(): Promise<void>
}

/** Runs work on behalf of no request, although one may have woken it. */
const outside = AsyncLocalStorage.snapshot()

/** Starts a worker, which waits to be woken. */
export function createWorker(options: WorkerOptions): Worker {
  const { run, sweepMs, restMs = () => 0, onError } = options
  let rounds: Promise<void> | undefined
  let again = false
  let stopped = false

  /** Whether a failed round is soon repeated: a worker that does nothing else stands still then. */
  const triesAgain = sweepMs !== undefined && sweepMs < options.rounds.limitMs
  const watched = async (): Promise<void> => {
    options.rounds.begin()
    try {
      await run(() => stopped, options.rounds.progress)
      options.rounds.end()
    } catch (error) {
      options.rounds.end(triesAgain && !stopped && !options.isReportedByReadiness?.(error))
      onError(error)
    }
  }
  const round = async (rest: number): Promise<number> => {
    if (rest > 0) await delay(rest)
    again = false
    const began = performance.now()
    await watched()
    return performance.now() - began
  }
  const work = async () => {
    let previousMs = 0
    while (again && !stopped) previousMs = await round(restMs(previousMs))
    rounds = undefined
  }
  const wake = () => {
    if (stopped) return
    again = true
    rounds ??= outside(work)
  }
  const sweep = sweepMs === undefined ? undefined : setInterval(wake, sweepMs).unref()
  return {
    wake,
    async idle() {
      wake()
      await rounds
    },
    async stop() {
      stopped = true
      clearInterval(sweep)
      await rounds
      options.rounds.end()
    },
  }
}

export interface TaskWorkerOptions
  extends Pick<WorkerOptions, 'run' | 'rounds' | 'sweepMs' | 'restMs' | 'onError' | 'isReportedByReadiness'> {
  /** Time for which ended tasks are gathered before a round begins others in their place, in milliseconds. */
  readonly gatherMs: number
  /** Time that a stop gives tasks in flight before it aborts them, in milliseconds. */
  readonly stopMs: number
  /** Whether nothing is known to wait for the place of a task that ends; something always may when absent. */
  isClear?(): boolean
}

/** Worker whose rounds begin tasks that outlast them: when some have ended, another round begins others. */
export class TaskWorker implements Worker {
  readonly #rounds: Worker
  readonly #options: TaskWorkerOptions
  readonly #tasks = new Set<Promise<void>>()
  readonly #abort = createAbortable()
  /** Number of tasks so far. */
  #begun = 0
  #gathering: NodeJS.Timeout | undefined
  #stopped = false

  /** Starts the worker, which waits to be woken. */
  constructor(options: TaskWorkerOptions) {
    this.#options = options
    this.#rounds = createWorker(options)
  }

  /** Aborted when a stop waits no longer; tasks end soon after, without failing. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Number of tasks in flight. */
  get size(): number {
    return this.#tasks.size
  }

  wake(): void {
    this.#rounds.wake()
  }

  /**
   * Counts a task as in flight until it ends.
   * @param onError gets its failure, which is reported nowhere else.
   */
  track(task: Promise<void>, onError: (error: unknown) => void): void {
    const end = () => {
      this.#tasks.delete(tracked)
      this.wakeSoon()
    }
    const fail = (error: unknown) => {
      onError(error)
      end()
    }
    const tracked = task.then(end, fail)
    this.#tasks.add(tracked)
    this.#begun++
  }

  /** Resolves when a round has found nothing to do, and no task is in flight. */
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

  /** Ends the current round, gives tasks `stopMs` to end, then aborts them; no other round follows. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#gathering)
    await this.#rounds.stop()
    await withTimeout(this.#ended(), this.#options.stopMs, () => undefined)
    this.#abort.abort(new Error('the process is stopping'))
    await this.#ended()
  }

  async #ended(): Promise<void> {
    await Promise.all(this.#tasks)
  }

  /** Wakes the worker together with others that ask for it within `gatherMs`: a task in flight has given up its place. */
  wakeSoon(): void {
    if (this.#stopped || this.#options.isClear?.()) return
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.wake()
    }, this.#options.gatherMs)
  }
}

/** Whether this process committed, or another one did; `begun` where this one has begun with all work that it leads to. */
export type Origin = 'local' | 'begun' | 'remote'

export interface CommitNotifier {
  /** Reports a commit; by this process unless said otherwise. */
  emit(origin?: Origin): void
  /** Calls `listener` at each commit, until the returned function is called. */
  listen(listener: (origin: Origin) => void): () => void
}

export function createCommitNotifier(): CommitNotifier {
  const listeners = new Set<(origin: Origin) => void>()
  return {
    emit(origin = 'local') {
      for (const listener of listeners) listener(origin)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
