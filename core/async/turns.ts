/**
 * Turns of the event loop, shared: of work that comes in bursts, so much is begun in one turn as takes a few milliseconds,
 * by its holders one after the other. The rest waits for later turns, between which everything else goes on.
 */

/** What one turn may take, in milliseconds. One piece of work that takes longer is not broken off. */
const TURN_MS = 5
/** So many are looked at in one turn: each is a callback of its own, after which its promises go on before the next. */
const AT_ONCE = 32

type Work = () => void

export class Turns {
  readonly #queues = new Map<object, Work[]>()
  readonly #now: () => number
  #steps = 0
  #began = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Begins work in its holder's turn, and that of one holder in the order in which it came. */
  add(holder: object, work: Work): void {
    const queue = this.#queues.get(holder)
    if (queue) queue.push(work)
    else this.#queues.set(holder, [work])
    if (this.#steps === 0) this.#schedule(1)
  }

  #schedule(steps: number): void {
    this.#steps = steps
    this.#began = Number.NaN
    for (let step = 0; step < steps; step += 1) setImmediate(() => this.#step())
  }

  /** All steps that were scheduled together run in one turn. */
  #step(): void {
    const now = this.#now()
    if (Number.isNaN(this.#began)) this.#began = now
    try {
      if (now - this.#began < TURN_MS) this.#take()?.()
    } finally {
      // Only now: work that adds more must not schedule steps beside these.
      this.#steps -= 1
      if (this.#steps === 0 && this.#queues.size > 0) this.#schedule(AT_ONCE)
    }
  }

  /** Takes the first of the next holder, which is then the last in turn. */
  #take(): Work | undefined {
    const [next] = this.#queues
    if (!next) return undefined
    const [holder, queue] = next
    const work = queue.shift()
    this.#queues.delete(holder)
    if (queue.length > 0) this.#queues.set(holder, queue)
    return work
  }
}
