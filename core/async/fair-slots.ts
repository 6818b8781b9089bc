/**
 * Fair slots: how much of one sort of work runs at once, shared among clients by a dynamic threshold (Choudhury and Hahne,
 * "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", 1998). A client may hold no more slots than are
 * free: one alone holds half of them, two hold a third each, and the next one finds room at once, however long the others
 * hold theirs.
 */
import { whenOver } from './deadline.ts'

/** Gives a slot back; it may be called twice. */
export type FreeSlot = () => void

type Turn = (free: FreeSlot) => void

export class FairSlots {
  readonly #total: number
  #used = 0
  readonly #held = new Map<string, number>()
  /** In the sequence in which clients began to wait, or were served last. */
  readonly #waiting = new Map<string, Set<Turn>>()

  /** @param total how many there are. */
  constructor(total: number) {
    this.#total = total
  }

  /** A slot, unless the client holds as many as are free. */
  take(client: string): FreeSlot | undefined {
    return this.#mayHoldMore(client) ? this.#give(client) : undefined
  }

  /**
   * A slot as soon as the client may hold one more; of those who wait, who holds the fewest is next.
   * @throws the signal's reason when it is aborted before.
   */
  async wait(client: string, signal: AbortSignal): Promise<FreeSlot> {
    signal.throwIfAborted()
    const taken = this.take(client)
    if (taken) return taken
    const { promise, resolve, reject } = Promise.withResolvers<FreeSlot>()
    const turns = this.#waiting.get(client) ?? new Set()
    this.#waiting.set(client, turns.add(resolve))
    const forget = whenOver(signal, () => {
      this.#leave(client, resolve)
      reject(signal.reason)
    })
    return promise.finally(forget)
  }

  #mayHoldMore(client: string): boolean {
    return this.#heldBy(client) < this.#total - this.#used
  }

  #heldBy(client: string): number {
    return this.#held.get(client) ?? 0
  }

  #give(client: string): FreeSlot {
    this.#count(client, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#count(client, -1)
      this.#serve()
    }
  }

  #count(client: string, change: number): void {
    this.#used += change
    const held = this.#heldBy(client) + change
    if (held > 0) this.#held.set(client, held)
    else this.#held.delete(client)
  }

  #leave(client: string, turn: Turn): void {
    const turns = this.#waiting.get(client)
    turns?.delete(turn)
    if (turns?.size === 0) this.#waiting.delete(client)
  }

  /** The client who waits, may hold one more and holds the fewest. */
  #next(): string | undefined {
    let next: string | undefined
    for (const client of this.#waiting.keys()) {
      const isFewer = next === undefined || this.#heldBy(client) < this.#heldBy(next)
      if (isFewer && this.#mayHoldMore(client)) next = client
    }
    return next
  }

  #serve(): void {
    for (let client = this.#next(); client !== undefined; client = this.#next()) {
      const turns = this.#waiting.get(client)!
      const [turn] = turns
      this.#leave(client, turn!)
      // Among those who hold as many, the others are served before this one's next.
      if (this.#waiting.delete(client)) this.#waiting.set(client, turns)
      turn!(this.#give(client))
    }
  }
}
