/** The gateway's metrics: those of every process behind it, each with its name, and where a scraper finds them. */
import { describe, expect, it } from 'vitest'
import { writeMetrics } from '#core/observability/exposition.ts'
import { createClock } from '#test/core/access/support.ts'
import { type Answer, json, silent, startInstance } from '#test/support/http-instance.ts'
import { parseMetrics } from '#topology/upstream/parse-metrics.ts'
import { processesBehind, readSubgraphs } from '#topology/upstream/processes-behind.ts'
import { upstreamsOver } from './support.ts'

const TEXT = [
  '# HELP sent Sent, "so\\nto say" \\\\',
  '# TYPE sent counter',
  'sent_total{to="a } b \\" # c"} 2',
  '# HELP deliveries_total Attempts',
  '# TYPE deliveries_total unknown',
  'deliveries_total 3',
  '# HELP took_seconds Took',
  '# TYPE took_seconds histogram',
  'took_seconds_bucket{le="1"} 1 # {correlator="x # y"} 0.5 1700000000.123',
  'took_seconds_bucket{le="+Inf"} 1',
  'took_seconds_sum 0.5',
  'took_seconds_count 1',
  '# EOF',
  '',
].join('\n')

describe('metrics of another process', () => {
  it('BEHIND-01 MUST be written as they were read', () => {
    expect(parseMetrics(TEXT).map(({ name, type }) => [name, type])).toEqual([
      ['sent_total', 'counter'],
      ['deliveries_total', 'counter'],
      ['took_seconds', 'histogram'],
    ])
    const text = writeMetrics(parseMetrics(TEXT), 'openmetrics')
    expect(text).toBe(
      TEXT.replace('# HELP deliveries_total', '# HELP deliveries').replace(
        'deliveries_total unknown',
        'deliveries counter',
      ),
    )
    expect(writeMetrics(parseMetrics(text), 'openmetrics')).toBe(text)
  })

  it('BEHIND-02 MUST leave out what is no line of metrics', () => {
    expect(parseMetrics('<html>\n# TYPE a gauge\na b c d\na{x="1} 2\na 1\n')).toEqual([
      { name: 'a', type: 'gauge', help: '', samples: [{ name: 'a', labels: '', value: '1' }] },
    ])
  })
})

describe('processes behind the gateway', () => {
  const text =
    (body: string): Answer =>
    response =>
      response.end(body)

  it('BEHIND-10 MUST be read with their names, and left out where they do not answer in time', async () => {
    await using one = await startInstance(text('# TYPE up gauge\nup 1\n# EOF\n'))
    await using hanging = await startInstance(silent)
    await using alone = await startInstance(text('# TYPE up gauge\nup{a="b"} 2\n# EOF\n'))
    await using upstreams = upstreamsOver({ loyalty: [one, hanging], prepaid: [alone] }, createClock())
    for (const name of ['loyalty', 'prepaid']) upstreams.of(name)
    const behind = processesBehind(upstreams, { metricsToken: 'secret' })
    const began = performance.now()
    const families = await behind.read()
    expect(performance.now() - began).toBeLessThan(3_000)
    const host = new URL(one.origin).host
    expect(families).toHaveLength(1)
    expect(families[0]!.samples.map(({ labels, value }) => [labels, value])).toEqual([
      [`process="loyalty ${host}"`, '1'],
      ['a="b",process="prepaid"', '2'],
    ])
    expect(alone.requests[0]).toMatchObject({
      url: '/metrics?own=1',
      headers: { authorization: 'Bearer secret', accept: expect.stringContaining('openmetrics') },
    })
    expect(behind.targets().map(({ process }) => process)).toEqual([
      `loyalty ${host}`,
      `loyalty ${new URL(hanging.origin).host}`,
      'prepaid',
    ])
  })

  it('BEHIND-11 MUST be up while one instance answers', async () => {
    await using one = await startInstance(silent)
    await using other = await startInstance(json({}))
    await using upstreams = upstreamsOver([one, other], createClock())
    upstreams.of('loyalty')
    const up = async () => {
      const figures = await readSubgraphs(upstreams)
      return figures.map(({ gauge, labels, value }) => [gauge, labels?.['state'], value])
    }
    expect(await up()).toEqual([
      ['up', undefined, 1],
      ['instances', 'alive', 1],
      ['instances', 'silent', 1],
    ])
    other.answer = silent
    expect((await up())[0]).toEqual(['up', undefined, 0])
  })
})
