/** Subgraph calls within the process: no text on the way, nothing parsed twice. */

import { GraphQLError } from 'graphql'
import { type Executor, isRefusal } from '#core/graph/executor.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import type { GatewayContext } from '../../operation/context.ts'
import type { Fetch, SubgraphSource } from '../transport.ts'

/** The data source of one subgraph in this process. */
export function createLocalSource(subgraph: Subgraph, executor: Executor): SubgraphSource {
  const run = ({ query, variables }: Fetch['request'], from: GatewayContext) => {
    const { caller } = from
    const document = executor.prepare(query!)
    if (isRefusal(document)) return { errors: executor.format(document, caller) }
    return executor.execute({ document, variables, caller, context: from.forSubgraph(subgraph) })
  }
  /** What is thrown would stand among the errors as it is, where only GraphQL's own may. */
  const failed = (error: Error, { caller }: GatewayContext) => ({
    errors: executor.format([new GraphQLError(error.message, { originalError: error })], caller),
  })
  return {
    async process({ request, context }) {
      try {
        return await run(request, context)
      } catch (error) {
        return failed(error as Error, context)
      }
    },
  }
}
