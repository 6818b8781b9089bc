/** Metrics of the graph: the calls of subgraphs, and at a scrape the subgraphs that answer. */
import type { Registry } from 'prom-client'
import { SubgraphCalls } from './request-metrics.ts'
import { createScrapedGauges, type Figure, type ScrapedGauges } from './scraped.ts'

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
