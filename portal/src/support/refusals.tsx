/** Refused requests and failed transactions over time. */
import { useMemo } from 'react'
import { useGraph } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Legend, REST_COLOUR, type Series, StackedBars, seriesColour } from '../kit/chart.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView } from '../kit/states.tsx'
import { CurlButton } from './parts.tsx'
import { periodsOf, placeOf, type Span, startOfSpan } from './span.ts'
import { FailureDaysDocument, RefusalPeriodsDocument } from './support.generated.ts'

export interface OfClientProps {
  /** The partner; those of all partners without it, or of the partner that is signed in. */
  readonly client: string | undefined
  /** Whether to name the client of each row. */
  readonly namesClients: boolean
  readonly span: Span
}

interface Counted {
  readonly name: string
  readonly place: number
  readonly count: number
}

/** The most series that have a colour of their own. */
const MOST = 6

/** Series of the names with the most, and one of the rest. */
export function toSeries(counted: readonly Counted[], length: number, rest: string): Series[] {
  const byName = Map.groupBy(
    counted.filter(({ place }) => place >= 0),
    ({ name }) => name,
  )
  const valuesOf = (rows: readonly Counted[]) => {
    const values = Array.from({ length }, () => 0)
    for (const { place, count } of rows) values[place]! += count
    return values
  }
  const sum = (rows: readonly Counted[]) => rows.reduce((total, { count }) => total + count, 0)
  const sorted = [...byName].toSorted(([, a], [, b]) => sum(b) - sum(a))
  const shown = sorted.slice(0, MOST).map(([name, rows], index) => ({
    key: name,
    name,
    colour: seriesColour(index),
    values: valuesOf(rows),
  }))
  const others = sorted.slice(MOST).flatMap(([, rows]) => rows)
  return others.length === 0
    ? shown
    : [...shown, { key: '…', name: rest, colour: REST_COLOUR, values: valuesOf(others) }]
}

/** Start of a span that stays the same while the view is shown, so that nothing is asked twice. */
export const useStart = (span: Span) => useMemo(() => startOfSpan(span), [span])

export function RefusalChart({ client, span }: Omit<OfClientProps, 'namesClients'>) {
  const { m, f } = useTranslation()
  const from = useStart(span)
  const by = span === '1' ? 'HOUR' : 'DAY'
  const result = useGraph(
    RefusalPeriodsDocument,
    { from, by, client: client ?? null },
    { keepPrevious: true },
  )
  const periods = useMemo(() => periodsOf(span, f), [span, f])
  return (
    <Panel
      title={m.support.refusedOverTime}
      query={result.query}
      aside={<CurlButton query={result.query} />}
      csv={() => [
        ['period', 'reason', 'count'],
        ...(result.data?.requestSummary ?? []).map(({ period, reason, count }) => [period, reason, count]),
      ]}
    >
      <GraphView result={result} rows={4}>
        {({ requestSummary }) => {
          const counted = (requestSummary ?? []).map(({ period, reason, count }) => ({
            name: reason ?? m.support.noReason,
            place: placeOf(periods, period, span),
            count,
          }))
          const series = toSeries(counted, periods.length, m.support.others)
          if (series.length === 0) return <Empty title={m.support.nothingRefused} />
          return (
            <div className="panel-body stack">
              <StackedBars
                label={m.support.refusedOverTime}
                periods={periods}
                series={series}
                format={f.number}
              />
              <Legend series={series} format={f.number} />
            </div>
          )
        }}
      </GraphView>
    </Panel>
  )
}

export function FailureChart({ client, span }: Omit<OfClientProps, 'namesClients'>) {
  const { m, f } = useTranslation()
  const days = span === '1' ? '7' : span
  const from = useStart(days)
  const result = useGraph(FailureDaysDocument, { from, client: client ?? null }, { keepPrevious: true })
  const periods = useMemo(() => periodsOf(days, f), [days, f])
  return (
    <Panel
      title={m.support.failedOverTime}
      query={result.query}
      aside={<CurlButton query={result.query} />}
      csv={() => [
        ['day', 'kind', 'count', 'failed'],
        ...(result.data?.summary ?? []).map(({ period, kind, count, failed }) => [
          period,
          kind,
          count,
          failed,
        ]),
      ]}
    >
      <GraphView result={result} rows={4}>
        {({ summary }) => {
          const counted = (summary ?? [])
            .filter(({ failed }) => failed > 0)
            .map(({ period, kind, failed }) => ({
              name: kind ?? '',
              place: placeOf(periods, period, days),
              count: failed,
            }))
          const series = toSeries(counted, periods.length, m.support.others).map(one => ({
            ...one,
            name: m.kinds[one.key] ?? one.name,
            colour: `var(--kind-${one.key.toLowerCase()})`,
          }))
          if (series.length === 0) return <Empty title={m.support.nothingFailed} />
          return (
            <div className="panel-body stack">
              <StackedBars
                label={m.support.failedOverTime}
                periods={periods}
                series={series}
                format={f.number}
              />
              <Legend series={series} format={f.number} />
            </div>
          )
        }}
      </GraphView>
    </Panel>
  )
}
