/**
 * A watchdog over background work: a round of a worker that has made no progress for longer than its limit is told of, and so
 * is a worker whose rounds fail one after the other for as long. Nothing is broken off: what a round waits for has limits of
 * its own, and where one is missing the operator is to hear of it.
 */

/** The rounds of one worker, as it tells of them itself. */
export interface Rounds {
  /** For how long a round may make no progress, in milliseconds. */
  readonly limitMs: number
  begin(): void
  /** Something of the round is done, and the next step begins. */
  progress(): void
  /** @param goesOn whether the round failed and the next one does the same again: the time since the last progress counts on. */
  end(goesOn?: boolean): void
}

/** How a worker stands. */
export interface WorkerState {
  readonly name: string
  /** Since it last made progress, in milliseconds; 0 while it has nothing to do. */
  readonly ageMs: number
  readonly isLate: boolean
}

export interface Watchdog {
  /** Watches over a worker from its first round on. Several of the same name are told apart by nothing but their rounds. */
  over(name: string, limitMs: number): Rounds
  /** Workers with a round under way, or failing ones. */
  states(): readonly WorkerState[]
}

export interface WatchdogOptions {
  onLate(worker: WorkerState): void
  /** Called when a worker that was told of goes on. @param ageMs how long it took. */
  onRecovered(name: string, ageMs: number): void
}

/** Time is counted in ticks: where the process itself is too busy for its timers, no worker is blamed for it. */
const TICK_MS = 250

interface Entry {
  readonly name: string
  readonly limitMs: number
  /** The tick at which it last made progress, while it is at work. */
  since: number | undefined
  isTold: boolean
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
    const entry: Entry = { name, limitMs, since: undefined, isTold: false }
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
    if (!entry.isTold) return
    entry.isTold = false
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
      if (!state.isLate || entry.isTold) continue
      entry.isTold = true
      this.#options.onLate(state)
    }
  }
}

/** Watches over nothing yet. */
export const createWatchdog = (options: WatchdogOptions): Watchdog => new TickingWatchdog(options)
