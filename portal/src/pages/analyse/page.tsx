/** The page for questions of how much and how many: sums by period and group, as chart and table. */
import './analyse.css'
import { useMemo } from 'react'
import { useGraph } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { SavedViews } from '../../kit/saved-views.tsx'
import { Empty, GraphView } from '../../kit/states.tsx'
import { pageConfig } from '../../page-config.ts'
import { useAddress } from '../../support/parts.tsx'
import { AnalyseDocument, AnalyseMeasuredDocument } from './analyse.generated.ts'
import { isOfTransactions, readAnalysis, toVariables } from './analysis.ts'
import { ChartPanel } from './chart-panel.tsx'
import { Controls } from './controls.tsx'
import { currenciesOf, currencyOf, toPeriods } from './pivot.ts'
import { TablePanel } from './table-panel.tsx'

export default function AnalysePage() {
  const { m } = useTranslation()
  const [search] = useAddress()
  const analysis = useMemo(() => readAnalysis(search, pageConfig.timezone), [search])
  const result = useGraph(
    isOfTransactions(analysis.measure) ? AnalyseMeasuredDocument : AnalyseDocument,
    toVariables(analysis),
  )
  const rows = result.data?.summary ?? []
  const currency = currencyOf(rows, analysis.currency)
  const periods = useMemo(() => toPeriods(rows, analysis), [rows, analysis])
  const parts = { analysis, periods, currency, query: result.query, rows }
  return (
    <div className="stack">
      <header className="analyse-head">
        <h1>{m.analyse.title}</h1>
        <p className="muted">{m.analyse.lead}</p>
      </header>
      <SavedViews page="/analyse" />
      <Controls analysis={analysis} currencies={currenciesOf(rows)} currency={currency} />
      <GraphView result={result} rows={8}>
        {() =>
          rows.length === 0 ? (
            <Empty title={m.explore.nothingFits}>
              <ClearButton />
            </Empty>
          ) : (
            <div className="analyse-both">
              <ChartPanel {...parts} />
              <TablePanel {...parts} />
            </div>
          )
        }
      </GraphView>
    </div>
  )
}

/** Filters and span of an address, which leave nothing. */
const NARROWING = ['from', 'to', 'kinds', 'merchant', 'postedBy', 'period'] as const

function ClearButton() {
  const { m } = useTranslation()
  const [, change] = useAddress()
  return (
    <Button onClick={() => change(Object.fromEntries(NARROWING.map(name => [name, undefined])))}>
      {m.explore.clearFilters}
    </Button>
  )
}
