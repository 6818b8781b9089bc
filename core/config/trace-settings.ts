/** The settings of traces: the variables of OpenTelemetry's own specification that this program reads, by their names. */
import { choice, integer, secret, text } from './setting.ts'

/** Samplers of the specification, the default first. */
export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

/** Ways to send spans over HTTP, the default first; gRPC would bring a library of its own along. */
export const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const

const MOST = 1_000_000

export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    "The base address of an OpenTelemetry collector, `http://127.0.0.1:4318`; `/v1/traces` is added. Turns traces on ([operating.md](operating.md#traces)). The settings below are those of OpenTelemetry's specification, and hold where it is set.",
    undefined,
    'unset: nothing of OpenTelemetry is loaded',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text(
    'The whole address for traces, in place of the one above. All `OTEL_EXPORTER_OTLP_…` below have such a form for traces alone, `OTEL_EXPORTER_OTLP_TRACES_…`, which comes first.',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(OTLP_PROTOCOLS, 'The form in which spans are sent; there is no gRPC.'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: choice(OTLP_PROTOCOLS, 'The same for traces alone.'),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    'Headers for the collector, `name=value`, comma-separated, values percent-encoded.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: secret('More of them, for traces alone.'),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer(10_000, [1, 600_000], 'Milliseconds that sending a batch may take.'),
  OTEL_EXPORTER_OTLP_COMPRESSION: choice(['none', 'gzip'], 'The compression of what is sent.'),
  OTEL_EXPORTER_OTLP_CERTIFICATE: text(
    "The file of the authority that signs the collector's certificate, PEM.",
  ),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: text(
    'The file of the certificate that is shown to the collector, PEM.',
  ),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: text('The file of its key, PEM.'),
  OTEL_SDK_DISABLED: choice(['false', 'true'], '`true`: no traces, whatever else is set.'),
  OTEL_TRACES_EXPORTER: choice(['otlp', 'none'], '`none`: no traces.'),
  OTEL_SERVICE_NAME: text(
    'The name of the service in each span.',
    undefined,
    '`partner-graph`; of a process of its own `partner-graph-gateway`, `partner-graph-prepaid` and so on',
  ),
  OTEL_RESOURCE_ATTRIBUTES: text('More attributes of each span, `name=value`, comma-separated.'),
  OTEL_NODE_RESOURCE_DETECTORS: text(
    'What is found out of the machine for each span: of `env`, `host`, `os`, `process`, `serviceinstance`, comma-separated, or `all`, or `none`.',
    'env,host,os,serviceinstance',
  ),
  OTEL_TRACES_SAMPLER: choice(
    SAMPLERS,
    "The traces that are recorded. With `parentbased_` a client's own decision, in `traceparent`, comes first.",
  ),
  OTEL_TRACES_SAMPLER_ARG: text('The share that `traceidratio` records, from 0 to 1.', '1'),
  OTEL_PROPAGATORS: text(
    'Headers by which traces are continued: `tracecontext`, or `none`. `baggage` is allowed, and neither read nor sent.',
    'tracecontext,baggage',
  ),
  OTEL_BSP_SCHEDULE_DELAY: integer(5_000, [1, 600_000], 'Milliseconds between two batches.'),
  OTEL_BSP_EXPORT_TIMEOUT: integer(30_000, [1, 600_000], 'Milliseconds after which a batch is given up.'),
  OTEL_BSP_MAX_QUEUE_SIZE: integer(
    2_048,
    [1, MOST],
    'Spans that wait to be sent; more are dropped, and never wait.',
  ),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integer(512, [1, MOST], 'The most spans of a batch.'),
  OTEL_ATTRIBUTE_COUNT_LIMIT: integer(128, [0, MOST], 'The most attributes of a span or link.'),
  OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: {
    ...integer(0, [0, MOST], 'The most characters of an attribute; 0 for no limit.'),
    otherwise: 'no limit; the text of a statement has at most 2,048 characters',
  },
  OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: {
    ...integer(128, [0, MOST], 'The most attributes of a span.'),
    otherwise: '`OTEL_ATTRIBUTE_COUNT_LIMIT`',
  },
  OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: {
    ...integer(0, [0, MOST], "The most characters of a span's attribute."),
    otherwise: '`OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT`',
  },
  OTEL_SPAN_LINK_COUNT_LIMIT: integer(128, [0, MOST], 'The most links of a span.'),
  OTEL_LINK_ATTRIBUTE_COUNT_LIMIT: integer(128, [0, MOST], 'The most attributes of a link.'),
  OTEL_LOG_LEVEL: text(
    "`none`, `error`, `warn`, `info`, `debug`, `verbose` or `all`: the least severe lines of OpenTelemetry's own that come into the log. That the collector cannot be reached is logged in any case, once.",
    'none',
  ),
} as const
