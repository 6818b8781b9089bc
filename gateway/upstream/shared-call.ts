/** One call that several wait for: each as long as it may, and the call only as long as anyone does. */
import { untilAborted } from '../../subgraphs/shared/until-aborted.ts'

type Resolve<T> = (result: T) => void

export class SharedCall<T> {
  readonly #controller = new AbortController()
  readonly #takers = new Set<Resolve<T>>()
  readonly #copy: (result: T) => T
  readonly #ended: () => void

  /**
   * Begins the call.
   * @param run never fails, whatever its signal does.
   * @param ended called once, when nobody may join any longer.
   */
  constructor(run: (signal: AbortSignal) => Promise<T>, copy: (result: T) => T, ended: () => void) {
    this.#copy = copy
    this.#ended = ended
    run(this.#controller.signal).then(result => this.#give(result))
  }

  /** The result, the taker's own. @throws the signal's reason as soon as it is aborted. */
  async take(signal: AbortSignal): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>()
    this.#takers.add(resolve)
    return untilAborted(promise, signal).catch(reason => {
      this.#leave(resolve, reason)
      throw reason
    })
  }

  /** All are given theirs before any goes on, since who goes on may change its own. */
  #give(result: T): void {
    this.#ended()
    const [first, ...others] = this.#takers
    for (const resolve of others) resolve(this.#copy(result))
    first?.(result)
  }

  #leave(resolve: Resolve<T>, reason: unknown): void {
    this.#takers.delete(resolve)
    if (this.#takers.size > 0) return
    this.#ended()
    this.#controller.abort(reason)
  }
}
