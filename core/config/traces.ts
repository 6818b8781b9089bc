/** The settings of traces, read where an endpoint turns them on: elsewhere the variables may be meant for other programs. */

import { accessSync, constants } from 'node:fs'
import type { SettingsReader } from './settings.ts'
import type { OTLP_PROTOCOLS, SAMPLERS } from './trace-settings.ts'

export interface TraceSettings {
  /** Name of the service; undefined for that of the process. */
  readonly serviceName: string | undefined
  /** Headers for the collector. */
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: (typeof OTLP_PROTOCOLS)[number]
  /** Names of what finds out attributes of the machine and the process. */
  readonly detectors: readonly string[]
  readonly sampler: (typeof SAMPLERS)[number]
  /** Share of the traces that a sampler by ratio records, from 0 to 1. */
  readonly ratio: number
  /** Whether traces are continued from clients and to other systems. */
  readonly propagates: boolean
  /** Bounds of what waits to be sent. */
  readonly batch: {
    readonly scheduledDelayMillis: number
    readonly exportTimeoutMillis: number
    readonly maxQueueSize: number
    readonly maxExportBatchSize: number
  }
  readonly limits: {
    readonly attributeCountLimit: number
    readonly attributeValueLengthLimit: number
    readonly linkCountLimit: number
    readonly attributePerLinkCountLimit: number
  }
  /** Least severe lines of the SDK itself that are logged. */
  readonly logLevel: (typeof LEVELS)[number]
}

const DETECTORS = ['env', 'host', 'os', 'process', 'serviceinstance']
const PROPAGATORS = ['tracecontext', 'baggage', 'none']

const isHttp = (address: string) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

/** Reads the name and the value of a pair, the value percent-encoded. @throws Error for a text that is none. */
const readPair = (text: string): readonly [string, string] => {
  const at = text.indexOf('=')
  if (at <= 0) throw new Error('no pair')
  return [text.slice(0, at).trim(), decodeURIComponent(text.slice(at + 1).trim())]
}

/** Reads `name=value` pairs, comma-separated. A fault does not show the value, which may be a secret. */
const readPairs = (
  read: SettingsReader,
  name: 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_EXPORTER_OTLP_TRACES_HEADERS' | 'OTEL_RESOURCE_ATTRIBUTES',
): Record<string, string> => {
  try {
    return Object.fromEntries(read.list(name).map(readPair))
  } catch {
    read.faults.push(`${name} must be name=value pairs, comma-separated, values percent-encoded`)
    return {}
  }
}

const FILES = [
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_CLIENT_KEY',
] as const

const isReadable = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Checks what the SDK's exporter reads from the environment by itself. */
const checkExporter = (read: SettingsReader) => {
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const) {
    const address = read.optional(name)
    read.expect(
      address === undefined || isHttp(address),
      name,
      'an http(s) address such as http://127.0.0.1:4318',
    )
  }
  readPairs(read, 'OTEL_RESOURCE_ATTRIBUTES')
  for (const name of FILES) {
    const file = read.optional(name)
    read.expect(file === undefined || isReadable(file), name, 'a file that can be read')
  }
  read.integer('OTEL_EXPORTER_OTLP_TIMEOUT')
  read.text('OTEL_EXPORTER_OTLP_COMPRESSION')
}

const readSampler = (read: SettingsReader) => {
  const sampler = read.text('OTEL_TRACES_SAMPLER') as TraceSettings['sampler']
  const ratio = Number(read.text('OTEL_TRACES_SAMPLER_ARG'))
  const isShare = ratio >= 0 && ratio <= 1
  if (sampler.endsWith('traceidratio'))
    read.expect(isShare, 'OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1')
  return { sampler, ratio: isShare ? ratio : 1 }
}

/** Reads a list of few words. */
const readWords = (
  read: SettingsReader,
  name: 'OTEL_NODE_RESOURCE_DETECTORS' | 'OTEL_PROPAGATORS',
  words: readonly string[],
): string[] => {
  const given = read
    .text(name)
    .split(',')
    .map(word => word.trim())
  read.expect(
    given.every(word => words.includes(word)),
    name,
    `of ${words.join(', ')}, comma-separated`,
  )
  return given
}

const readDetectors = (read: SettingsReader): readonly string[] => {
  const given = readWords(read, 'OTEL_NODE_RESOURCE_DETECTORS', [...DETECTORS, 'all', 'none'])
  if (given.includes('none')) return []
  return given.includes('all') ? DETECTORS : given
}

/** Zero stands for no limit. */
const unlessZero = (length: number) => (length === 0 ? Number.POSITIVE_INFINITY : length)

const readLimits = (read: SettingsReader): TraceSettings['limits'] => {
  const count = read.integer('OTEL_ATTRIBUTE_COUNT_LIMIT')
  const length = read.integer('OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT')
  return {
    attributeCountLimit: read.integer('OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', count),
    attributeValueLengthLimit: unlessZero(read.integer('OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', length)),
    linkCountLimit: read.integer('OTEL_SPAN_LINK_COUNT_LIMIT'),
    attributePerLinkCountLimit: read.integer('OTEL_LINK_ATTRIBUTE_COUNT_LIMIT', count),
  }
}

const LEVELS = ['none', 'error', 'warn', 'info', 'debug', 'verbose', 'all'] as const

/** Levels may be written in capitals. */
const readLevel = (read: SettingsReader): TraceSettings['logLevel'] => {
  const given = (read.optional('OTEL_LOG_LEVEL') ?? 'none').toLowerCase()
  const level = LEVELS.find(one => one === given)
  read.expect(level !== undefined, 'OTEL_LOG_LEVEL', `one of ${LEVELS.join(', ')}`)
  return level ?? 'none'
}

/** Whether the SDK is turned off; the word may be written in capitals. */
const isDisabled = (read: SettingsReader): boolean => {
  const given = (read.optional('OTEL_SDK_DISABLED') ?? 'false').toLowerCase()
  read.expect(given === 'true' || given === 'false', 'OTEL_SDK_DISABLED', 'true or false')
  return given === 'true'
}

const isOff = (read: SettingsReader): boolean => {
  const endpoint =
    read.optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? read.optional('OTEL_EXPORTER_OTLP_ENDPOINT')
  return endpoint === undefined || isDisabled(read) || read.text('OTEL_TRACES_EXPORTER') === 'none'
}

/** Reads the settings of traces; undefined where there are to be none. */
export function readTraces(read: SettingsReader): TraceSettings | undefined {
  if (isOff(read)) return undefined
  checkExporter(read)
  const protocol = read.text('OTEL_EXPORTER_OTLP_PROTOCOL')
  return {
    headers: {
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    protocol: read.text('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', protocol) as TraceSettings['protocol'],
    serviceName: read.optional('OTEL_SERVICE_NAME'),
    detectors: readDetectors(read),
    ...readSampler(read),
    propagates: !readWords(read, 'OTEL_PROPAGATORS', PROPAGATORS).includes('none'),
    batch: {
      scheduledDelayMillis: read.integer('OTEL_BSP_SCHEDULE_DELAY'),
      exportTimeoutMillis: read.integer('OTEL_BSP_EXPORT_TIMEOUT'),
      maxQueueSize: read.integer('OTEL_BSP_MAX_QUEUE_SIZE'),
      maxExportBatchSize: read.integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    },
    limits: readLimits(read),
    logLevel: readLevel(read),
  }
}
