/** Subscriptions to a subgraph in this process: its schema's own stream, each event executed when it is taken. */
import { type Executor, isRefusal } from '../../subgraphs/shared/graph/executor.ts'
import { mapStream } from '../../subgraphs/shared/streams/map-stream.ts'
import type { Subgraph } from '../../subgraphs/shared/subgraph.ts'
import type { GatewayContext } from '../context.ts'
import type { EventSource, SourceEvent } from './source.ts'

/** The event source of one subgraph in this process. */
export function createLocalEventSource(subgraph: Subgraph, executor: Executor): EventSource {
  return {
    async subscribe({ operation }, variables, from) {
      const document = executor.prepare(operation)
      if (isRefusal(document)) throw document[0]
      const operationFor = (own: GatewayContext) => ({
        document,
        variables,
        caller: own.caller,
        context: own.forSubgraph(subgraph),
      })
      const stream = await executor.subscribe(operationFor(from))
      return mapStream(
        stream,
        async (event): Promise<SourceEvent> => ({
          id: `${event.position}`,
          read: own => executor.execute(operationFor(own), event),
        }),
      )
    },
  }
}
