/** Who answers that the time is up: where something is written, the service itself, which alone knows what it did. */

/** How much longer a write is waited for than its own deadline, so that the answer is the service's, in milliseconds. */
export const GRACE_MS = 1_000

/**
 * Runs `work` with a signal that is aborted a moment after the caller's.
 * @throws the caller's reason when its time is up already.
 */
export async function withGrace<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => controller.abort(signal.reason), GRACE_MS)
  }
  signal.addEventListener('abort', wait, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', wait)
  }
}
