/** Refused requests and failed transactions by their reasons. */
import { Link } from '@tanstack/react-router'
import { useGraph } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { KindMark } from '../kit/badge.tsx'
import { PathText } from '../kit/code.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView } from '../kit/states.tsx'
import { Table } from '../kit/table.tsx'
import { ClientName, CurlButton, HttpStatus } from './parts.tsx'
import { type OfClientProps, useStart } from './refusals.tsx'
import { FailuresDocument, RefusalsDocument } from './support.generated.ts'

interface RefusalsProps extends OfClientProps {
  /** Path of the request log. */
  readonly requestsPath: string
}

export function RefusalsPanel({ client, namesClients, span, requestsPath }: RefusalsProps) {
  const { m, f } = useTranslation()
  const from = useStart(span)
  const result = useGraph(RefusalsDocument, { from, client: client ?? null }, { keepPrevious: true })
  const rows = result.data?.requestSummary ?? []
  return (
    <Panel
      title={m.support.refused}
      query={result.query}
      aside={<CurlButton query={result.query} />}
      csv={() => [
        ['client', 'operation', 'status', 'reason', 'field', 'count'],
        ...rows.map(one => [one.client?.id, one.operation, one.status, one.reason, one.field, one.count]),
      ]}
    >
      <GraphView result={result} rows={4}>
        {() =>
          rows.length === 0 ? (
            <Empty title={m.support.nothingRefused} />
          ) : (
            <Table
              label={m.support.refused}
              rows={rows}
              keyOf={(_, index) => String(index)}
              columns={[
                {
                  key: 'reason',
                  label: m.support.reason,
                  cell: ({ reason, status, operation, client: of }) => (
                    <Link
                      to={requestsPath}
                      search={{
                        reason: reason ?? undefined,
                        status: String(status),
                        operation: operation ?? undefined,
                        ...(namesClients && of && { partner: of.id }),
                        days: span,
                      }}
                    >
                      <code className="ltr">{reason ?? m.support.noReason}</code>
                    </Link>
                  ),
                },
                ...(namesClients
                  ? [
                      {
                        key: 'client',
                        label: m.support.client,
                        cell: (row: (typeof rows)[number]) => <ClientName client={row.client} />,
                      },
                    ]
                  : []),
                {
                  key: 'operation',
                  label: m.support.operation,
                  cell: ({ operation }) => <code className="ltr">{operation ?? '–'}</code>,
                },
                {
                  key: 'field',
                  label: m.support.field,
                  isWide: true,
                  cell: ({ field }) => field && <PathText path={field} />,
                },
                {
                  key: 'status',
                  label: m.support.status,
                  cell: ({ status }) => <HttpStatus status={status} isRefused />,
                },
                {
                  key: 'count',
                  label: m.support.count,
                  isNumber: true,
                  cell: ({ count }) => f.number(count),
                },
              ]}
            />
          )
        }
      </GraphView>
    </Panel>
  )
}

export function FailuresPanel({ client, namesClients, span }: OfClientProps) {
  const { m, f } = useTranslation()
  const from = useStart(span)
  const result = useGraph(FailuresDocument, { from, client: client ?? null }, { keepPrevious: true })
  const rows = (result.data?.summary ?? []).filter(({ failed }) => failed > 0)
  return (
    <Panel
      title={m.support.failed}
      query={result.query}
      aside={<CurlButton query={result.query} />}
      csv={() => [
        ['partner', 'kind', 'reason', 'failed'],
        ...rows.map(({ partner, kind, reason, failed }) => [partner?.id, kind, reason, failed]),
      ]}
    >
      <GraphView result={result} rows={4}>
        {() =>
          rows.length === 0 ? (
            <Empty title={m.support.nothingFailed} />
          ) : (
            <Table
              label={m.support.failed}
              rows={rows}
              keyOf={(_, index) => String(index)}
              columns={[
                {
                  key: 'reason',
                  label: m.support.reason,
                  isWide: true,
                  cell: ({ reason, kind, partner }) => (
                    <Link
                      to="/explore"
                      search={{
                        outcomes: 'FAILED',
                        kinds: kind ?? undefined,
                        ...(namesClients && { postedBy: partner?.id }),
                        from: from.slice(0, 10),
                      }}
                    >
                      <bdi>{reason ?? m.support.noReason}</bdi>
                    </Link>
                  ),
                },
                ...(namesClients
                  ? [
                      {
                        key: 'client',
                        label: m.support.client,
                        cell: (row: (typeof rows)[number]) => <ClientName client={row.partner} />,
                      },
                    ]
                  : []),
                { key: 'kind', label: m.explore.kind, cell: ({ kind }) => <KindMark kind={kind ?? ''} /> },
                {
                  key: 'failed',
                  label: m.support.count,
                  isNumber: true,
                  cell: ({ failed }) => f.number(failed),
                },
              ]}
            />
          )
        }
      </GraphView>
    </Panel>
  )
}
