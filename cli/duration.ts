/** Durations as an option takes them: `30m`, `24h`, `7d`. */
import { InvalidArgumentError } from 'commander'

const MINUTE_MS = 60_000
const UNIT_MS: Record<string, number> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS }
/** The longest: 30 days. */
const MAX_MS = 30 * 24 * 60 * MINUTE_MS

/**
 * In milliseconds.
 * @throws InvalidArgumentError when it is none, or not from a minute to 30 days.
 */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit ?? ''] ?? Number.NaN)
  if (ms >= MINUTE_MS && ms <= MAX_MS) return ms
  throw new InvalidArgumentError('It must be from 1m to 30d, such as 30m, 24h or 7d.')
}
