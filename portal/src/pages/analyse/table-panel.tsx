/** The answer as a table; each row leads to the transactions behind it. */
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { Panel } from '../../kit/panel.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { useAddress } from '../../support/parts.tsx'
import type { Analysis, Measure } from './analysis.ts'
import { type ResultsProps, useNames } from './chart-panel.tsx'
import { type Cell, dimensionOf, MONTHS } from './pivot.ts'

/** Whether a period is a span of days: an hour or a day of the week is many of them. */
const isSpan = (by: Analysis['by']) => by !== 'ALL' && by !== 'HOUR_OF_DAY' && by !== 'DAY_OF_WEEK'

/** The last day of a period. */
const endOfPeriod = (period: string, by: Analysis['by']): string | undefined => {
  const day = new Date(`${period}T00:00:00Z`)
  if (!isSpan(by)) return undefined
  const months = MONTHS[by]
  if (months) day.setUTCMonth(day.getUTCMonth() + months, 0)
  else if (by === 'WEEK') day.setUTCDate(day.getUTCDate() + 6)
  return day.toISOString().slice(0, 10)
}

/** The transactions behind a cell, as an address of the explorer. */
const behind = ({ row, period, isRest }: Cell, { by, kinds, merchant, postedBy, from, to }: Analysis) => ({
  from: isSpan(by) ? period : from,
  to: endOfPeriod(period, by) ?? to,
  kinds: (isRest ? null : row.kind) ?? kinds,
  outcomes: isRest ? undefined : (row.outcome ?? undefined),
  merchant: (isRest ? null : row.merchant) ?? merchant,
  postedBy: (isRest ? null : row.partner?.id) ?? postedBy,
})

function Change({ change }: { readonly change: number | undefined }) {
  const { m, f } = useTranslation()
  if (change === undefined) return <span className="muted">–</span>
  return (
    <bdi className="number muted" title={m.analyse.changeText}>
      {f.change(change)}
    </bdi>
  )
}

export function TablePanel({ analysis, periods, currency, query, rows }: ResultsProps) {
  const { m, f } = useTranslation()
  const [, change] = useAddress()
  const names = useNames({ analysis, currency })
  const { period: narrowed, groups, by } = analysis
  const cells = [...periods]
    .toReversed()
    .filter(([period]) => narrowed === undefined || period === narrowed)
    .flatMap(([, own]) => own)
  const isExtra = (one: Measure) => analysis.measure !== one
  const columns: Column<Cell>[] = [
    ...(by === 'ALL'
      ? []
      : [
          {
            key: 'period',
            label: m.analyse.periods[by],
            cell: (cell: Cell) => <span className="nowrap">{names.period(cell.period)}</span>,
          },
        ]),
    {
      key: 'group',
      label: groups.map(group => m.analyse.groups[group]).join(' · ') || m.analyse.total,
      isWide: true,
      cell: cell => (
        <Link to="/explore" search={behind(cell, analysis)} title={m.analyse.transactionsBehind}>
          <bdi className="break">{names.group(cell)}</bdi>
        </Link>
      ),
    },
    {
      key: 'value',
      label: m.analyse.measures[analysis.measure],
      isNumber: true,
      cell: ({ value, share }) => (
        <span className="share">
          <span className="ltr">{names.value(value)}</span>
          {share !== undefined && (
            <span className="share-bar" title={f.percent(share)}>
              <span style={{ inlineSize: `${100 * share}%` }} />
            </span>
          )}
        </span>
      ),
    },
    ...(by === 'ALL'
      ? []
      : [
          {
            key: 'change',
            label: m.analyse.change,
            isNumber: true,
            cell: (cell: Cell) => <Change change={cell.change} />,
          },
        ]),
    ...(isExtra('count')
      ? [
          {
            key: 'count',
            label: m.analyse.measures.count,
            isNumber: true,
            cell: ({ row }: Cell) => f.number(row.count),
          },
        ]
      : []),
    ...(isExtra('rate')
      ? [
          {
            key: 'rate',
            label: m.analyse.measures.rate,
            isNumber: true,
            cell: ({ row }: Cell) => f.percent(row.failureRate),
          },
        ]
      : []),
    ...(isExtra('amount')
      ? [
          {
            key: 'amount',
            label: m.analyse.measures.amount,
            isNumber: true,
            cell: ({ row }: Cell) =>
              row.amounts.length === 0
                ? row.points !== null && m.explore.points(row.points)
                : row.amounts.map(one => (
                    <span key={one.currency} className="ltr block">
                      {f.money(one)}
                    </span>
                  )),
          },
        ]
      : []),
  ]
  return (
    <Panel
      title={m.analyse.table}
      query={query}
      aside={
        <>
          {narrowed && (
            <Button look="quiet" icon="close" onClick={() => change({ period: undefined })}>
              {names.period(narrowed)}
            </Button>
          )}
          <span className="number">{m.analyse.rows(cells.length)}</span>
        </>
      }
      csv={() => [
        [
          'period',
          ...groups.map(group => group.toLowerCase()),
          'count',
          'completed',
          'failed',
          'failureRate',
          'amounts',
          'points',
        ],
        ...rows.map(row => [
          row.period,
          ...groups.map(group => dimensionOf(row, group)),
          row.count,
          row.completed,
          row.failed,
          row.failureRate,
          row.amounts.map(({ value, currency: of }) => `${value} ${of}`).join('; '),
          row.points,
        ]),
      ]}
    >
      <Table
        label={m.analyse.table}
        rows={cells}
        columns={columns}
        keyOf={({ period, key }) => `${period} ${key}`}
      />
    </Panel>
  )
}
