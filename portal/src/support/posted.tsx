/** Transactions that a partner posted, each with the way to its journey. */
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePages } from '../graph/use-pages.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { KindMark, OutcomeBadge } from '../kit/badge.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView } from '../kit/states.tsx'
import { More, Table } from '../kit/table.tsx'
import { oneOf } from '../search-params.ts'
import { Choice, CurlButton, Instant, useAddress } from './parts.tsx'
import type { OfClientProps } from './refusals.tsx'
import { startOfSpan } from './span.ts'
import { type Outcome, PostedDocument } from './support.generated.ts'

const OUTCOMES: readonly Outcome[] = ['FAILED', 'PENDING', 'COMPLETED']

export function PostedPanel({ client, span }: OfClientProps) {
  const { m, f } = useTranslation()
  const [search] = useAddress()
  const from = useMemo(() => startOfSpan(span), [span])
  const outcome = OUTCOMES.find(one => one === oneOf(search['outcome']))
  const filter = { from, ...(client && { postedBy: client }), ...(outcome && { outcomes: [outcome] }) }
  const pages = usePages(PostedDocument, { filter }, ({ timeline }) => timeline)
  return (
    <>
      <Choice
        label={m.explore.outcome}
        name="outcome"
        value={outcome ?? ''}
        options={[['', m.support.all], ...OUTCOMES.map(one => [one, m.outcomes[one] ?? one] as const)]}
      />
      <Panel
        title={m.support.transactions}
        query={pages.first.query}
        aside={<CurlButton query={pages.first.query} />}
        csv={async () => [
          ['id', 'kind', 'at', 'outcome', 'reason', 'amount', 'currency', 'points', 'description'],
          ...(await pages.all()).map(one => [
            one.transaction?.id,
            one.kind,
            one.occurredAt,
            one.outcome,
            one.transaction?.reason,
            one.amount?.value,
            one.amount?.currency,
            one.points,
            one.description,
          ]),
        ]}
      >
        <GraphView result={pages.first} rows={8}>
          {() =>
            pages.nodes.length === 0 ? (
              <Empty title={m.support.noTransactions} />
            ) : (
              <>
                <Table
                  label={m.support.transactions}
                  rows={pages.nodes}
                  keyOf={({ transaction }, index) => transaction?.id ?? String(index)}
                  columns={[
                    { key: 'at', label: m.support.at, cell: ({ occurredAt }) => <Instant at={occurredAt} /> },
                    { key: 'kind', label: m.explore.kind, cell: ({ kind }) => <KindMark kind={kind} /> },
                    {
                      key: 'what',
                      label: m.support.what,
                      isWide: true,
                      cell: ({ transaction, description, outcome: came }) => (
                        <>
                          {transaction ? (
                            <Link to={`/explore/transactions/${transaction.id}`}>
                              <bdi>{description}</bdi>
                            </Link>
                          ) : (
                            <bdi>{description}</bdi>
                          )}
                          {came !== 'COMPLETED' && transaction?.reason && (
                            <bdi className="block small muted">{transaction.reason}</bdi>
                          )}
                        </>
                      ),
                    },
                    {
                      key: 'outcome',
                      label: m.explore.outcome,
                      cell: row => <OutcomeBadge outcome={row.outcome} />,
                    },
                    {
                      key: 'amount',
                      label: m.support.amount,
                      isNumber: true,
                      cell: ({ amount, points }) =>
                        amount ? (
                          <span className="ltr">{f.money(amount)}</span>
                        ) : (
                          points !== null && m.explore.points(points)
                        ),
                    },
                  ]}
                />
                <More pages={pages} />
              </>
            )
          }
        </GraphView>
      </Panel>
    </>
  )
}
