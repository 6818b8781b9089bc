/** Limits on the use of this process: by number, by bytes, by rate and by turns of the event loop, each of them shared by owner. */
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../errors/catalogue.ts'

/** Counts the users of a resource; each user gives it back once, however often it calls the function. */
export interface UseCounter {
  /** Number of users at the moment. */
  readonly count: number
  /** Counts one more until the returned function is called. */
  enter(): () => void
  /** Resolves once it has no user. */
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

/**
 * Runs work within the limit.
 * @param key of the work's owner; of one key no more than its part may run and wait.
 */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, key?: string) => Promise<T>

interface ConcurrencyLimits {
  readonly running: number
  readonly waiting: number
  /** Most pieces of work of one key that may run or wait; all of them when absent. */
  readonly waitingPerKey?: number
}

/**
 * A concurrency limit for costly work: `running` pieces of work run at once, `waiting` more wait for their turn, first come
 * first served. One more is refused at once: ServiceError SERVICE_UNAVAILABLE.
 */
export function createConcurrencyLimit({
  running,
  waiting,
  waitingPerKey = Number.POSITIVE_INFINITY,
}: ConcurrencyLimits): ConcurrencyLimit {
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

export interface ByteLimits {
  readonly perOwner: number
  readonly inAll: number
}

/** Budget of bytes that are held at the moment, by owner and in all. */
export class ByteBudget {
  readonly #held = new Map<string, number>()
  readonly #limits: ByteLimits
  #inAll = 0

  constructor(limits: ByteLimits) {
    this.#limits = limits
  }

  /** How many bytes are held. */
  get taken(): number {
    return this.#inAll
  }

  /** Takes bytes. @returns a function that gives them back, which may be called twice; undefined when they do not fit. */
  take(owner: string, bytes: number): (() => void) | undefined {
    const { perOwner, inAll } = this.#limits
    if ((this.#held.get(owner) ?? 0) + bytes > perOwner || this.#inAll + bytes > inAll) return undefined
    this.#add(owner, bytes)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(owner, -bytes)
      isHeld = false
    }
  }

  #add(owner: string, bytes: number): void {
    const total = (this.#held.get(owner) ?? 0) + bytes
    this.#inAll += bytes
    if (total > 0) this.#held.set(owner, total)
    else this.#held.delete(owner)
  }
}

export interface Pace {
  readonly perSecond: number
  /** Number at once that need not wait. */
  readonly atOnce: number
  /** The longest wait in milliseconds; an owner that is further behind asks for too much. */
  readonly longestMs: number
}

/** Most requests that wait at the same time, since each takes memory; more are let through without a wait. */
const MAX_WAITING = 20_000
const MAX_OWNERS = 10_000

/** Wait between half of the given one and all of it, so that requests that came together do not go on together. */
const spread = (ms: number): number => (ms * (1 + Math.random())) / 2

/**
 * Pace for frequent requests: some at once, then one after the other at a rate, each owner by itself (the generic cell
 * rate algorithm, ITU-T I.371). A client that sends again as soon as it has its response is slowed down by its
 * responses.
 */
export class Pacer {
  /** The time at which each owner will have been served everything that it has requested, at its rate. */
  readonly #doneAt = new LRUCache<string, number>({ max: MAX_OWNERS })
  readonly #pace: Pace
  readonly #now: () => number
  #waiting = 0

  constructor(pace: Pace, now: () => number = () => performance.now()) {
    this.#pace = pace
    this.#now = now
  }

  /** Counts one more. @returns how long it should wait, in milliseconds, and whether that is within the longest wait. */
  count(owner: string): { readonly waitMs: number; readonly isWithin: boolean } {
    const { perSecond, atOnce, longestMs } = this.#pace
    const now = this.#now()
    const each = 1_000 / perSecond
    const doneAt = Math.max(now, this.#doneAt.get(owner) ?? 0) + each
    const waitMs = Math.max(0, doneAt - now - atOnce * each)
    if (waitMs > longestMs) return { waitMs: spread(longestMs), isWithin: false }
    this.#doneAt.set(owner, doneAt)
    return { waitMs, isWithin: true }
  }

  /** Takes back a count. */
  uncount(owner: string): void {
    const doneAt = this.#doneAt.get(owner)
    if (doneAt !== undefined) this.#doneAt.set(owner, doneAt - 1_000 / this.#pace.perSecond)
  }

  /** Counts one more and waits its time. @returns whether that was within the longest wait. */
  async wait(owner: string): Promise<boolean> {
    const { waitMs, isWithin } = this.count(owner)
    if (waitMs > 0 && this.#waiting < MAX_WAITING) {
      this.#waiting += 1
      await delay(waitMs, undefined, { ref: false })
      this.#waiting -= 1
    }
    return isWithin
  }
}

/** Queue of items by owner: owners are served in turn, and the items of one owner in the sequence in which they came. */
export class RoundRobin<Owner, Item> {
  /** Items by owner; the owner at the front is the next one. */
  readonly #queues = new Map<Owner, Set<Item>>()

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  add(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner)
    if (queue) queue.add(item)
    else this.#queues.set(owner, new Set([item]))
  }

  remove(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner)
    if (queue?.delete(item) && queue.size === 0) this.#queues.delete(owner)
  }

  /** Takes the first item of the next owner that may have its turn; that owner is then the last one. */
  take(mayHave: (owner: Owner) => boolean = () => true): Item | undefined {
    for (const [owner, queue] of this.#queues) {
      if (!mayHave(owner)) continue
      const [first] = queue
      queue.delete(first!)
      this.#queues.delete(owner)
      if (queue.size > 0) this.#queues.set(owner, queue)
      return first
    }
    return undefined
  }
}

/** Gate for one costly piece of work in each turn of the event loop, between which what has come is read and answered. */
export class OnePerTurn {
  readonly #waiting = new RoundRobin<string, () => void>()
  #isTaken = false

  /** Resolves when it is this client's turn: at once where nothing else has had this turn of the event loop. */
  take(client: string): Promise<void> {
    if (this.#isTaken) return new Promise(resolve => this.#waiting.add(client, resolve))
    this.#occupy()
    return Promise.resolve()
  }

  #occupy(): void {
    this.#isTaken = true
    setImmediate(() => {
      this.#isTaken = false
      const resolve = this.#waiting.take()
      if (!resolve) return
      this.#occupy()
      resolve()
    })
  }
}
