/** The answer as a chart; a period that is chosen in it narrows the table beside it. */
import type { SentQuery } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Legend, Lines, REST_COLOUR, type Series, StackedBars, seriesColour } from '../../kit/chart.tsx'
import { Panel } from '../../kit/panel.tsx'
import { useAddress } from '../../support/parts.tsx'
import type { SummaryGroup } from './analyse.generated.ts'
import { type Analysis, isAdditive, type Measure } from './analysis.ts'
import { type Cell, dimensionOf, fillPeriods, keysInOrder, REST, type SummaryRow } from './pivot.ts'

export interface ResultsProps {
  readonly analysis: Analysis
  readonly periods: ReadonlyMap<string, readonly Cell[]>
  readonly currency: string | undefined
  readonly query: SentQuery
  readonly rows: readonly SummaryRow[]
}

type Write = (text: string) => string

/** Functions that write values, groups and periods as the language does. */
export const useNames = ({ analysis, currency }: Pick<ResultsProps, 'analysis' | 'currency'>) => {
  const { m, f } = useTranslation()
  const { by, measure } = analysis
  const dimension = (value: string | null, group: SummaryGroup): string =>
    value === null
      ? m.analyse.none
      : group === 'KIND'
        ? (m.kinds[value] ?? value)
        : group === 'OUTCOME'
          ? (m.outcomes[value] ?? value)
          : value
  const money = (value: number) => (currency ? f.money({ value, currency }) : f.number(value))
  const byMeasure: Partial<Record<Measure, (value: number) => string>> = {
    rate: f.percent,
    amount: money,
    average: money,
    max: money,
    p50: money,
    p95: money,
    settledP50Ms: f.duration,
    settledP95Ms: f.duration,
  }
  const byPeriod: Partial<Record<Analysis['by'], readonly [long: Write, short: Write]>> = {
    MONTH: [f.month, f.monthShort],
    QUARTER: [f.month, f.monthShort],
    YEAR: [period => period.slice(0, 4), period => period.slice(0, 4)],
    HOUR_OF_DAY: [hour => `${hour}:00`, hour => hour],
    DAY_OF_WEEK: [f.dayOfWeek, f.dayOfWeekShort],
  }
  const [long, short] = byPeriod[by] ?? [f.plainDay, f.dayShort]
  return {
    dimension,
    group: (cell: Cell): string => {
      if (cell.isRest) return m.analyse.rest(cell.groups)
      const parts = analysis.groups.map(group => dimension(dimensionOf(cell.row, group), group))
      return parts.join(' · ') || m.analyse.measures[measure]
    },
    period: long,
    short,
    value: byMeasure[measure] ?? f.number,
  }
}

/** The most series with a colour of their own. */
const MOST_SERIES = 8

const toSeries = (
  { periods, analysis }: Pick<ResultsProps, 'periods' | 'analysis'>,
  all: readonly string[],
  nameOf: (cell: Cell) => string,
  rest: string,
): Series[] => {
  const keys = keysInOrder(periods)
  const valueAt = (period: string, key: string) => periods.get(period)?.find(one => one.key === key)
  const shown = keys.filter(key => key !== REST).slice(0, MOST_SERIES)
  const series = shown.map((key, index): Series => {
    const cells = all.map(period => valueAt(period, key))
    const known = cells.find(cell => cell !== undefined)!
    const isKind = analysis.groups.length === 1 && analysis.groups[0] === 'KIND'
    const colour = isKind ? `var(--kind-${String(known.row.kind).toLowerCase()})` : seriesColour(index)
    return { key, name: nameOf(known), colour, values: cells.map(cell => cell?.value ?? 0) }
  })
  const values = all.map(period =>
    (periods.get(period) ?? [])
      .filter(({ key }) => !shown.includes(key))
      .reduce((sum, { value }) => sum + value, 0),
  )
  const hasRest = isAdditive(analysis.measure) && values.some(value => value > 0)
  return hasRest ? [...series, { key: REST, name: rest, colour: REST_COLOUR, values }] : series
}

/** Every how many periods one is named, so that names do not meet. */
const MOST_NAMES = 12

/** A ranking where all is one period. */
function Ranking({
  cells,
  names,
}: {
  readonly cells: readonly Cell[]
  readonly names: ReturnType<typeof useNames>
}) {
  const top = Math.max(...cells.map(({ value }) => value), 0) || 1
  return (
    <ol className="ranking">
      {cells.map((cell, index) => (
        <li key={cell.key}>
          <span className="ranking-name">
            <bdi>{names.group(cell)}</bdi>
            <span className="number ltr">{names.value(cell.value)}</span>
          </span>
          <span className="ranking-bar">
            <span
              style={{
                inlineSize: `${(100 * cell.value) / top}%`,
                background: cell.isRest ? REST_COLOUR : seriesColour(index),
              }}
            />
          </span>
        </li>
      ))}
    </ol>
  )
}

export function ChartPanel({ analysis, periods, currency, query }: ResultsProps) {
  const { m } = useTranslation()
  const [, change] = useAddress()
  const names = useNames({ analysis, currency })
  const all = fillPeriods([...periods.keys()], analysis.by)
  const every = Math.ceil(all.length / MOST_NAMES)
  const chartPeriods = all.map((key, index) => ({
    key,
    short: (all.length - 1 - index) % every === 0 ? names.short(key) : '',
    long: names.period(key),
  }))
  const series = toSeries({ periods, analysis }, all, names.group, m.support.others)
  const chosen = all.indexOf(analysis.period ?? '')
  const title = m.analyse.measures[analysis.measure]
  const choose = (index: number) => change({ period: index === chosen ? undefined : all[index] })
  return (
    <Panel title={title} query={query} className="analyse-chart">
      <div className="panel-body stack">
        {analysis.by === 'ALL' ? (
          <Ranking cells={[...periods.values()].flat()} names={names} />
        ) : !isAdditive(analysis.measure) && all.length > 1 ? (
          <Lines label={title} periods={chartPeriods} series={series} format={names.value} />
        ) : (
          <StackedBars
            label={title}
            periods={chartPeriods}
            series={series}
            format={names.value}
            onChoose={choose}
            chosen={chosen < 0 ? undefined : chosen}
          />
        )}
        {analysis.by !== 'ALL' && (
          <Legend series={series} format={names.value} hasSums={isAdditive(analysis.measure)} />
        )}
      </div>
    </Panel>
  )
}
