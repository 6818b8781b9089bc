/** Fetches of a plan as spans, after OpenTelemetry's conventions for GraphQL, and in explanations. */
import { type Explanation, withSink } from '#core/observability/explanation.ts'
import type { Tracing } from '#core/observability/tracing.ts'
import { representationsOf, sentOperation } from './operation-text.ts'
import type { Fetch, SubgraphSource } from './transport.ts'

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
