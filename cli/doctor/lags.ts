/** Findings about lags, read from the database or from metrics: the age of the oldest work that waits. */
import { durationText, type Finding, found } from './finding.ts'

/** Age of the oldest work that waits at one step of a transaction's way. */
export interface Lag {
  readonly of: 'settling' | 'orders' | 'timeline' | 'events' | 'webhooks' | 'webhooks due'
  readonly seconds: number
}

interface Meaning {
  /** Seconds from which on a lag is reported as degraded. */
  readonly degraded: number
  /** Seconds from which on it is reported as broken. */
  readonly broken: number
  /** Beginning of a sentence that ends with the time. */
  readonly what: string
  readonly advice: string
}

const MEANINGS: Readonly<Record<Lag['of'], Meaning>> = {
  settling: {
    degraded: 10,
    broken: 300,
    what: 'The oldest transaction that no server has begun to settle has waited for',
    advice: 'see whether a server runs, and its log; what is posted is kept meanwhile',
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
    advice: 'see whether a server runs that sends (not with OUTBOUND=0), and its log',
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
 * Makes the findings about lags and about transactions in quarantine.
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
