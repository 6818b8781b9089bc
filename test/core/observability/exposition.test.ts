/** Formats of `/metrics`: Prometheus text for anyone, OpenMetrics with exemplars for scrapers that name it. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import {
  contentTypeOfMetrics,
  familiesOf,
  formatAccepted,
  mergeFamilies,
  withLabel,
  writeMetrics,
} from '#core/observability/exposition.ts'
import { CountSeries, DurationSeries, familyOf } from '#core/observability/series.ts'

const PROMETHEUS =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'

it('METRICS-01 MUST be OpenMetrics for who names it, and text for all others', () => {
  expect(formatAccepted(PROMETHEUS)).toBe('openmetrics')
  for (const accept of [undefined, '*/*', 'text/plain', 'text/html,application/xhtml+xml'])
    expect(formatAccepted(accept)).toBe('text')
  expect(contentTypeOfMetrics('text')).toBe('text/plain; version=0.0.4; charset=utf-8')
})

const families = async () => {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'sent_total', help: 'Sent', labelNames: ['to'], registers }).inc({ to: 'a "b"\n\\' }, 2)
  new Gauge({ name: 'sent', help: 'On their way', registers }).set(3)
  new Counter({ name: 'failed_total', help: 'Failed', registers }).inc()
  new Histogram({ name: 'took_seconds', help: 'Took', buckets: [1], registers }).observe(0.5)
  return familiesOf(registry)
}

it('METRICS-02 MUST write both formats of the same metrics, one after the other', async () => {
  for (let round = 0; round < 2; round++) {
    expect(writeMetrics(await families(), 'text')).toBe(
      [
        '# HELP sent_total Sent',
        '# TYPE sent_total counter',
        'sent_total{to="a \\"b\\"\\n\\\\"} 2',
        '# HELP sent On their way',
        '# TYPE sent gauge',
        'sent 3',
        '# HELP failed_total Failed',
        '# TYPE failed_total counter',
        'failed_total 1',
        '# HELP took_seconds Took',
        '# TYPE took_seconds histogram',
        'took_seconds_bucket{le="1"} 1',
        'took_seconds_bucket{le="+Inf"} 1',
        'took_seconds_sum 0.5',
        'took_seconds_count 1',
        '',
      ].join('\n'),
    )
    const open = writeMetrics(await families(), 'openmetrics')
    expect(open).toContain('# TYPE failed counter\nfailed_total 1\n')
    expect(open).toMatch(/\n# EOF\n$/)
  }
})

it('METRICS-03 MUST have no two families of one name in OpenMetrics', async () => {
  const text = writeMetrics(await families(), 'openmetrics')
  expect(text).toContain('# TYPE sent_total unknown\nsent_total{')
  expect(text).toContain('# TYPE sent gauge\nsent 3\n')
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(new Set(names).size).toBe(names.length)
})

it('METRICS-04 MUST show what a slow request was, in OpenMetrics alone', () => {
  const series = new DurationSeries({ operation: 'a' }, [0.1, 1])
  series.observe(0.05, { correlator: 'quick' })
  series.observe(0.5, { correlator: 'x'.repeat(119) })
  series.observe(7, { correlator: 'slow-1' })
  const family = familyOf({ name: 'took_seconds', help: 'Took', type: 'histogram' }, [series])
  const open = writeMetrics([family], 'openmetrics')
  expect(open).toMatch(
    /^took_seconds_bucket\{operation="a",le="0.1"\} 1 # \{correlator="quick"\} 0.05 \d{10}/m,
  )
  // 128 characters are the most that an exemplar may have.
  expect(open).toMatch(/^took_seconds_bucket\{operation="a",le="1"\} 2$/m)
  expect(open).toMatch(/^took_seconds_bucket\{operation="a",le="\+Inf"\} 3 # \{correlator="slow-1"\} 7 /m)
  expect(open).toMatch(/^took_seconds_count\{operation="a"\} 3$/m)
  expect(writeMetrics([family], 'text')).not.toContain('correlator')
})

it('METRICS-05 MUST join processes by the names of their metrics', () => {
  const of = (process: string, value: number) => {
    const series = new CountSeries({})
    series.value = value
    return withLabel(
      [familyOf({ name: 'a_total', help: process, type: 'counter' }, [series])],
      'process',
      process,
    )
  }
  expect(writeMetrics(mergeFamilies([...of('one', 1), ...of('two', 2)]), 'text')).toBe(
    '# HELP a_total one\n# TYPE a_total counter\na_total{process="one"} 1\na_total{process="two"} 2\n',
  )
})
