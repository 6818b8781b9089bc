/** One queue for all binds: the longest waiting message gets the first slot that is free on a bind that is up and may send. */
import type { Bind } from './bind.ts'

/** Slot in the window of a bind. */
export interface Slot {
  readonly bind: Bind
  /** Time at which it was taken, by the pace's clock. */
  readonly takenAt: number
  /** Frees the slot; called once the response has come, or is given up. */
  release(): void
}

interface Waiting {
  readonly give: (slot: Slot) => void
}

const mayTake = ({ down, window }: Bind) => down === undefined && !window.isFull

/** Picks the bind with the most free slots among those that need not wait. */
const readiest = (binds: readonly Bind[]): Bind | undefined =>
  binds
    .filter(bind => mayTake(bind) && bind.pace.waitMs() === 0)
    .toSorted((a, b) => b.window.size - b.window.outstanding - (a.window.size - a.window.outstanding))[0]

const takeSlot = (bind: Bind): Slot => {
  bind.pace.sent()
  return { bind, takenAt: performance.now(), release: bind.window.take() }
}

export interface Dispatcher {
  /** Resolves with a slot. @throws the signal's reason. */
  slot(signal: AbortSignal): Promise<Slot>
  /** Looks for free slots. */
  wake(): void
  stop(): void
}

/** @param binds gives all binds; they may be made after the dispatcher. */
export function createDispatcher(binds: () => readonly Bind[]): Dispatcher {
  const queue = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined

  /** Sets the timer to the moment at which the first bind may send again. */
  const comeBack = () => {
    const waits = binds()
      .filter(mayTake)
      .map(({ pace }) => pace.waitMs())
    if (queue.size > 0 && waits.length > 0) timer = setTimeout(wake, Math.ceil(Math.min(...waits)))
  }
  const wake = () => {
    clearTimeout(timer)
    for (const waiting of queue) {
      const bind = readiest(binds())
      if (!bind) break
      queue.delete(waiting)
      waiting.give(takeSlot(bind))
    }
    comeBack()
  }
  return {
    wake,
    async slot(signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<Slot>()
      const waiting = { give: resolve }
      const leave = () => {
        queue.delete(waiting)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.add(waiting)
      wake()
      return promise.finally(() => signal.removeEventListener('abort', leave))
    },
    stop: () => clearTimeout(timer),
  }
}
