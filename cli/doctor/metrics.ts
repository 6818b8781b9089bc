/** Findings about a server's metrics: what waits, where the database cannot be read from here. */
import { type Finding, found } from './finding.ts'
import { type Lag, lagFindings } from './lags.ts'

/** A line of Prometheus text with a value: name, labels, value. */
const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{([^}]*)\})? (\S+)/

/** Greatest value of each metric, by its name; processes and kinds are labels. */
const greatestIn = (text: string): Map<string, number> => {
  const greatest = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, , value] = SAMPLE.exec(line) ?? []
    const number = Number(value)
    if (name !== undefined && number >= (greatest.get(name) ?? Number.NEGATIVE_INFINITY))
      greatest.set(name, number)
  }
  return greatest
}

/** Metrics of what waits, in seconds. */
const LAGS: Readonly<Record<string, Lag['of']>> = {
  settling_lag_seconds: 'settling',
  timeline_lag_seconds: 'timeline',
  event_lag_seconds: 'events',
  webhook_oldest_seconds: 'webhooks',
  orders_oldest_seconds: 'orders',
}

/** Findings about the text of `/metrics`. */
export function metricFindings(text: string): Finding[] {
  const greatest = greatestIn(text)
  const lags = Object.entries(LAGS).flatMap(([name, of]) => {
    const seconds = greatest.get(name)
    return seconds === undefined ? [] : [{ of, seconds }]
  })
  const quarantined = greatest.get('transactions_quarantined') ?? 0
  if (lags.length === 0)
    return [
      found.unchecked(
        'lags',
        'The metrics do not say how long things wait: the server is of an earlier version.',
      ),
    ]
  return lagFindings(lags, quarantined)
}
