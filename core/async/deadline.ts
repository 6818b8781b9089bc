/**
 * The limit on how long a request may take (docs/decisions.md, "Failures": 504). It is held by the clock as well as by
 * a timer: a process that is busy, as it is while the embedded database works in it, comes late to its timers.
 *
 * Once a request has begun to write, the commit alone decides its outcome: 504 means that nothing was written.
 */
import { ServiceError } from '../errors/catalogue.ts'

const expired = (ms: number) =>
  new ServiceError('REQUEST_TIMEOUT_EXCEEDED', `The request took longer than ${ms} ms`)

/** The time of one request. */
interface Deadline {
  /** Aborted when the time is up. */
  readonly signal: AbortSignal
  /** Stops the clock. */
  stop(): void
  /** Ends the time now, for this reason: nobody waits for the outcome any more. */
  cancel(reason: unknown): void
}

type OnOver = () => void

/** End of a wait that its owner alone decides on; an AbortSignal, which does more, takes ten times as long to make. */
export class OwnEnding {
  aborted = false
  reason: unknown = undefined
  /** Functions to call then. */
  readonly waiting = new Set<OnOver>()

  /** Ends the wait; only the first reason counts. */
  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const onOver of this.waiting) onOver()
  }
}

/** End that `whenOver` waits for. */
export type Ending = AbortSignal | OwnEnding

interface Clock {
  isOver(): boolean
  isWriting: boolean
  /** Functions to call when the time is up; listening to the signal costs a hundred times as much. */
  readonly waiting: Set<OnOver>
}

/** Place of a signal's clock. A map of all clocks beside the signals would occupy each garbage collection. */
const CLOCK = Symbol('clock')

const clockOf = (signal: AbortSignal): Clock | undefined => (signal as { readonly [CLOCK]?: Clock })[CLOCK]

/** A signal, and what aborts it. */
interface Abortable {
  readonly signal: AbortSignal
  /** Aborts the signal; only the first reason counts. */
  abort(reason: unknown): void
}

const createClock = (isOver: (abortable: Abortable) => boolean): Abortable => {
  const controller = new AbortController()
  const { signal } = controller
  const waiting = new Set<OnOver>()
  const abort = (reason: unknown) => {
    if (signal.aborted) return
    controller.abort(reason)
    for (const onOver of waiting) onOver()
  }
  const abortable = { signal, abort }
  const clock: Clock = { isOver: () => isOver(abortable), isWriting: false, waiting }
  ;(signal as { [CLOCK]?: Clock })[CLOCK] = clock
  return abortable
}

/** Makes a signal that its owner alone aborts; `whenOver` waits for it as for a request's. */
export const createAbortable = (): Abortable => createClock(({ signal }) => signal.aborted)

/**
 * Starts the clock of a request.
 * @param ms the limit in milliseconds.
 * @param spentMs how much of it is spent already.
 */
export function startDeadline(ms: number, spentMs = 0): Deadline {
  const end = performance.now() + ms - spentMs
  const { signal, abort } = createClock(clock => {
    if (performance.now() >= end) clock.abort(expired(ms))
    return clock.signal.aborted
  })
  const timer = setTimeout(() => abort(expired(ms)), Math.max(ms - spentMs, 0))
  const stop = () => clearTimeout(timer)
  const cancel = (reason: unknown) => {
    stop()
    abort(reason)
  }
  return { signal, stop, cancel }
}

/** Whether the time is up, also where the timer has not fired yet. */
export const isOver = (signal: AbortSignal): boolean => clockOf(signal)?.isOver() ?? signal.aborted

/**
 * Declares that from here on something is written for this request: `untilDecided` then waits for the outcome.
 * @throws the signal's reason when the time is up.
 */
export function beginWriting(signal: AbortSignal): void {
  if (isOver(signal)) throw signal.reason
  const clock = clockOf(signal)
  if (clock) clock.isWriting = true
}

const isWriting = (signal: AbortSignal): boolean => clockOf(signal)?.isWriting ?? false

/** Calls `onOver` when the time of a signal is up, or a wait ends, unless the returned function is called before. */
export const whenOver = (ending: Ending, onOver: OnOver): (() => void) => {
  const waiting = ending instanceof OwnEnding ? ending.waiting : clockOf(ending)?.waiting
  if (waiting) {
    waiting.add(onOver)
    return () => void waiting.delete(onOver)
  }
  const signal = ending as AbortSignal
  signal.addEventListener('abort', onOver, { once: true })
  return () => signal.removeEventListener('abort', onOver)
}

/**
 * Gives the result of `work`, or fails with the signal's reason as soon as the time is up, unless `waitsOn` returns
 * true then.
 */
function untilOver<T>(work: Promise<T>, signal: AbortSignal, waitsOn: () => boolean): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const end = () => void (waitsOn() || reject(signal.reason))
  if (signal.aborted) end()
  const forget = whenOver(signal, end)
  const give = (result: T) => {
    forget()
    if (isOver(signal) && !waitsOn()) reject(signal.reason)
    else resolve(result)
  }
  const fail = (error: unknown) => {
    forget()
    reject(error)
  }
  work.then(give, fail)
  return promise
}

/** Gives the result of work that only reads, or fails with the signal's reason as soon as the time is up. */
export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  untilOver(work, signal, () => false)

/** Gives the result of work that may write: once it has begun to, its own outcome, however late. */
export const untilDecided = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  untilOver(work, signal, () => isWriting(signal))

/**
 * Runs `work` with a signal that is aborted when the time is up, and fails then, unless it has begun to write.
 * @param ms the limit in milliseconds.
 * @param spentMs how much of it is spent already.
 * @throws ServiceError REQUEST_TIMEOUT_EXCEEDED.
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  spentMs = 0,
): Promise<T> {
  const { signal, stop } = startDeadline(ms, spentMs)
  try {
    if (isOver(signal)) throw signal.reason
    return await untilDecided(work(signal), signal)
  } finally {
    stop()
  }
}

/**
 * Gives the result of `work`, or of `onLate` where the work has not ended by then; the work itself goes on, and its
 * result is dropped.
 * @param ms the limit in milliseconds.
 * @throws what `onLate` throws, which is how a wait fails for its time.
 */
export async function withTimeout<T>(work: T | Promise<T>, ms: number, onLate: () => T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([work, late.then(onLate)])
  } finally {
    clearTimeout(timer)
  }
}
