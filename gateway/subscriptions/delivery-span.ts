/** The span of an event that a subscriber is sent. */
import type { EventOrigin } from '#core/events/event.ts'
import type { TraceSpan, Tracing } from '#core/observability/tracing.ts'
import type { Sender } from '#core/streams/result-stream.ts'

/**
 * Begins the span of an event on its way to a subscriber: in the trace of the request that posted the transaction, linked
 * to it and to the subscription.
 */
export function beginDelivery(
  traces: Tracing,
  { principal }: Sender,
  origin: EventOrigin | undefined,
  operationName: string | undefined,
): TraceSpan {
  const subscription = traces.current()
  const trace = origin?.trace ?? undefined
  return traces.start('deliver event', {
    kind: 'producer',
    parent: trace ?? subscription,
    links: [trace, subscription].filter(link => link !== undefined),
    attributes: {
      'graphql.operation.type': 'subscription',
      'graphql.operation.name': operationName,
      'messaging.system': 'partner_graph',
      'messaging.destination.name': 'subscription',
      'messaging.operation.name': 'deliver',
      'messaging.operation.type': 'send',
      'messaging.message.id': origin?.eventid,
      'partner_graph.transaction.id': origin?.transactionId,
      'partner_graph.client.id': principal.clientId,
    },
  })
}
