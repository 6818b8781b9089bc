/** One call that several requests wait for: each until its own deadline, and the call only as long as anyone waits. */
import { createAbortable, whenOver } from '#core/async/deadline.ts'

interface Waiter<T> {
  readonly signal: AbortSignal
  resolve(result: T): void
  /** Nobody need tell it any more that its time is up. */
  forget(): void
}

export class CoalescedCall<T> {
  readonly #own = createAbortable()
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
    run(this.#own.signal).then(result => this.#give(result))
  }

  /** The result, the taker's own. @throws the signal's reason as soon as it is aborted. */
  take(signal: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const leave = () => {
      reject(signal.reason)
      this.#leave(waiter)
    }
    const waiter = { signal, resolve, forget: whenOver(signal, leave) }
    this.#waiters.add(waiter)
    if (signal.aborted) leave()
    return promise
  }

  /** All are given theirs before any goes on, since who goes on may change its own. */
  #give(result: T): void {
    this.#ended()
    let isGiven = false
    for (const { resolve, forget } of this.#waiters) {
      forget()
      resolve(isGiven ? this.#copy(result) : result)
      isGiven = true
    }
  }

  #leave(waiter: Waiter<T>): void {
    this.#waiters.delete(waiter)
    if (this.#waiters.size > 0) return
    this.#ended()
    this.#own.abort(waiter.signal.reason)
  }
}
