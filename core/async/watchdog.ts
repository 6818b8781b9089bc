/**
 * A watchdog over background work: it reports a round of a worker that has made no progress for longer than its limit, and a
 * worker whose rounds fail one after the other for as long. Nothing is aborted: everything that a round waits for has limits
 * of its own, and where one is missing the operator learns of it.
 */

/** The rounds of one worker, as it reports them itself. */
export interface Rounds {
  /** Longest time without progress, in milliseconds. */
  readonly limitMs: number
  begin(): void
  /** Reports that a part of the round is done, and the next step begins. */
  progress(): void
  /**
   * Reports the end of a round.
   * @param goesOn whether the round failed and the next one does the same again: the time since the last progress
   *   counts on.
   */
  end(goesOn?: boolean): void
}

/** The state of a worker. */
interface WorkerState {
  readonly name: string
  /** Time since its last progress, in milliseconds; 0 while it has nothing to do. */
  readonly ageMs: number
  readonly isLate: boolean
}

export interface Watchdog {
  /** Watches over a worker from its first round on. Several may have the same name; each has rounds of its own. */
  over(name: string, limitMs: number): Rounds
  /** Lists workers that run a round at the moment, or whose rounds fail. */
  states(): readonly WorkerState[]
}

interface WatchdogOptions {
  onLate(worker: WorkerState): void
  /** Called when a worker that was reported goes on. @param ageMs how long it took. */
  onRecovered(name: string, ageMs: number): void
}

/**
 * Interval of ticks, in which time is counted: where the process itself is too busy for its timers, no worker is blamed
 * for it.
 */
const TICK_MS = 250

interface Entry {
  readonly name: string
  readonly limitMs: number
  /** Tick of its last progress, while it is at work. */
  since: number | undefined
  isReported: boolean
}

class TickingWatchdog implements Watchdog {
  readonly #options: WatchdogOptions
  readonly #atWork = new Set<Entry>()
  #ticks = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  over(name: string, limitMs: number): Rounds {
    const entry: Entry = { name, limitMs, since: undefined, isReported: false }
    return {
      limitMs,
      begin: () => this.#begin(entry),
      progress: () => this.#progress(entry),
      end: (goesOn = false) => {
        if (!goesOn) this.#end(entry)
      },
    }
  }

  states(): readonly WorkerState[] {
    return [...this.#atWork].map(entry => this.#stateOf(entry))
  }

  #stateOf({ name, limitMs, since = this.#ticks }: Entry): WorkerState {
    const ageMs = (this.#ticks - since) * TICK_MS
    return { name, ageMs, isLate: ageMs > limitMs }
  }

  #begin(entry: Entry): void {
    entry.since ??= this.#ticks
    this.#atWork.add(entry)
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
  }

  #progress(entry: Entry): void {
    this.#recover(entry)
    if (entry.since !== undefined) entry.since = this.#ticks
  }

  #end(entry: Entry): void {
    this.#recover(entry)
    entry.since = undefined
    this.#atWork.delete(entry)
  }

  #recover(entry: Entry): void {
    if (!entry.isReported) return
    entry.isReported = false
    this.#options.onRecovered(entry.name, this.#stateOf(entry).ageMs)
  }

  #tick(): void {
    this.#ticks += 1
    if (this.#atWork.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    for (const entry of this.#atWork) {
      const state = this.#stateOf(entry)
      if (!state.isLate || entry.isReported) continue
      entry.isReported = true
      this.#options.onLate(state)
    }
  }
}

/** Makes a watchdog without workers. */
export const createWatchdog = (options: WatchdogOptions): Watchdog => new TickingWatchdog(options)
