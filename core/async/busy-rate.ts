/** Rate at which work is done while there is more than can be done at once: what can be done, as opposed to what is asked for. */

/** Time over which it is measured, in milliseconds. */
const WINDOW_MS = 250
/** Part of a new measurement in the rate, so that one slow moment does not decide. */
const WEIGHT = 0.5

export class BusyRate {
  readonly #now: () => number
  #since: number | undefined
  #done = 0
  #perSecond: number | undefined

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The rate in a second; undefined where there is not more to do, or not for long enough yet. */
  get perSecond(): number | undefined {
    return this.#perSecond
  }

  /** Counts work that is done. @param isBusy whether there was more to do than can be done at once. */
  count(isBusy: boolean): void {
    if (!isBusy) {
      this.#since = undefined
      this.#perSecond = undefined
      return
    }
    const now = this.#now()
    if (this.#since === undefined) {
      this.#since = now
      this.#done = 0
    }
    this.#done += 1
    const ms = now - this.#since
    if (ms < WINDOW_MS) return
    const measured = (this.#done * 1_000) / ms
    this.#perSecond =
      this.#perSecond === undefined ? measured : this.#perSecond + WEIGHT * (measured - this.#perSecond)
    this.#since = now
    this.#done = 0
  }
}
