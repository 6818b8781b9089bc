/** The limit on how long a request may take (docs/decisions.md, "Failures": 504). */
import { ServiceError } from '../errors/catalogue.ts'

const expired = (ms: number) =>
  new ServiceError(
    'REQUEST_TIMEOUT_EXCEEDED',
    `The request took longer than ${ms} ms; what was not committed is undone`,
  )

/**
 * Runs `work` with a signal that is aborted when the time is up, and fails then, whatever `work` still does.
 * @param ms the limit in milliseconds.
 * @throws ServiceError REQUEST_TIMEOUT_EXCEEDED.
 */
export async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = expired(ms)
    controller.abort(error)
    reject(error)
  }, ms)
  try {
    return await Promise.race([work(controller.signal), promise])
  } finally {
    clearTimeout(timer)
  }
}
