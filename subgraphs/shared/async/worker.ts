/** Background work: done whenever someone says that there is some, and now and then in case nobody did. */
import { setTimeout as delay } from 'node:timers/promises'

export interface WorkerOptions {
  /**
   * Does all that there is to do at the moment. One round at a time.
   * @param isStopping whether what can wait for the next start should.
   */
  run(isStopping: () => boolean): Promise<unknown>
  /** How often it looks without having been told, in milliseconds; never when absent. */
  readonly sweepMs?: number
  /** How long it rests before a round, in milliseconds, so that what comes together is done together. */
  restMs?(previousRoundMs: number): number
  /** A round that fails ends; the worker goes on with the next. */
  onError(error: unknown): void
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
export function createWorker({ run, sweepMs, restMs = () => 0, onError }: WorkerOptions): Worker {
  let rounds: Promise<void> | undefined
  let again = false
  let stopped = false

  const round = async (rest: number): Promise<number> => {
    if (rest > 0) await delay(rest)
    again = false
    const began = performance.now()
    await run(() => stopped).catch(onError)
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
    },
  }
}
