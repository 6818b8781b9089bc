/** A gate before costly work: so many run at once, so many wait, the rest are refused at once. */
import { unavailable } from '../errors.ts'

export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets `running` pieces of work run at once and `waiting` more wait for their turn, first come first served.
 * One more: ServiceError SERVICE_UNAVAILABLE.
 */
export function createGate({ running, waiting }: { running: number; waiting: number }): Gate {
  const queue: (() => void)[] = []
  let free = running
  const enter = async () => {
    if (free > 0) return void free--
    if (queue.length >= waiting) throw unavailable('Too many requests of this kind are waiting')
    await new Promise<void>(turn => queue.push(turn))
  }
  const leave = () => {
    const next = queue.shift()
    if (next) next()
    else free++
  }
  return async work => {
    await enter()
    return work().finally(leave)
  }
}
