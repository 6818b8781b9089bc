/** Findings about lags: how long the oldest of something waits, wherever that was read. */
import { durationText, type Finding, found } from './finding.ts'

/** How long the oldest has waited at one station on the way of a transaction. */
export interface Lag {
  readonly of: 'settling' | 'orders' | 'timeline' | 'events' | 'webhooks' | 'webhooks due'
  readonly seconds: number
}

interface Meaning {
  /** From how many seconds on it is degraded, and broken. */
  readonly degraded: number
  readonly broken: number
  /** Sentence without its end; the time follows. */
  readonly what: string
  readonly advice: string
}

const MEANINGS: Readonly<Record<Lag['of'], Meaning>> = {
  settling: {
    degraded: 10,
    broken: 300,
    what: 'The oldest transaction that is not taken for settling has waited for',
    advice: 'see whether a server runs that settles, and its log; what is posted is kept meanwhile',
  },
  orders: {
    degraded: 120,
    broken: 3_600,
    what: 'The oldest order to an outside charging system has waited for',
    advice: 'see whether that system answers, and npm run cli -- journey <id> for one of them',
  },
  timeline: {
    degraded: 10,
    broken: 3_600,
    what: 'Timeline and sums are behind by',
    advice: 'analysts read old figures: see the log of a server for its projector',
  },
  events: {
    degraded: 10,
    broken: 300,
    what: 'Subscribers are behind by',
    advice: 'see whether the process is overloaded, and its log',
  },
  'webhooks due': {
    degraded: 60,
    broken: 3_600,
    what: 'The oldest webhook that is due has not been sent for',
    advice: 'see whether a server runs that may send (OUTBOUND), and its log',
  },
  webhooks: {
    degraded: 600,
    broken: 86_400,
    what: 'The oldest webhook has waited for',
    advice:
      'see npm run cli -- webhooks list --status pending for receivers that fail, and tell their partners',
  },
}

const findingOf = ({ of, seconds }: Lag): Finding => {
  const { degraded, broken, what, advice } = MEANINGS[of]
  if (seconds < degraded) return found.well(of, `Nothing waits for longer than ${durationText(degraded)}.`)
  const text = `${what} ${durationText(seconds)}: ${advice}.`
  return seconds < broken ? found.degraded(of, text) : found.broken(of, text)
}

/**
 * Findings about lags.
 * @param quarantined number of transactions that could not be settled.
 */
export const lagFindings = (lags: readonly Lag[], quarantined: number): Finding[] => [
  ...lags.map(findingOf),
  ...(quarantined > 0
    ? [
        found.degraded(
          'quarantine',
          `${quarantined} transaction(s) could not be settled, and are tried again alone: see the server's log for the reason.`,
        ),
      ]
    : []),
]
