/** Bytes that are held at the moment, by holder and in all: whoever wants more than fits is refused. */

export interface ByteLimits {
  readonly perHolder: number
  readonly inAll: number
}

export class ByteBudget {
  readonly #held = new Map<string, number>()
  readonly #limits: ByteLimits
  #inAll = 0

  constructor(limits: ByteLimits) {
    this.#limits = limits
  }

  /** Returns a function that gives them back, which may be called twice; undefined when they do not fit. */
  take(holder: string, bytes: number): (() => void) | undefined {
    const { perHolder, inAll } = this.#limits
    if (this.#of(holder) + bytes > perHolder || this.#inAll + bytes > inAll) return undefined
    this.#add(holder, bytes)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(holder, -bytes)
      isHeld = false
    }
  }

  #of(holder: string): number {
    return this.#held.get(holder) ?? 0
  }

  #add(holder: string, bytes: number): void {
    const total = this.#of(holder) + bytes
    this.#inAll += bytes
    if (total > 0) this.#held.set(holder, total)
    else this.#held.delete(holder)
  }
}
