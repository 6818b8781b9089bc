/**
 * Slots that several owners share by a dynamic threshold (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998): each owner may hold a multiple of the slots that are free. Owners that want
 * everything get the same number each, and the next owner finds a free slot however long the others hold theirs.
 */
import { unavailable } from '../errors/catalogue.ts'
import { type Ending, whenOver } from './deadline.ts'
import { RoundRobin } from './limits.ts'

/**
 * Multiple of the free slots that an owner may hold: one alone has three quarters of the slots, two have three sevenths
 * each.
 */
const TIMES_THE_FREE = 3

/** The slots and their owners. */
export class Shares {
  readonly #held = new Map<string, number>()
  readonly #slots: number
  readonly #timesTheFree: number
  #taken = 0

  constructor(slots: number, timesTheFree = TIMES_THE_FREE) {
    this.#slots = slots
    this.#timesTheFree = timesTheFree
  }

  /** How many slots are held. */
  get taken(): number {
    return this.#taken
  }

  /** Whether this owner may take a slot. */
  has(owner: string): boolean {
    return this.heldBy(owner) < this.#timesTheFree * (this.#slots - this.#taken)
  }

  /** How many slots this owner holds. */
  heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0
  }

  /** Takes a slot. @returns a function that gives it back, which may be called twice. */
  take(owner: string): () => void {
    this.#add(owner, 1)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(owner, -1)
      isHeld = false
    }
  }

  #add(owner: string, change: number): void {
    const held = this.heldBy(owner) + change
    this.#taken += change
    if (held > 0) this.#held.set(owner, held)
    else this.#held.delete(owner)
  }
}

interface FairGateOptions {
  /** How many pieces of work are in flight at once. */
  readonly slots: number
  /**
   * Time after which a piece of work no longer counts, in milliseconds: it waits for something else than this process
   * (a slow service, a lock), and would keep others from work that could be done meanwhile.
   */
  readonly longestMs: number
}

/** Slot of the gate, or a place in the queue before it. */
export interface Admission {
  /**
   * Resolves when the work may begin; absent where it may begin at once. Rejects with SERVICE_UNAVAILABLE when it has waited
   * too long.
   */
  readonly turn?: Promise<void>
  /** Gives the slot back, or waits no longer. May be called twice. */
  leave(): void
}

interface Waiting {
  readonly begin: () => void
}

/** Fair admission to work: what waits is admitted by its owners in turn. An owner with much work delays only itself. */
export class FairGate {
  readonly #waiting = new RoundRobin<string, Waiting>()
  readonly #shares: Shares
  readonly #longestMs: number
  readonly #mayHave = (owner: string): boolean => this.#shares.has(owner)

  constructor({ slots, longestMs }: FairGateOptions) {
    this.#shares = new Shares(slots)
    this.#longestMs = longestMs
  }

  /** How many pieces of work are in flight. */
  get taken(): number {
    return this.#shares.taken
  }

  /** Asks for a slot. @param waitMs the longest wait for it, in milliseconds. */
  enter(owner: string, waitMs: number): Admission {
    // Of those that wait none may have a slot: each was begun as soon as it might.
    return this.#shares.has(owner) ? { leave: this.#begin(owner) } : this.#wait(owner, waitMs)
  }

  #begin(owner: string): () => void {
    const giveBack = this.#shares.take(owner)
    const leave = () => {
      clearTimeout(timer)
      giveBack()
      for (let one = this.#waiting.take(this.#mayHave); one; one = this.#waiting.take(this.#mayHave))
        one.begin()
    }
    const timer = setTimeout(leave, this.#longestMs).unref()
    return leave
  }

  #wait(owner: string, waitMs: number): Admission {
    const { promise: turn, resolve, reject } = Promise.withResolvers<void>()
    let leave: (() => void) | undefined
    const giveUp = () => {
      clearTimeout(timer)
      this.#waiting.remove(owner, waiting)
      reject(unavailable('Too many requests are waiting for their turn; try again shortly'))
    }
    const timer = setTimeout(giveUp, waitMs)
    const waiting: Waiting = {
      begin: () => {
        clearTimeout(timer)
        leave = this.#begin(owner)
        resolve()
      },
    }
    this.#waiting.add(owner, waiting)
    return { turn, leave: () => (leave ?? giveUp)() }
  }
}

/** Gives a slot back; it may be called twice. */
export type FreeSlot = () => void

type Turn = (free: FreeSlot) => void

/**
 * Fair slots for work that lasts: a client may hold no more slots than are free. One alone holds half of them, two hold a
 * third each.
 */
export class FairSlots {
  readonly #shares: Shares
  /** Waiting clients, in the sequence in which they began to wait, or were served last. */
  readonly #waiting = new Map<string, Set<Turn>>()

  /** @param total how many there are. */
  constructor(total: number) {
    this.#shares = new Shares(total, 1)
  }

  /** Takes a slot; undefined where the client holds as many as are free. */
  take(client: string): FreeSlot | undefined {
    return this.#shares.has(client) ? this.#give(client) : undefined
  }

  /**
   * Waits for a slot until the client may hold one more; of the clients that wait, the one that holds the fewest is
   * next.
   * @throws the reason of an end that comes before.
   */
  async wait(client: string, ending: Ending): Promise<FreeSlot> {
    if (ending.aborted) throw ending.reason
    const taken = this.take(client)
    if (taken) return taken
    const { promise, resolve, reject } = Promise.withResolvers<FreeSlot>()
    const turns = this.#waiting.get(client) ?? new Set()
    this.#waiting.set(client, turns.add(resolve))
    const forget = whenOver(ending, () => {
      this.#leave(client, resolve)
      reject(ending.reason)
    })
    return promise.finally(forget)
  }

  #give(client: string): FreeSlot {
    const giveBack = this.#shares.take(client)
    return () => {
      giveBack()
      this.#serve()
    }
  }

  #leave(client: string, turn: Turn): void {
    const turns = this.#waiting.get(client)
    turns?.delete(turn)
    if (turns?.size === 0) this.#waiting.delete(client)
  }

  /** Finds the waiting client that may hold one more and holds the fewest. */
  #next(): string | undefined {
    let next: string | undefined
    for (const client of this.#waiting.keys()) {
      const isFewer = next === undefined || this.#shares.heldBy(client) < this.#shares.heldBy(next)
      if (isFewer && this.#shares.has(client)) next = client
    }
    return next
  }

  #serve(): void {
    for (let client = this.#next(); client !== undefined; client = this.#next()) {
      const turns = this.#waiting.get(client)!
      const [turn] = turns
      this.#leave(client, turn!)
      // Among those that hold as many, the others are served before this one's next.
      if (this.#waiting.delete(client)) this.#waiting.set(client, turns)
      turn!(this.#give(client))
    }
  }
}
