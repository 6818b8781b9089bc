/** Metrics of the graph: how operations were executed, and the subgraphs that they asked. */
import type { Registry } from 'prom-client'
import type { Family } from './exposition.ts'
import { createScrapedGauges, type Figure, type ScrapedGauges } from './scraped.ts'
import { CountSeries, DurationSeries, familyOf } from './series.ts'

/**
 * Outcome of a call: `ok`, `errors` in the result, `refused` for its client (the token, a limit), `timeout`, or
 * `unavailable` where no instance could be reached.
 */
export type SubgraphOutcome = 'ok' | 'errors' | 'refused' | 'timeout' | 'unavailable'

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Calls {
  readonly durations: DurationSeries
  readonly outcomes: Map<SubgraphOutcome, CountSeries>
}

/** Calls of subgraphs, in this process or another. */
export class SubgraphCalls {
  readonly #calls = new Map<string, Calls>()

  /** Counts a call that has ended. */
  count(subgraph: string, outcome: SubgraphOutcome, seconds: number): void {
    const { durations, outcomes } = this.#of(subgraph)
    durations.observe(seconds)
    const series = outcomes.get(outcome) ?? new CountSeries({ subgraph, outcome })
    outcomes.set(outcome, series)
    series.value += 1
  }

  families(): Family[] {
    const all = [...this.#calls.values()]
    return [
      familyOf(
        {
          name: 'subgraph_calls_total',
          help: 'Calls of subgraphs by outcome: ok, errors, refused, timeout or unavailable',
          type: 'counter',
        },
        all.flatMap(({ outcomes }) => [...outcomes.values()]),
      ),
      familyOf(
        {
          name: 'subgraph_call_duration_seconds',
          help: 'Time that a subgraph took for a call',
          type: 'histogram',
        },
        all.map(({ durations }) => durations),
      ),
    ]
  }

  #of(subgraph: string): Calls {
    const known = this.#calls.get(subgraph)
    if (known) return known
    const calls = { durations: new DurationSeries({ subgraph }, BUCKETS), outcomes: new Map() }
    this.#calls.set(subgraph, calls)
    return calls
  }
}

type SubgraphGauge = 'up'

/** Makes the figure of a subgraph. */
export const subgraphFigure = (subgraph: string, answers: boolean): Figure<SubgraphGauge> => ({
  gauge: 'up',
  labels: { subgraph },
  value: answers ? 1 : 0,
})

export interface GraphMetrics {
  readonly subgraphCalls: SubgraphCalls
  /** Subgraphs that answer. */
  readonly subgraphs: ScrapedGauges<SubgraphGauge>
}

/** A process that does not answer is waited for this long, in milliseconds, so that it can be shown as silent. */
const SILENCE_MS = 2_000

/** Makes the metrics of the graph in a registry. */
export const createGraphMetrics = (registry: Registry): GraphMetrics => ({
  subgraphCalls: new SubgraphCalls(),
  subgraphs: createScrapedGauges(
    registry,
    {
      up: {
        name: 'subgraph_up',
        help: 'Whether the subgraph answers: 1, or 0',
        labelNames: ['subgraph'],
        join: 'max',
      },
    },
    { limitMs: SILENCE_MS },
  ),
})
