/**
 * Places that several holders share by a dynamic threshold (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998): each may hold so many times as many as are free. A holder alone has most of them,
 * n holders that want everything have the same number each, and the next one finds room in any case.
 */

/** A holder alone has three quarters of the places; two have three sevenths each. */
const TIMES_THE_FREE = 3

export class Shares {
  readonly #held = new Map<string, number>()
  readonly #places: number
  #taken = 0

  constructor(places: number) {
    this.#places = places
  }

  /** Whether a place is left for this holder. */
  has(holder: string): boolean {
    const free = this.#places - this.#taken
    return free > 0 && (this.#held.get(holder) ?? 0) < TIMES_THE_FREE * free
  }

  /** Takes a place. @returns a function that gives it back, which may be called twice. */
  take(holder: string): () => void {
    this.#add(holder, 1)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(holder, -1)
      isHeld = false
    }
  }

  #add(holder: string, change: number): void {
    const held = (this.#held.get(holder) ?? 0) + change
    this.#taken += change
    if (held > 0) this.#held.set(holder, held)
    else this.#held.delete(holder)
  }
}
