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
    await using upstreams = upstreamsOver({ loyalty: one, messaging: hanging, prepaid: alone }, createClock())
    for (const name of ['loyalty', 'messaging', 'prepaid']) upstreams.of(name)
    const behind = processesBehind(upstreams, { metricsToken: 'secret' })
    const began = performance.now()
    const families = await behind.read()
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(families).toHaveLength(1)
    expect(families[0]!.samples.map(({ labels, value }) => [labels, value])).toEqual([
      ['process="loyalty"', '1'],
      ['a="b",process="prepaid"', '2'],
    ])
    expect(alone.requests[0]).toMatchObject({
      url: '/metrics?own=1',
      headers: { authorization: 'Bearer secret', accept: expect.stringContaining('openmetrics') },
    })
    expect((await behind.targets()).map(({ process }) => process)).toEqual([
      'loyalty',
      'messaging',
      'prepaid',
    ])
  })

  it('BEHIND-11 MUST be up while it answers', async () => {
    await using one = await startInstance(json({}))
    await using upstreams = upstreamsOver([one], createClock())
    upstreams.of('loyalty')
    expect(await readSubgraphs(upstreams)).toEqual([
      { gauge: 'up', labels: { subgraph: 'loyalty' }, value: 1 },
    ])
    one.answer = silent
    expect((await readSubgraphs(upstreams))[0]!.value).toBe(0)
  })

  it('BEHIND-12 MUST NOT be found or read through a balancer, which shows one of several at a time', async () => {
    await using balancer = await startInstance(response => response.writeHead(404).end())
    await using upstreams = upstreamsOver([balancer], createClock())
    upstreams.of('loyalty')
    const behind = processesBehind(upstreams, { metricsToken: undefined })
    expect(await behind.targets()).toEqual([])
    expect(await behind.read()).toEqual([])
  })
})
