/**
 * Span of one attempt to deliver an event, after OpenTelemetry's conventions for HTTP clients and messages. It stands in the
 * trace of the request that posted the transaction, and is linked to it, however much later the attempt is made. No part of
 * the endpoint's address stands in it, as in no log line.
 */
import type { TraceSpan, Tracing } from '../observability/tracing.ts'
import { type AttemptResult, isSuccess } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'

/** Begins the span of an attempt. */
export const beginAttemptSpan = (
  traces: Tracing,
  { id, eventid, transactionId, clientId, kind, attempts, trace }: ClaimedDelivery,
): TraceSpan =>
  traces.start('POST webhook', {
    kind: 'client',
    parent: trace ?? undefined,
    links: trace === null ? [] : [trace],
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': attempts === 0 ? undefined : attempts,
      'messaging.system': 'partner_graph',
      'messaging.destination.name': 'webhook',
      'messaging.operation.name': 'deliver',
      'messaging.operation.type': 'send',
      'messaging.message.id': eventid,
      'partner_graph.delivery.id': id,
      'partner_graph.transaction.id': transactionId,
      'partner_graph.transaction.kind': kind,
      'partner_graph.client.id': clientId,
    },
  })

/** Ends it with the result of the attempt. */
export function endAttemptSpan(span: TraceSpan, result: AttemptResult): void {
  const { status } = result
  span.set({ 'http.response.status_code': status ?? undefined })
  if (!isSuccess(result))
    span.fail(status === null ? (result.interrupted ? 'interrupted' : '_OTHER') : String(status))
  span.end()
}
