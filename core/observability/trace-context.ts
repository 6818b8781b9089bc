/**
 * Trace context (W3C Trace Context, level 1): the place of a request in a trace, as headers carry it and as rows keep it.
 * A row keeps `traceparent` and, behind a space, `tracestate`: work that follows later, in another process or after a
 * restart, is linked to the request by it.
 */

/** Version, trace, parent and flags; a version above 00 may have more fields behind them (§3.2). */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[\x21-\x7e]{1,200})?$/
/** Printable characters, within the length that every participant should pass on (§3.3.1.5). */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/

type Headers = Readonly<Record<string, unknown>>

/** Reads the trace context of a request, as rows keep it; undefined where there is none, or `traceparent` is malformed. */
export function traceIn({ traceparent, tracestate }: Headers): string | undefined {
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined
  const hasState = typeof tracestate === 'string' && TRACESTATE.test(tracestate)
  return hasState ? `${traceparent} ${tracestate.trim()}`.trimEnd() : traceparent
}

/** Makes the headers that continue a trace in another system; none without one. */
export function traceHeaders(trace: string | null | undefined): Record<string, string> {
  if (!trace) return {}
  const end = trace.indexOf(' ')
  return end < 0
    ? { traceparent: trace }
    : { traceparent: trace.slice(0, end), tracestate: trace.slice(end + 1) }
}
