/** One queue for all binds: whoever waits longest gets the first place that is free on a bind that is up and not too fast. */
import type { Bind } from './bind.ts'

/** A place in the window of a bind. */
export interface Place {
  readonly bind: Bind
  /** When it was given out, by the pace's clock. */
  readonly takenAt: number
  /** Gives it back; call once the response has come, or is given up. */
  release(): void
}

interface Waiting {
  readonly give: (place: Place) => void
}

const mayTake = ({ down, window }: Bind) => down === undefined && !window.isFull

/** The one with the most room, of those that need not wait. */
const readiest = (binds: readonly Bind[]): Bind | undefined =>
  binds
    .filter(bind => mayTake(bind) && bind.pace.waitMs() === 0)
    .toSorted((a, b) => b.window.size - b.window.outstanding - (a.window.size - a.window.outstanding))[0]

const takePlace = (bind: Bind): Place => {
  bind.pace.sent()
  return { bind, takenAt: performance.now(), release: bind.window.take() }
}

export interface Dispatcher {
  /** Resolves with a place to send from. @throws the signal's reason. */
  place(signal: AbortSignal): Promise<Place>
  /** Something may have become free. */
  wake(): void
  stop(): void
}

/** @param binds all there are, which may come to be after the dispatcher. */
export function createDispatcher(binds: () => readonly Bind[]): Dispatcher {
  const queue = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined

  /** Comes back when the first of those that wait for their pace may go on. */
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
      waiting.give(takePlace(bind))
    }
    comeBack()
  }
  return {
    wake,
    async place(signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<Place>()
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
