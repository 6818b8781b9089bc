/**
 * Fair admission to work: so many pieces of it are under way at once, and what waits is taken by its holders in turn, one
 * of each. A holder that wants everything delays itself, and others by no more than what is under way.
 */
import { unavailable } from '../errors/catalogue.ts'
import { Shares } from './shares.ts'

export interface FairGateOptions {
  /** How many pieces of work are under way at once. */
  readonly places: number
  /**
   * After so many milliseconds a piece of work no longer takes a place: it waits for something else than this process
   * (a slow service, a lock), and would keep others from work that could be done meanwhile.
   */
  readonly longestMs: number
}

/** A place in the gate, or in the queue before it. */
export interface Place {
  /** Resolves when it is its turn; absent where it may begin at once. Rejects with SERVICE_UNAVAILABLE when it waited too long. */
  readonly turn?: Promise<void>
  /** Gives the place back, or waits no longer. May be called twice. */
  leave(): void
}

interface Waiting {
  readonly begin: () => void
}

/** The holders that wait, the next one first. */
class Turns {
  readonly #queues = new Map<string, Set<Waiting>>()

  add(holder: string, one: Waiting): void {
    const queue = this.#queues.get(holder)
    if (queue) queue.add(one)
    else this.#queues.set(holder, new Set([one]))
  }

  remove(holder: string, one: Waiting): void {
    const queue = this.#queues.get(holder)
    if (queue?.delete(one) && queue.size === 0) this.#queues.delete(holder)
  }

  /** Takes the first of the next holder that may have a place, which is then the last in turn. */
  take(mayHave: (holder: string) => boolean): Waiting | undefined {
    for (const [holder, queue] of this.#queues) {
      if (!mayHave(holder)) continue
      const [first] = queue
      queue.delete(first!)
      this.#queues.delete(holder)
      if (queue.size > 0) this.#queues.set(holder, queue)
      return first
    }
    return undefined
  }
}

export class FairGate {
  readonly #turns = new Turns()
  readonly #shares: Shares
  readonly #longestMs: number

  constructor({ places, longestMs }: FairGateOptions) {
    this.#shares = new Shares(places)
    this.#longestMs = longestMs
  }

  /** Asks for a place. @param waitMs the longest wait for it, in milliseconds. */
  enter(holder: string, waitMs: number): Place {
    // Of those that wait none may have a place: each was begun as soon as it might.
    return this.#shares.has(holder) ? { leave: this.#begin(holder) } : this.#wait(holder, waitMs)
  }

  #begin(holder: string): () => void {
    const giveBack = this.#shares.take(holder)
    const leave = () => {
      clearTimeout(timer)
      giveBack()
      this.#next()
    }
    const timer = setTimeout(leave, this.#longestMs).unref()
    return leave
  }

  #wait(holder: string, waitMs: number): Place {
    const { promise: turn, resolve, reject } = Promise.withResolvers<void>()
    let leave: (() => void) | undefined
    const giveUp = () => {
      clearTimeout(timer)
      this.#turns.remove(holder, waiting)
      reject(unavailable('Too many requests are waiting for their turn; try again shortly'))
    }
    const timer = setTimeout(giveUp, waitMs)
    const waiting: Waiting = {
      begin: () => {
        clearTimeout(timer)
        leave = this.#begin(holder)
        resolve()
      },
    }
    this.#turns.add(holder, waiting)
    return { turn, leave: () => (leave ?? giveUp)() }
  }

  #next(): void {
    const mayHave = (holder: string) => this.#shares.has(holder)
    for (let one = this.#turns.take(mayHave); one; one = this.#turns.take(mayHave)) one.begin()
  }
}
