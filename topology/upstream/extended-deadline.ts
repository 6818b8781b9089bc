/** The extended deadline of writes: it is the service that reports a timeout, since it alone knows what it wrote. */

import { unavailable } from '#core/errors/catalogue.ts'

/**
 * How much longer than its own deadline a write is waited for, so that the response is the service's, in
 * milliseconds.
 */
export const WRITE_EXTENSION_MS = 1_000

/** 503, since 504 would say that nothing was written. */
export const undecided = () =>
  unavailable('The service did not answer in time; what was asked may have been done')

/**
 * Runs `work` with a signal that is aborted a moment after the caller's.
 * @throws the caller's reason when its time is up already; SERVICE_UNAVAILABLE when the service does not tell either.
 */
export async function withExtendedDeadline<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => controller.abort(undecided()), WRITE_EXTENSION_MS)
  }
  signal.addEventListener('abort', wait, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', wait)
  }
}
