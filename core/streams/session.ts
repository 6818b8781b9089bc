/** A connection's session: its token is verified again and again for as long as the connection lasts. */

import type { Access } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { streamOf } from '../async/stream.ts'
import { ServiceError, toGraphQLError, unavailable } from '../errors/catalogue.ts'
import type { ResultStream } from './operation.ts'

/** The time after which a client that was disabled gets nothing more, in milliseconds. */
const RECHECK_MS = 5_000
/** The wait while a token should have ended but is accepted still, within the tolerance of clocks. */
const SHORTEST_MS = 250

export interface StreamSession {
  readonly principal: Principal
  /** Aborted with the ServiceError UNAUTHORIZED when the token ends, SERVICE_UNAVAILABLE when the session is closed. */
  readonly signal: AbortSignal
  /** Stops verifying, and aborts the signal. */
  close(): void
}

/**
 * Opens a session for an `Authorization` value.
 * @throws ServiceError UNAUTHORIZED for a missing or wrong token, SERVICE_UNAVAILABLE when it cannot be verified.
 */
export async function openSession(access: Access, authorization: string | undefined): Promise<StreamSession> {
  const principal = await access.verify(authorization)
  const controller = new AbortController()
  let timer: NodeJS.Timeout
  const recheck = () =>
    access.verify(authorization).then(schedule, error => {
      if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') controller.abort(error)
      else schedule(principal)
    })
  const schedule = ({ expiresAt }: Principal) => {
    if (controller.signal.aborted) return
    const untilEnd = expiresAt.getTime() - Date.now()
    timer = setTimeout(recheck, Math.min(RECHECK_MS, Math.max(SHORTEST_MS, untilEnd))).unref()
  }
  schedule(principal)
  return {
    principal,
    signal: controller.signal,
    close() {
      clearTimeout(timer)
      controller.abort(unavailable('The connection has ended'))
    },
  }
}

/** Ends a stream of results with the signal's reason as its error, even while the stream waits. */
export function endWithSession(stream: ResultStream, signal: AbortSignal): ResultStream {
  let fail: (error: unknown) => void = () => undefined
  // One listener for all results: one for each would be most of the cost of a result here.
  const abort = () => fail(toGraphQLError(signal.reason))
  signal.addEventListener('abort', abort)
  const next = () =>
    new Promise<Awaited<ReturnType<ResultStream['next']>>>((resolve, reject) => {
      fail = reject
      if (signal.aborted) abort()
      else stream.next().then(resolve, error => reject(toGraphQLError(error)))
    })
  return streamOf(next, () => {
    signal.removeEventListener('abort', abort)
    return stream.return(undefined)
  })
}
