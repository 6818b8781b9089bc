/**
 * Exposition of metrics, in the format that a scraper accepts: Prometheus text 0.0.4, or OpenMetrics 1.0, which alone has
 * exemplars. Own writing: prom-client renames the counters of a registry for good when it writes OpenMetrics, so that a
 * process could not serve both formats.
 */
import type { Registry } from 'prom-client'

export type MetricsFormat = 'text' | 'openmetrics'

/** One series of a family, its parts as they are written. */
export interface Sample {
  readonly name: string
  /** `code="OK",way="REST"`, without braces; empty where it has none. */
  readonly labels: string
  readonly value: string
  /** `{trace_id="…"} 0.012 1700000000.123`. */
  readonly exemplar?: string | undefined
}

/** A metric with all of its series. */
export interface Family {
  /** Name in Prometheus text: that of a counter ends in `_total`. */
  readonly name: string
  readonly help: string
  readonly type: string
  readonly samples: readonly Sample[]
}

/** Series of one metric as prom-client gives them. */
interface Value {
  readonly value: number
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly metricName?: string
}

const CONTENT_TYPES: Readonly<Record<MetricsFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

export const contentTypeOfMetrics = (format: MetricsFormat): string => CONTENT_TYPES[format]

/** OpenMetrics for a scraper that names it, as Prometheus does before all others; text for anything else. */
export const formatAccepted = (accept: string | undefined): MetricsFormat =>
  accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'text'

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

/** Writes labels as they stand between braces. */
export const labelsText = (labels: Value['labels']): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value)).replaceAll('"', '\\"')}"`)
    .join(',')

export const numberText = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return String(value)
}

/** Reads the metrics of a registry, all at the same time: each that waits for something has a limit of its own. */
export async function familiesOf(registry: Pick<Registry, 'getMetricsAsJSON'>): Promise<Family[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(({ name, help, type, values = [] }) => ({
    name,
    help,
    type: String(type),
    samples: (values as readonly Value[]).map(({ metricName = name, labels, value }) => ({
      name: metricName,
      labels: labelsText(labels),
      value: numberText(value),
    })),
  }))
}

/** Adds a label to every series. */
export const withLabel = (families: readonly Family[], name: string, value: string): Family[] => {
  const label = labelsText({ [name]: value })
  const labelled = ({ labels, ...sample }: Sample): Sample => ({
    ...sample,
    labels: labels === '' ? label : `${labels},${label}`,
  })
  return families.map(family => ({ ...family, samples: family.samples.map(labelled) }))
}

/** Joins families of several processes: a name has one family, and the first process describes it. */
export const mergeFamilies = (families: readonly Family[]): Family[] =>
  [...Map.groupBy(families, ({ name }) => name).values()].map(same => ({
    ...same[0]!,
    samples: same.flatMap(({ samples }) => samples),
  }))

const TOTAL = '_total'

/** A counter's family is named without `_total` in OpenMetrics; where that name is another's, its type is left open. */
const headOf = ({ name, type }: Family, taken: ReadonlySet<string>) => {
  if (type !== 'counter') return { name, type }
  const base = name.endsWith(TOTAL) ? name.slice(0, -TOTAL.length) : name
  return base === name || taken.has(base) ? { name, type: 'unknown' } : { name: base, type }
}

const sampleLine = ({ name, labels, value, exemplar }: Sample, format: MetricsFormat): string => {
  const line = labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`
  return exemplar !== undefined && format === 'openmetrics' ? `${line} # ${exemplar}` : line
}

/** Writes families in a format. */
export function writeMetrics(families: readonly Family[], format: MetricsFormat): string {
  const taken = new Set(families.map(({ name }) => name))
  const lines = families.flatMap(family => {
    const { name, type } = format === 'openmetrics' ? headOf(family, taken) : family
    return [
      `# HELP ${name} ${escaped(family.help)}`,
      `# TYPE ${name} ${type}`,
      ...family.samples.map(sample => sampleLine(sample, format)),
    ]
  })
  return `${[...lines, ...(format === 'openmetrics' ? ['# EOF'] : [])].join('\n')}\n`
}
