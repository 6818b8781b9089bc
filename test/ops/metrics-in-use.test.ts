/** Boards and alerts name metrics that the program has. */
import { beforeAll, describe, expect, it } from 'vitest'
import { namesIn, readMetricsAt } from '#test/support/metrics.ts'
import { recorded, rules } from '#test/support/ops.ts'
import { parseQuery } from '#test/support/promql.ts'
import { readText } from '#test/support/sources.ts'
import { startStack } from '#test/support/stack.ts'
import { panels, queriesOf } from './board.ts'

/** Metrics that Prometheus makes itself. */
const OF_PROMETHEUS = ['up', 'ALERTS']

/** Metrics of SMPP, which an installation with `SMS=smpp` has: by their page, since the connector may be left out. */
const ofMessageCentres = () => readText('docs/connectors.md').match(/\bsmpp_\w+/g)!

let names: Set<string>
beforeAll(async () => {
  await using stack = await startStack()
  // As a server does that has a certificate of its own.
  stack.app.metrics.certificate(() => new Date())
  const own = namesIn(await readMetricsAt(stack.address))
  names = new Set([...own, ...ofMessageCentres(), ...recorded, ...OF_PROMETHEUS])
})

const unknownIn = (query: string) => parseQuery(query).metrics.filter(name => !names.has(name))

describe('queries', () => {
  it('OPS-01 MUST see a name that is none, and a query that is none', () => {
    expect(unknownIn('sum by (a) (rate(nothing_total{b="requests_total"}[5m])) / requests_total')).toEqual([
      'nothing_total',
    ])
    expect(parseQuery('sum by (a) (rate(b[$__rate_interval])').faults).not.toEqual([])
    expect(parseQuery('sum by (a) (rate(b{c=~"$d"}[$__rate_interval]))').faults).toEqual([])
  })

  it.each(rules.map(({ alert, record, expr }) => [alert ?? record!, expr] as const))(
    'OPS-02 MUST name metrics that exist, in the rule %s',
    (_, expr) => {
      expect(parseQuery(expr).faults).toEqual([])
      expect(parseQuery(expr).metrics).not.toEqual([])
      expect(unknownIn(expr)).toEqual([])
    },
  )

  it.each(panels.map(panel => [panel.title, queriesOf(panel)] as const))(
    'OPS-03 MUST name metrics that exist, on the board in %s',
    (_, queries) => {
      for (const query of queries) {
        expect(parseQuery(query).faults).toEqual([])
        expect(unknownIn(query)).toEqual([])
      }
    },
  )
})
