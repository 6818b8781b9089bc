/** A subgraph in this process: fetches without any text on the way, and events of its schema's own stream. */
import { GraphQLError } from 'graphql'
import { mapStream } from '#core/async/stream.ts'
import type { EventRow } from '#core/events/event.ts'
import { toEventCursor } from '#core/events/read.ts'
import type { PositionedStream } from '#core/events/stream.ts'
import { type Executor, isRefusal } from '#core/graph/executor.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import type { GatewayContext } from '../operation/context.ts'
import type { EventSource, Fetch, SourceRequest, SourceStream, SubgraphSource } from './transport.ts'

/** Makes the data source of one subgraph in this process. */
export function createLocalSource(subgraph: Subgraph, executor: Executor): SubgraphSource {
  const run = ({ query, variables }: Fetch['request'], from: GatewayContext) => {
    const { caller } = from
    const document = executor.prepare(query!)
    if (isRefusal(document)) return { errors: executor.format(document, caller) }
    return executor.execute({ document, variables, caller, context: from.forSubgraph(subgraph) })
  }
  /** Makes a thrown error one of GraphQL, as errors of a result have to be. */
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

/** Prepares the operation in the context of each event, whose loaders remember nothing of the event before. */
const operationOf = (subgraph: Subgraph, executor: Executor, request: SourceRequest) => {
  const { primary, variables, after } = request
  const document = executor.prepare(primary.resumable)
  if (isRefusal(document)) throw document[0]
  const fixed = { document, variables: primary.variablesFor(variables, after) }
  return (own: GatewayContext) => ({ ...fixed, caller: own.caller, context: own.forSubgraph(subgraph) })
}

const withCursor = (stream: PositionedStream<EventRow>, events: SourceStream): SourceStream =>
  Object.defineProperty(events, 'cursor', { get: () => toEventCursor(stream.position) })

/** Makes the event source of one subgraph in this process. */
export const createLocalEventSource = (subgraph: Subgraph, executor: Executor): EventSource => ({
  async subscribe(request) {
    const operationFor = operationOf(subgraph, executor, request)
    const stream = await executor.subscribe(operationFor(request.context))
    const events = mapStream(stream, async event => ({
      id: `${event.position}`,
      origin: event,
      read: (own: GatewayContext) => executor.execute(operationFor(own), event),
    }))
    return withCursor(stream, events as SourceStream)
  },
})
