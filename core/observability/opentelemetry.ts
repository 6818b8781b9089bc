/** Traces by OpenTelemetry's SDK, loaded by `tracing.ts` where they are wanted. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind as SdkKind,
  type Span as SdkSpan,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { withTimeout } from '../async/deadline.ts'
import { databaseAddress } from '../config/database-address.ts'
import { VERSION } from '../config/project-files.ts'
import type { TraceSettings } from '../config/traces.ts'
import type { Logger } from './log.ts'
import { currentFacts } from './request-facts.ts'
import { createProvider } from './trace-export.ts'
import type {
  Attributes,
  PartOptions,
  SpanKind,
  SpanOptions,
  TraceOrigin,
  TracePart,
  TraceSpan,
  Tracing,
} from './tracing.ts'

const KINDS: Record<SpanKind, SdkKind> = {
  internal: SdkKind.INTERNAL,
  server: SdkKind.SERVER,
  client: SdkKind.CLIENT,
  producer: SdkKind.PRODUCER,
  consumer: SdkKind.CONSUMER,
}

/** Place of a span as rows keep it (W3C Trace Context §3.2). */
const traceOf = ({ traceId, spanId, traceFlags, traceState }: SpanContext): string => {
  const parent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  const state = traceState?.serialize()
  return state ? `${parent} ${state}` : parent
}

/** Place of a span in another process, or before a restart. */
const contextOf = (kept: string): SpanContext => {
  const [parent, ...state] = kept.split(' ')
  const [, traceId, spanId, flags] = parent!.split('-')
  return {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & TraceFlags.SAMPLED,
    traceState: state.length > 0 ? createTraceState(state.join(' ')) : undefined,
    isRemote: true,
  }
}

const spanContextOf = (origin: TraceOrigin): SpanContext =>
  typeof origin === 'string' ? contextOf(origin) : (origin as OwnSpan).context

class OwnSpan implements TraceSpan {
  readonly #span: SdkSpan
  #trace: string | undefined

  constructor(span: SdkSpan) {
    this.#span = span
  }

  get context(): SpanContext {
    return this.#span.spanContext()
  }

  get trace(): string {
    this.#trace ??= traceOf(this.context)
    return this.#trace
  }

  get isRecorded(): boolean {
    return this.#span.isRecording()
  }

  set(attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined) this.#span.setAttribute(name, value)
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  link(to: TraceOrigin): void {
    this.#span.addLink({ context: spanContextOf(to) })
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type)
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end()
  }
}

/** Class of a failure: its code, or the name of the error. Its message may hold what a client sent. */
const typeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' && /^[\w.]{1,64}$/.test(code)) return code
  return typeof name === 'string' ? name : '_OTHER'
}

/** How long the end of the process waits for the last spans to be sent, in milliseconds. */
const LAST_SPANS_MS = 2_000

/** Server and name of a database, of which the address holds a password. */
const databaseOf = (databaseUrl: string | undefined): Attributes => {
  const system = { 'db.system.name': 'postgresql' }
  if (databaseUrl === undefined) return system
  const { first, hosts } = databaseAddress(databaseUrl)
  return {
    ...system,
    'db.namespace': decodeURIComponent(URL.parse(first)?.pathname.slice(1) ?? '') || undefined,
    'server.address': hosts.map(({ host }) => host).join(','),
    'server.port': hosts.length === 1 ? hosts[0]!.port : undefined,
  }
}

export interface TracingOptions {
  readonly traces: TraceSettings
  readonly databaseUrl: string | undefined
  /** Name of the process, for its spans. */
  readonly service: string
  readonly log: Logger
}

class OpenTelemetry implements Tracing {
  readonly propagates: boolean
  readonly database: Attributes
  readonly #provider: ReturnType<typeof createProvider>
  readonly #tracer: Tracer
  readonly #log: Logger
  /** The span of the work at hand, null for work that is a part of none; absent where it is that of the request. */
  readonly #current = new AsyncLocalStorage<OwnSpan | null>()

  constructor({ traces, databaseUrl, service, log }: TracingOptions) {
    this.propagates = traces.propagates
    this.database = databaseOf(databaseUrl)
    this.#provider = createProvider(traces, service, log)
    this.#tracer = this.#provider.getTracer('partner-graph', VERSION)
    this.#log = log
  }

  current(): OwnSpan | undefined {
    const own = this.#current.getStore()
    if (own === null) return undefined
    return own ?? (currentFacts()?.span as OwnSpan | undefined)
  }

  within<T>(span: TraceSpan | null, work: () => T): T {
    return this.#current.run(span as OwnSpan | null, work)
  }

  start(name: string, { kind = 'internal', parent, links = [], attributes = {} }: SpanOptions = {}): OwnSpan {
    const options = {
      kind: KINDS[kind],
      links: links.map(origin => ({ context: spanContextOf(origin) })),
      attributes: attributes as Record<string, string | number | boolean>,
    }
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)) : ROOT_CONTEXT
    return new OwnSpan(this.#tracer.startSpan(name, options, context))
  }

  part(name: string, options?: PartOptions): OwnSpan | undefined {
    const parent = this.current()
    return parent?.isRecorded ? this.start(name, { ...options, parent }) : undefined
  }

  async run<T>(span: TraceSpan | undefined, work: () => Promise<T>): Promise<T> {
    if (!span) return work()
    try {
      return await this.within(span, work)
    } catch (error) {
      span.fail(typeOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  async together<T>(name: string, shares: readonly TracePart[], work: () => Promise<T>): Promise<T> {
    const spans = shares.flatMap(({ origin: parent, attributes }) => {
      if (!parent) return []
      const links = typeof parent === 'string' ? [parent] : []
      return [this.start(name, { attributes, parent, links })]
    })
    const first = spans.find(span => span.isRecorded)
    if (first) for (const span of spans) if (span !== first) span.link(first)
    try {
      return await this.within(first ?? null, work)
    } catch (error) {
      for (const span of spans) span.fail(typeOf(error))
      throw error
    } finally {
      for (const span of spans) span.end()
    }
  }

  async stop(): Promise<void> {
    await withTimeout(this.#provider.shutdown(), LAST_SPANS_MS, () =>
      this.#log.warn('the last spans could not be sent in time'),
    )
  }
}

/** Begins to trace. */
export const createTracing = (options: TracingOptions): Tracing => new OpenTelemetry(options)
