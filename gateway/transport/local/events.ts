/** Subscriptions to a subgraph in this process: its schema's own stream, each event executed when it is taken. */

import { mapStream } from '#core/async/stream.ts'
import { toEventCursor } from '#core/events/cursor.ts'
import type { EventRow } from '#core/events/event.ts'
import type { PositionedStream } from '#core/events/stream.ts'
import { type Executor, isRefusal } from '#core/graph/executor.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import type { GatewayContext } from '../../operation/context.ts'
import type { EventSource, SourceRequest, SourceStream } from '../event-source.ts'

/** The same operation in the context of each event, whose loaders remember nothing of the one before. */
const operationOf = (subgraph: Subgraph, executor: Executor, request: SourceRequest) => {
  const { primary, variables, after } = request
  const document = executor.prepare(primary.resumable)
  if (isRefusal(document)) throw document[0]
  const fixed = { document, variables: primary.variablesFor(variables, after) }
  return (own: GatewayContext) => ({ ...fixed, caller: own.caller, context: own.forSubgraph(subgraph) })
}

const withCursor = (stream: PositionedStream<EventRow>, events: SourceStream): SourceStream =>
  Object.defineProperty(events, 'cursor', { get: () => toEventCursor(stream.position) })

/** The event source of one subgraph in this process. */
export const createLocalEventSource = (subgraph: Subgraph, executor: Executor): EventSource => ({
  async subscribe(request) {
    const operationFor = operationOf(subgraph, executor, request)
    const stream = await executor.subscribe(operationFor(request.context))
    const events = mapStream(stream, async event => ({
      id: `${event.position}`,
      read: (own: GatewayContext) => executor.execute(operationFor(own), event),
    }))
    return withCursor(stream, events as SourceStream)
  },
})
