/** Until when the message centre may try, as SMPP writes times (SMPP 3.4, 7.1.1). */

const SECOND = 1_000
const DAY_SECONDS = 86_400

/** A month has no length; up to here days say it. */
const MOST_RELATIVE_DAYS = 30

const two = (number: number) => String(number).padStart(2, '0')

const absolute = (time: Date) =>
  `${time.toISOString().replace(/\D/g, '').slice(2, 14)}${Math.floor(time.getUTCMilliseconds() / 100)}00+`

/**
 * The time as `validity_period`: how long from now, which holds also where clocks differ; what is farther than 30 days as
 * an instant in UTC. At least a second.
 */
export function validityPeriod(until: Date, now: Date): string {
  const seconds = Math.max(1, Math.floor((until.getTime() - now.getTime()) / SECOND))
  const days = Math.floor(seconds / DAY_SECONDS)
  if (days > MOST_RELATIVE_DAYS) return absolute(until)
  const rest = seconds % DAY_SECONDS
  return `0000${two(days)}${two(Math.floor(rest / 3_600))}${two(Math.floor(rest / 60) % 60)}${two(rest % 60)}000R`
}
