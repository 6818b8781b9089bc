/** W3C Trace Context: a request's place in a trace goes along to whatever is asked on its behalf. */

const NAMES = ['traceparent', 'tracestate'] as const

/** The trace headers among a request's (W3C Trace Context §3.2, §3.3). */
export function traceOf(headers: Record<string, unknown>): Record<string, string> {
  const trace: Record<string, string> = {}
  for (const name of NAMES) {
    const value = headers[name]
    if (typeof value === 'string') trace[name] = value
  }
  return trace
}
