/** Sources that wrap the source of a subgraph: they count calls, give them spans (OpenTelemetry's conventions for GraphQL), and explain them. */

import type { FormattedExecutionResult } from 'graphql'
import { STATUS_OF } from '#core/errors/catalogue.ts'
import { type Explanation, withSink } from '#core/observability/explanation.ts'
import type { SubgraphCalls, SubgraphOutcome } from '#core/observability/request-metrics.ts'
import type { Tracing } from '#core/observability/tracing.ts'
import { type Fetch, representationsOf, type SubgraphSource, sentOperation } from './transport.ts'

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

const attributesOf = (subgraph: string, { query, operationName, variables }: Fetch['request']) => ({
  'graphql.operation.type': sentOperation(query!, operationName).isQuery ? 'query' : 'mutation',
  'graphql.operation.name': operationName,
  'partner_graph.subgraph': subgraph,
  'partner_graph.entities': representationsOf({ query, operationName, variables })?.length,
})

/** A source whose fetches have a span each. */
export const withFetchSpans = (
  traces: Tracing,
  subgraph: string,
  isRemote: boolean,
  source: SubgraphSource,
): SubgraphSource => ({
  process(fetch) {
    if (!traces.current()?.isRecorded) return source.process(fetch)
    const attributes = attributesOf(subgraph, fetch.request)
    const span = traces.part(`fetch ${subgraph}`, { kind: isRemote ? 'client' : 'internal', attributes })
    return traces.run(span, async () => {
      const result = await source.process(fetch)
      const [error] = result.errors ?? []
      if (error) span?.fail(String(error.extensions?.['code'] ?? '_OTHER'))
      return result
    })
  },
})

/** Makes a source whose fetches stand in the explanation of their request. */
export const explainFetches = (subgraph: string, source: SubgraphSource): SubgraphSource => {
  const explain = async (explanation: Explanation, fetch: Fetch) => {
    const { request, pathInIncomingRequest: path = [] } = fetch
    const entities = representationsOf(request)?.length
    const explained = explanation.begin({ subgraph, path, operation: request.query!, entities })
    const result = await withSink(explained, () => source.process(fetch))
    explained.end(result.errors?.length ?? 0)
    return result
  }
  return {
    // Nearly no request is explained: its fetches need no promise more for that.
    process(fetch) {
      const explanation = fetch.context.facts?.explanation
      return explanation ? explain(explanation, fetch) : source.process(fetch)
    },
  }
}
