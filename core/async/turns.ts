/**
 * Turns of the event loop for work that would hold it up: it is begun by its owners one after the other, however much each of
 * them has sent, and everything else goes on between two turns. `OnePerTurn` begins one costly piece of work in a turn;
 * `Turns` begins as many small ones as take a few milliseconds.
 */

/**
 * Queue of items by owner: owners are served in turn, and the items of one owner in the sequence in which they came.
 */
export class RoundRobin<Owner, Item> {
  /** Items by owner; the owner at the front is the next one. */
  readonly #queues = new Map<Owner, Set<Item>>()

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  add(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner)
    if (queue) queue.add(item)
    else this.#queues.set(owner, new Set([item]))
  }

  remove(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner)
    if (queue?.delete(item) && queue.size === 0) this.#queues.delete(owner)
  }

  /** Takes the first item of the next owner that may have its turn; that owner is then the last one. */
  take(mayHave: (owner: Owner) => boolean = () => true): Item | undefined {
    for (const [owner, queue] of this.#queues) {
      if (!mayHave(owner)) continue
      const [first] = queue
      queue.delete(first!)
      this.#queues.delete(owner)
      if (queue.size > 0) this.#queues.set(owner, queue)
      return first
    }
    return undefined
  }
}

/**
 * Gate for one piece of work in each turn of the event loop: what has come meanwhile is read and answered between two
 * of them.
 */
export class OnePerTurn {
  readonly #waiting = new RoundRobin<string, () => void>()
  #isTaken = false

  /** Resolves when it is this client's turn: at once where nothing else has had this turn of the event loop. */
  take(client: string): Promise<void> {
    if (this.#isTaken) return new Promise(resolve => this.#waiting.add(client, resolve))
    this.#occupy()
    return Promise.resolve()
  }

  #occupy(): void {
    this.#isTaken = true
    setImmediate(() => {
      this.#isTaken = false
      const resolve = this.#waiting.take()
      if (!resolve) return
      this.#occupy()
      resolve()
    })
  }
}

/** The longest that work is begun in one turn, in milliseconds; one piece of work that takes longer is not interrupted. */
const TURN_MS = 5
/**
 * Pieces of work that are looked at in one turn: each is a callback of its own, after which its promises go on before
 * the next.
 */
const AT_ONCE = 32

/**
 * Scheduler for work that comes in bursts: as much is begun in one turn as takes a few milliseconds, and the rest in
 * later turns.
 */
export class Turns {
  readonly #waiting = new RoundRobin<object, () => void>()
  readonly #now: () => number
  #steps = 0
  #began = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Begins work in its owner's turn; the work of one owner begins in the sequence in which it came. */
  add(owner: object, work: () => void): void {
    this.#waiting.add(owner, work)
    if (this.#steps === 0) this.#schedule(1)
  }

  #schedule(steps: number): void {
    this.#steps = steps
    this.#began = Number.NaN
    for (let step = 0; step < steps; step += 1) setImmediate(() => this.#step())
  }

  /** Runs one step; all steps that were scheduled together run in one turn. */
  #step(): void {
    const now = this.#now()
    if (Number.isNaN(this.#began)) this.#began = now
    try {
      if (now - this.#began < TURN_MS) this.#waiting.take()?.()
    } finally {
      // Only now: work that adds more must not schedule steps beside these.
      this.#steps -= 1
      if (this.#steps === 0 && !this.#waiting.isEmpty) this.#schedule(AT_ONCE)
    }
  }
}
