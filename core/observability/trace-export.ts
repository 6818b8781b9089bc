/**
 * Export of spans to an OpenTelemetry collector: in batches, beside the requests. What waits is bounded; spans that find no
 * place are dropped, and no request waits for the collector.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  osDetector,
  processDetector,
  type Resource,
  type ResourceDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { VERSION } from '../config/project-files.ts'
import type { TraceSettings } from '../config/traces.ts'
import type { Logger } from './log.ts'

type Done = Parameters<SpanExporter['export']>[1]

/** The code of `ExportResult` for success; its name is in a package of the SDK's own. */
const SUCCESS = 0
/** Batches on their way at once: a collector that keeps its connections open without an end gets no more. */
const MOST_EXPORTS = 4

/** Exporter that reports an outage of the collector in two lines: at its begin and at its end. */
class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #log: Logger
  /** Spans that were lost since the collector was last reached. */
  #lost = 0
  /** The exporter's connections belong to no request, although the end of one may begin an export. */
  readonly #outside = AsyncLocalStorage.snapshot()

  constructor(exporter: SpanExporter, log: Logger) {
    this.#exporter = exporter
    this.#log = log
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.#outside(() =>
      this.#exporter.export(spans, result => {
        if (result.code === SUCCESS) this.#succeeded()
        else this.#failed(spans.length, result.error)
        // The processor would log each failure.
        done({ code: SUCCESS })
      }),
    )
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.()
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  #succeeded(): void {
    if (this.#lost > 0) this.#log.info({ lost: this.#lost }, 'traces are sent again')
    this.#lost = 0
  }

  #failed(count: number, error: Error | undefined): void {
    if (this.#lost === 0)
      this.#log.warn(
        { reason: error?.message },
        'traces cannot be sent; spans are lost until the collector takes them',
      )
    this.#lost += count
  }
}

const SAMPLERS: Record<TraceSettings['sampler'], (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: ratio => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: ratio => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

const DETECTORS: Readonly<Record<string, ResourceDetector>> = {
  env: envDetector,
  host: hostDetector,
  os: osDetector,
  process: processDetector,
  serviceinstance: serviceInstanceIdDetector,
}

/** Attributes of all spans of the process; what the environment names comes first. */
const resourceOf = (service: string, { detectors, serviceName = service }: TraceSettings): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': serviceName,
        'service.version': VERSION,
        'service.instance.id': randomUUID(),
        'process.pid': process.pid,
      }),
    )
    .merge(detectResources({ detectors: detectors.map(name => DETECTORS[name]!) }))

const LEVELS: Record<TraceSettings['logLevel'], DiagLogLevel> = {
  none: DiagLogLevel.NONE,
  error: DiagLogLevel.ERROR,
  warn: DiagLogLevel.WARN,
  info: DiagLogLevel.INFO,
  debug: DiagLogLevel.DEBUG,
  verbose: DiagLogLevel.VERBOSE,
  all: DiagLogLevel.ALL,
}

/** Has the SDK write its own lines into the log. */
const logDiagnostics = (log: Logger, logLevel: DiagLogLevel): void => {
  const at = (level: 'error' | 'warn' | 'info' | 'debug' | 'trace') => (message: string) =>
    log[level]({ from: 'opentelemetry' }, message)
  diag.setLogger(
    { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug'), verbose: at('trace') },
    { logLevel, suppressOverrideMessage: true },
  )
}

/** Makes the provider of the spans of a process. @param service name of the process, where no other is set. */
export function createProvider(settings: TraceSettings, service: string, log: Logger): TracerProvider {
  const { headers, protocol, sampler, ratio, limits, batch, logLevel } = settings
  logDiagnostics(log, LEVELS[logLevel])
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter
  const exporter = new ReportingExporter(
    new Exporter({ headers: { ...headers }, concurrencyLimit: MOST_EXPORTS }),
    log,
  )
  return new TracerProvider({
    resource: resourceOf(service, settings),
    sampler: SAMPLERS[sampler](ratio),
    spanLimits: limits,
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batch })],
  })
}
