/** Background work: done whenever someone says that there is some, and now and then in case nobody did. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Rounds } from './watchdog.ts'

export interface WorkerOptions {
  /**
   * Does all that there is to do at the moment. One round at a time.
   * @param isStopping whether what can wait for the next start should.
   * @param progress to be called where a round goes on with a next step, so that it does not pass for one that stands still.
   */
  run(isStopping: () => boolean, progress: () => void): Promise<unknown>
  /** The watchdog's view of its rounds. */
  readonly rounds: Rounds
  /** How often it looks without having been told, in milliseconds; never when absent. */
  readonly sweepMs?: number
  /** How long it rests before a round, in milliseconds, so that what comes together is done together. */
  restMs?(previousRoundMs: number): number
  /** A round that fails ends; the worker goes on with the next. */
  onError(error: unknown): void
  /** Whether readiness tells of the cause of a failure by itself: then the worker is not said to stand still for it. */
  isToldElsewhere?(error: unknown): boolean
}

export interface Worker {
  /** There may be something to do. */
  wake(): void
  /** Resolves when nothing is left to do of what there was at the call. */
  idle(): Promise<void>
  /** Finishes the round under way and does no other. */
  stop(): Promise<void>
}

/** Starts a worker, which waits to be woken. */
export function createWorker(options: WorkerOptions): Worker {
  const { run, sweepMs, restMs = () => 0, onError } = options
  let rounds: Promise<void> | undefined
  let again = false
  let stopped = false

  /** A round that fails is soon tried again: a worker that does nothing else stands still. */
  const triesAgain = sweepMs !== undefined && sweepMs < options.rounds.limitMs
  const watched = async (): Promise<void> => {
    options.rounds.begin()
    try {
      await run(() => stopped, options.rounds.progress)
      options.rounds.end()
    } catch (error) {
      options.rounds.end(triesAgain && !stopped && !options.isToldElsewhere?.(error))
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
    rounds ??= work()
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
