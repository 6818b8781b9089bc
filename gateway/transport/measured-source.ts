/** A data source whose calls are counted in the metrics, with their outcome and duration. */
import type { FormattedExecutionResult } from 'graphql'
import { STATUS_OF } from '#core/errors/catalogue.ts'
import type { SubgraphCalls, SubgraphOutcome } from '#core/observability/graph-metrics.ts'
import type { SubgraphSource } from './transport.ts'

const STATUSES: Readonly<Record<string, number | undefined>> = STATUS_OF

/** The outcome that the first error shows: what a client may not do or did wrong is no fault of the subgraph. */
const outcomeOf = ({ errors }: FormattedExecutionResult): SubgraphOutcome => {
  if (!errors?.length) return 'ok'
  const code = String(errors[0]!.extensions?.['code'])
  if (code === 'SERVICE_UNAVAILABLE') return 'unavailable'
  if (code === 'REQUEST_TIMEOUT_EXCEEDED') return 'timeout'
  return (STATUSES[code] ?? 500) < 500 ? 'refused' : 'errors'
}

/** Counts the calls of a subgraph's source. */
export const measuredSource = (
  name: string,
  source: SubgraphSource,
  calls: SubgraphCalls,
): SubgraphSource => ({
  process(fetch) {
    const began = performance.now()
    const count = (outcome: SubgraphOutcome) =>
      calls.count(name, outcome, (performance.now() - began) / 1_000)
    return source.process(fetch).then(
      result => {
        count(outcomeOf(result))
        return result
      },
      error => {
        count('errors')
        throw error
      },
    )
  },
})
