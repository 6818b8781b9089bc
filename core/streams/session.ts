/** A connection's token: it is looked at again and again for as long as the connection lasts. */
import type { Access } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { ServiceError, unavailable } from '../errors/catalogue.ts'

/** So soon a client that was disabled gets nothing more. */
const RECHECK_MS = 5_000
/** Between looks while a token should have ended but the issuer's clock is given some tolerance. */
const SHORTEST_MS = 250

export interface Session {
  readonly principal: Principal
  /** Aborted with the ServiceError UNAUTHORIZED when the token ends, SERVICE_UNAVAILABLE when the session is closed. */
  readonly signal: AbortSignal
  /** Stops looking. */
  close(): void
}

const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'UNAUTHORIZED'

const nextLook = ({ expiresAt }: Principal) =>
  Math.min(RECHECK_MS, Math.max(SHORTEST_MS, expiresAt.getTime() - Date.now()))

/**
 * Opens a session for an `Authorization` value.
 * @throws ServiceError UNAUTHORIZED for a missing or wrong token, SERVICE_UNAVAILABLE when that cannot be said.
 */
export async function openSession(access: Access, authorization: string | undefined): Promise<Session> {
  const principal = await access.verify(authorization)
  const controller = new AbortController()
  let timer: NodeJS.Timeout
  const look = () =>
    access.verify(authorization).then(schedule, error => {
      if (isRefusal(error)) controller.abort(error)
      else schedule(principal)
    })
  const schedule = (current: Principal) => {
    if (!controller.signal.aborted) timer = setTimeout(look, nextLook(current)).unref()
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
