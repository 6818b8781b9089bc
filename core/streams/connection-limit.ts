/** The limit of open connections, WebSocket and event streams together (`MAX_STREAMS`). */
import type { Release } from '../access/client-usage.ts'
import type { Principal } from '../access/principal.ts'
import { createUseCounter } from '../async/limits.ts'
import type { App } from '../context/app.ts'
import { unavailable } from '../errors/catalogue.ts'

export interface ConnectionLimit {
  full(): boolean
  /** Counts one more; the result takes it back. */
  enter(): Release
}

/** Counts up to `max`. */
export function createConnectionLimit(max: number): ConnectionLimit {
  const open = createUseCounter()
  return { full: () => open.count >= max, enter: open.enter }
}

/**
 * Counts a stream, of all and of its client, until the result is called.
 * @throws ServiceError SERVICE_UNAVAILABLE when there are too many of either.
 */
export function enterStream(
  { usage }: Pick<App, 'usage'>,
  streams: ConnectionLimit,
  principal: Principal,
): Release {
  if (streams.full()) throw unavailable('Too many streams are open; try again shortly')
  const leaveClient = usage.enterStream(principal)
  const leaveAll = streams.enter()
  return () => {
    leaveClient()
    leaveAll()
  }
}
