/** What an attempt's result means for its delivery: a pure function of both. */
import type { AttemptResult } from './attempt.ts'
import { isSuccess } from './exchange.ts'
import type { AttemptOutcome, ClaimedDelivery } from './queue.ts'
import { waitAfter } from './schedule.ts'

/** The receiver wants no more of this event (RFC 9110 §15.5.11). */
const GONE = 410

const waitOf = ({ attempts }: ClaimedDelivery, { status, retryAfterMs }: AttemptResult, random: number) =>
  status === GONE ? undefined : waitAfter({ attempts: attempts + 1, retryAfterMs, random })

/** How the delivery goes on after the attempt. */
export function outcomeOf(delivery: ClaimedDelivery, result: AttemptResult, random: number): AttemptOutcome {
  const { id, lease } = delivery
  const { at, status: lastStatus, durationMs, error: lastError } = result
  const logged = { at, status: lastStatus, durationMs, error: lastError }
  const noted = { id, lease, lastStatus, lastError, counts: true, logged }
  if (isSuccess(result)) return { ...noted, status: 'DELIVERED', waitMs: null }
  const wait = waitOf(delivery, result, random)
  if (wait === undefined) return { ...noted, status: 'DEAD', waitMs: null }
  return { ...noted, status: 'PENDING', waitMs: wait }
}

/** The lease is given back, as if nothing had been sent. */
export const interruptedOutcome = ({ id, lease }: ClaimedDelivery): AttemptOutcome => ({
  id,
  lease,
  status: 'PENDING',
  lastStatus: null,
  lastError: null,
  waitMs: null,
  counts: false,
})
