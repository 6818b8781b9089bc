/** A concurrency limit for costly work: so many run at once, so many wait, the rest are refused at once. */
import { unavailable } from '../errors/catalogue.ts'

/** @param key who wants it; of one key no more than its part may run and wait. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, key?: string) => Promise<T>

export interface GateLimits {
  readonly running: number
  readonly waiting: number
  /** How many of one key may run or wait; all of them when absent. */
  readonly waitingPerKey?: number
}

/**
 * Lets `running` pieces of work run at once and `waiting` more wait for their turn, first come first served.
 * One more: ServiceError SERVICE_UNAVAILABLE.
 */
export function createConcurrencyLimit({
  running,
  waiting,
  waitingPerKey = Number.POSITIVE_INFINITY,
}: GateLimits): ConcurrencyLimit {
  const queue: (() => void)[] = []
  const ofKey = new Map<string, number>()
  let free = running
  const count = (key: string, change: number) => {
    const next = (ofKey.get(key) ?? 0) + change
    if (next > 0) ofKey.set(key, next)
    else ofKey.delete(key)
  }
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
  return async (work, key = '') => {
    if (key !== '' && (ofKey.get(key) ?? 0) >= waitingPerKey)
      throw unavailable('Too many requests of this client are waiting')
    count(key, 1)
    try {
      await enter()
      return await work().finally(leave)
    } finally {
      count(key, -1)
    }
  }
}
