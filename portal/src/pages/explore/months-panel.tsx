/** Months by kind, as bars: a click on a month, a part of it, or a kind narrows the timeline to it. */
import { useNavigate } from '@tanstack/react-router'
import { useGraph } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { endOfMonth } from '../../kit/common-spans.ts'
import { Panel } from '../../kit/panel.tsx'
import { Empty, GraphView } from '../../kit/states.tsx'
import { pageConfig } from '../../page-config.ts'
import { type Filters, KINDS, ofOutcomes, toggled, writeFilters } from './filters.ts'
import { sumsOf } from './month-sums.ts'
import {
  CustomerMonthsDocument,
  type MonthRowFragment,
  MonthsDocument,
  NumberMonthsDocument,
} from './months.generated.ts'
import type { Scope } from './scope.ts'
import type { TransactionKind } from './timeline.generated.ts'

const MONTHS = 12

/** The first days of the last twelve months of the operator's calendar, the oldest first. */
export function lastMonths(now = new Date()): string[] {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: pageConfig.timezone }).format(now)
  const [year, month] = today.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(year!, month! - MONTHS + index, 1)).toISOString().slice(0, 10),
  )
}

export interface MonthBar {
  readonly month: string
  readonly count: number
  readonly failed: number
  readonly byKind: ReadonlyMap<TransactionKind, number>
}

/** Bars of these months, of those without anything too. */
export const toBars = (months: readonly string[], rows: readonly MonthRowFragment[]): MonthBar[] =>
  months.map(month => {
    const own = rows.filter(({ period }) => period === month)
    return {
      month,
      count: own.reduce((sum, { count }) => sum + count, 0),
      failed: own.reduce((sum, { failed }) => sum + failed, 0),
      byKind: new Map(own.map(({ kind, count }) => [kind!, count])),
    }
  })

/** The next number that is easy to read. */
export const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= value) ?? value
}

interface BarsProps {
  readonly bars: readonly MonthBar[]
  /** The value of the whole height. */
  readonly top: number
  readonly isChosen: (month: string) => boolean
  readonly onChoose: (month: string, kind?: TransactionKind) => void
}

/** The bars; a month is a button, its parts are for the pointer alone. */
export function Bars({ bars, top, isChosen, onChoose }: BarsProps) {
  const { m, f } = useTranslation()
  const describe = ({ month, count, failed, byKind }: MonthBar) => {
    const kinds = [...byKind].map(([kind, number]) => `${m.kinds[kind]} ${f.number(number)}`)
    const parts = [m.explore.entries(count), ...kinds, ...(failed ? [m.explore.failedCount(failed)] : [])]
    return `${f.month(month)}: ${parts.join(', ')}`
  }
  return (
    <div className="bars">
      <span className="bars-top number" aria-hidden="true">
        {f.number(top)}
      </span>
      <ol>
        {bars.map(bar => (
          <li
            key={bar.month}
            className={isChosen(bar.month) ? 'bar bar-chosen' : 'bar'}
            title={describe(bar)}
          >
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same for the keyboard. */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
            <div className="bar-stack" onClick={() => onChoose(bar.month)}>
              {KINDS.filter(kind => bar.byKind.has(kind)).map(kind => (
                // biome-ignore lint/a11y/noStaticElementInteractions: as above, with the kind chosen in the legend.
                // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
                <span
                  key={kind}
                  className={`bar-part kind-${kind.toLowerCase()}`}
                  style={{ blockSize: `${(100 * (bar.byKind.get(kind) ?? 0)) / top}%` }}
                  onClick={event => {
                    event.stopPropagation()
                    onChoose(bar.month, kind)
                  }}
                />
              ))}
            </div>
            <button
              type="button"
              className="bar-name"
              aria-pressed={isChosen(bar.month)}
              aria-label={describe(bar)}
              onClick={() => onChoose(bar.month)}
            >
              {f.monthShort(bar.month)}
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}

const useMonths = (scope: Scope, filters: Filters, from: string) => {
  const narrowed = {
    from,
    merchant: filters.merchant ?? null,
    postedBy: filters.postedBy ?? null,
  }
  const all = useGraph(MonthsDocument, narrowed, { isOn: scope.of === 'all', keepPrevious: true })
  const customer = useGraph(
    CustomerMonthsDocument,
    { ...narrowed, account: scope.of === 'customer' ? scope.account : '' },
    { isOn: scope.of === 'customer', keepPrevious: true },
  )
  const number = useGraph(
    NumberMonthsDocument,
    {
      ...narrowed,
      number: scope.of === 'number' ? scope.number : '',
      include: scope.of === 'number' ? scope.include : 'ACCOUNT',
    },
    { isOn: scope.of === 'number', keepPrevious: true },
  )
  if (scope.of === 'customer') return { result: customer, rows: customer.data?.customer?.summary }
  if (scope.of === 'number') return { result: number, rows: number.data?.subscriber?.summary }
  return { result: all, rows: all.data?.summary }
}

interface MonthsPanelProps {
  readonly scope: Scope
  readonly filters: Filters
}

export function MonthsPanel({ scope, filters }: MonthsPanelProps) {
  const { m, f } = useTranslation()
  const navigate = useNavigate()
  const months = lastMonths()
  const { result, rows: found } = useMonths(scope, filters, months[0]!)
  const rows = ofOutcomes(found ?? [], filters.outcomes)
  const kept = rows.filter(({ kind }) => filters.kinds.length === 0 || filters.kinds.includes(kind!))
  const bars = toBars(months, kept)
  const top = roundUp(Math.max(...bars.map(({ count }) => count)))
  const change = (changes: Partial<Filters>) =>
    navigate({ to: '.', search: writeFilters({ ...filters, ...changes }), resetScroll: false })
  const isChosen = (month: string) => filters.from === month && filters.to === endOfMonth(month)
  const choose = (month: string, kind?: TransactionKind) => {
    const range =
      isChosen(month) && !kind ? { from: undefined, to: undefined } : { from: month, to: endOfMonth(month) }
    change({ ...range, ...(kind && { kinds: [kind] }) } as Partial<Filters>)
  }
  const chosen = months.find(isChosen)
  const counted = rows.filter(({ period }) => !chosen || period === chosen)
  const sumText = (kind: TransactionKind) => {
    const { count, amounts, points } = sumsOf(counted, kind)
    const parts = [
      f.number(count),
      ...amounts.map(f.money),
      ...(points > 0 ? [m.explore.points(points)] : []),
    ]
    return parts.join(' · ')
  }
  const csv = () => [
    ['month', 'kind', 'count', 'completed', 'failed', 'amounts', 'points'],
    ...kept.map(({ period, kind, count, completed, failed, amounts, points }) => [
      period.slice(0, 7),
      kind,
      count,
      completed,
      failed,
      amounts.map(({ value, currency }) => `${value} ${currency}`).join('; '),
      points,
    ]),
  ]
  return (
    <Panel
      title={m.explore.months}
      query={result.query}
      csv={csv}
      aside={chosen && f.month(chosen)}
      className="months"
    >
      <GraphView<unknown> result={result} rows={4}>
        {() =>
          bars.every(({ count }) => count === 0) &&
          filters.kinds.length === 0 &&
          filters.outcomes.length === 0 ? (
            <Empty title={m.explore.nothingYet} />
          ) : (
            <div className="months-body">
              <Bars bars={bars} top={top} isChosen={isChosen} onChoose={choose} />
              <ul className="legend">
                {KINDS.map(kind => (
                  <li key={kind}>
                    <Button
                      look="quiet"
                      className="legend-key"
                      aria-pressed={filters.kinds.includes(kind)}
                      onClick={() => change({ kinds: toggled(filters.kinds, kind) })}
                    >
                      <span className={`kind-dot kind-${kind.toLowerCase()}`} aria-hidden="true" />
                      {m.kinds[kind]} <bdi className="muted number">{sumText(kind)}</bdi>
                    </Button>
                  </li>
                ))}
              </ul>
            </div>
          )
        }
      </GraphView>
    </Panel>
  )
}
