/**
 * Traces as the rest of the program sees them. `opentelemetry.ts` provides them by OpenTelemetry's SDK, which is loaded
 * where `OTEL_EXPORTER_OTLP_ENDPOINT` is set; everywhere else `tracing` is undefined, and nothing of it runs.
 *
 * The names of attributes are those of OpenTelemetry's semantic conventions; where these have no word, they begin with
 * `partner_graph`. No attribute holds a value that a client sent, but for names of operations, ids and correlators.
 *
 * The place of a request in a trace (W3C Trace Context, level 1) is read from headers and kept in rows: `traceparent` and, behind
 * a space, `tracestate`. Work that follows later, in another process or after a restart, is linked to the request by it.
 */
import type { BatchObserver } from '../async/batcher.ts'

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

/** Side of an exchange on which a span stands, as OpenTelemetry names it. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Attributes by name; an undefined one is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Piece of work with its beginning and its end, at its place in a trace. */
export interface TraceSpan {
  /** Its place, as rows keep it and headers carry it. */
  readonly trace: string
  /** Whether it is exported; a sampler leaves others out, with all that is a part of them. */
  readonly isRecorded: boolean
  set(attributes: Attributes): void
  /** Names it otherwise, once more is known of it. */
  rename(name: string): void
  /** Links it to other work. */
  link(to: TraceOrigin): void
  /** Marks it as failed. @param type class of the failure: a code, or the name of an error, never its message. */
  fail(type: string): void
  /** Ends it; called once. */
  end(): void
}

/** Beginning of other work: a span of this process, or what a row or a request says of one. */
export type TraceOrigin = TraceSpan | string

/** Form of a span that is a part of the current one. */
export interface PartOptions {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
}

export interface SpanOptions extends PartOptions {
  /** The span that it is a part of; absent where it begins a trace. */
  readonly parent?: TraceOrigin | undefined
  /** Other spans that it follows from. */
  readonly links?: readonly TraceOrigin[]
}

/** Part of a request in work that is done for several at once. */
export interface TracePart {
  /** The request: its span, or what a row keeps of it, to which the part is linked as well; absent where it has no trace. */
  readonly origin: TraceOrigin | null | undefined
  readonly attributes?: Attributes
}

/** Traces of this process. */
export interface Tracing {
  /** Whether traces are continued from clients, and in other systems. */
  readonly propagates: boolean
  /** Attributes of each statement: the database. */
  readonly database: Attributes
  /** Begins a span; it is not the current one. */
  start(name: string, options?: SpanOptions): TraceSpan
  /** Begins a part of the current span; undefined where that is not recorded, or there is none. */
  part(name: string, options?: PartOptions): TraceSpan | undefined
  /** Runs work with a span as the current one; null for work that is a part of none. */
  within<T>(span: TraceSpan | null, work: () => T): T
  /** The span of the work at hand; undefined where there is none. */
  current(): TraceSpan | undefined
  /** Runs work within a span, which ends with it, and fails with it. */
  run<T>(span: TraceSpan | undefined, work: () => Promise<T>): Promise<T>
  /**
   * Runs work that is done at once for several requests, each of which gets a span of it in its own trace. The statements
   * stand under the first span, to which the others are linked.
   */
  together<T>(name: string, shares: readonly TracePart[], work: () => Promise<T>): Promise<T>
  /** Sends what is left, for a moment at the most. */
  stop(): Promise<void>
}

/** Headers by which another system continues the trace of the work at hand. */
export const outgoingTrace = (traces: Tracing): Record<string, string> =>
  traces.propagates ? traceHeaders(traces.current()?.trace) : {}

/** Traces of this process; undefined where there are none. */
export let tracing: Tracing | undefined

/** Sets the traces of this process; undefined ends them. */
export const useTracing = (next: Tracing | undefined): void => {
  tracing = next
}

/** Makes the observer by which the batches of a name stand in the traces of those whose items they hold. */
export const batchObserver = (traces: Tracing, name: string): BatchObserver<TraceSpan | undefined> => ({
  ofItem: () => traces.current(),
  observe(spans, run) {
    const parts = [...new Set(spans)].map(origin => ({ origin }))
    return traces.together(name, parts, run)
  },
})
