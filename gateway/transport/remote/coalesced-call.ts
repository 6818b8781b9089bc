/** One call that several requests wait for: each until its own deadline, and the call only as long as anyone waits. */

interface Waiter<T> {
  readonly signal: AbortSignal
  resolve(result: T): void
  leave(): void
}

export class CoalescedCall<T> {
  readonly #controller = new AbortController()
  readonly #waiters = new Set<Waiter<T>>()
  readonly #copy: (result: T) => T
  readonly #ended: () => void

  /**
   * Begins the call.
   * @param run never fails, whatever its signal does.
   * @param ended called when nobody may join any longer.
   */
  constructor(run: (signal: AbortSignal) => Promise<T>, copy: (result: T) => T, ended: () => void) {
    this.#copy = copy
    this.#ended = ended
    run(this.#controller.signal).then(result => this.#give(result))
  }

  /** The result, the taker's own. @throws the signal's reason as soon as it is aborted. */
  take(signal: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const leave = () => {
      reject(signal.reason)
      this.#leave(waiter)
    }
    const waiter = { signal, resolve, leave }
    this.#waiters.add(waiter)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave)
    return promise
  }

  /** All are given theirs before any goes on, since who goes on may change its own. */
  #give(result: T): void {
    this.#ended()
    let isGiven = false
    for (const { resolve, signal, leave } of this.#waiters) {
      signal.removeEventListener('abort', leave)
      resolve(isGiven ? this.#copy(result) : result)
      isGiven = true
    }
  }

  #leave(waiter: Waiter<T>): void {
    this.#waiters.delete(waiter)
    if (this.#waiters.size > 0) return
    this.#ended()
    this.#controller.abort(waiter.signal.reason)
  }
}
