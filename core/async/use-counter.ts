/** Counts who uses something at the moment; each gives it back once, however often it says so. */

export interface UseCounter {
  /** How many use it. */
  readonly count: number
  /** Counts one more until the returned function is called. */
  enter(): () => void
  /** Resolves once nobody uses it. */
  unused(): Promise<void>
}

export function createUseCounter(): UseCounter {
  let count = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    count -= 1
    if (count === 0) for (const done of waiting.splice(0)) done()
  }
  return {
    get count() {
      return count
    },
    enter() {
      count += 1
      let inside = true
      return () => {
        if (inside) leave()
        inside = false
      }
    },
    unused: () => (count === 0 ? Promise.resolve() : new Promise(done => waiting.push(done))),
  }
}
