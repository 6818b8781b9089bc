/** A transaction with its journey: posted, put to the charging system, settled, and each attempt to tell the partner. */
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { isUnavailable } from '../../graph/errors.ts'
import { useGraph } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { KindMark, OutcomeBadge } from '../../kit/badge.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty, GraphView, Partial } from '../../kit/states.tsx'
import { handlesWebhooks, isOperator } from '../../session/session.ts'
import { customerPath } from './find.ts'
import { JourneyDeliveries } from './journey-deliveries.tsx'
import { Steps } from './journey-steps.tsx'
import { TransactionJourneyDocument, type TransactionJourneyQuery } from './transaction.generated.ts'
import { Copied, Details, type TransactionOfPage } from './transaction-details.tsx'

const Interventions = lazy(() => import('../../support/interventions.tsx'))

type Journey = NonNullable<TransactionJourneyQuery['journey']>
interface ViewProps {
  readonly transaction: TransactionOfPage
  readonly journey: Journey | null
  readonly isJourneyAway: boolean
  readonly query: { readonly document: string; readonly variables: object }
  /** Called when the transaction was changed. */
  readonly onChange: () => void
}

function TransactionParts({ transaction: t, journey, isJourneyAway, query, onChange }: ViewProps) {
  const { m, f } = useTranslation()
  const title = t.amount
    ? f.money(t.amount)
    : t.points !== null
      ? m.explore.points(t.points)
      : m.kinds[t.kind]
  useEffect(() => {
    document.title = `${m.kinds[t.kind]} ${title} – ${m.app.name}`
  }, [m, t.kind, title])
  const csv = () => [
    ['at', 'kind', 'text', 'durationMs', 'sincePreviousMs'],
    ...(journey?.steps ?? []).map(one => [one.at, one.kind, one.text, one.durationMs, one.sincePreviousMs]),
  ]
  return (
    <div className="stack">
      <header className="who">
        <div>
          <p className="crumbs">
            <Link to="/explore">{m.explore.title}</Link>
            <Icon name="next" />
            {t.customer ? (
              <Link to={customerPath(t.customer.customerAccountNumber)}>
                <bdi>{t.customer.customerName ?? t.customer.customerAccountNumber}</bdi>
              </Link>
            ) : (
              <KindMark kind={t.kind} />
            )}
          </p>
          <h1>
            <span className="number ltr">{title}</span>
            <OutcomeBadge outcome={t.outcome} />
          </h1>
          <p className="row">
            <KindMark kind={t.kind} />
            {t.reason && (
              <span className={t.outcome === 'FAILED' ? 'reason reason-bad' : 'reason'}>
                <bdi>{t.reason}</bdi>
              </span>
            )}
          </p>
        </div>
      </header>
      <div className="transaction-parts">
        <Panel title={m.explore.journey} query={query} csv={csv}>
          {isJourneyAway && <Partial />}
          {journey && journey.steps.length > 0 ? (
            <Steps steps={journey.steps} outcome={t.outcome} />
          ) : (
            !isJourneyAway && <Empty title={m.explore.noJourney} />
          )}
        </Panel>
        <div className="stack">
          <Suspense fallback={null}>
            <Interventions transaction={t} onDone={onChange} />
          </Suspense>
          <Panel title={m.explore.details} query={query}>
            <Details transaction={t} />
          </Panel>
          <Panel title={m.explore.deliveries} query={query}>
            {journey && journey.deliveries.length > 0 ? (
              <JourneyDeliveries deliveries={journey.deliveries} onSent={onChange} />
            ) : (
              <p className="panel-body muted">{m.explore.noDeliveries}</p>
            )}
          </Panel>
        </div>
      </div>
    </div>
  )
}

/** The page of a transaction whose service is away: its journey, which another service knows. */
function JourneyAlone({
  id,
  journey,
  query,
}: Pick<ViewProps, 'journey' | 'query'> & { readonly id: string }) {
  const { m } = useTranslation()
  return (
    <div className="stack">
      <h1>{m.explore.detail.id}</h1>
      <Copied value={id} />
      <Panel title={m.explore.journey} query={query}>
        {journey && journey.steps.length > 0 ? (
          <Steps steps={journey.steps} />
        ) : (
          <Empty title={m.explore.noJourney} />
        )}
      </Panel>
    </div>
  )
}

/** How often the journey is read again while it goes on. */
const EVERY_MS = 2_000

export function TransactionView({ id }: { readonly id: string }) {
  const { m } = useTranslation()
  const result = useGraph(TransactionJourneyDocument, {
    id,
    isOperator: isOperator(),
    namesAddress: handlesWebhooks(),
  })
  const { data, faults, reload } = result
  const goesOn =
    data?.transaction?.outcome === 'PENDING' ||
    data?.journey?.deliveries.some(({ status }) => status === 'PENDING') === true
  useEffect(() => {
    if (!goesOn) return
    const again = setTimeout(reload, EVERY_MS)
    return () => clearTimeout(again)
  }, [goesOn, data, reload])
  return (
    <GraphView result={result} rows={6}>
      {({ transaction, journey }) =>
        transaction ? (
          <TransactionParts
            transaction={transaction}
            journey={journey}
            isJourneyAway={isUnavailable(faults, 'journey')}
            query={result.query}
            onChange={reload}
          />
        ) : isUnavailable(faults, 'transaction') ? (
          <JourneyAlone id={id} journey={journey} query={result.query} />
        ) : (
          <Empty title={m.explore.noTransaction} />
        )
      }
    </GraphView>
  )
}
