/** Webhook endpoints whose deliveries fail or have died. */
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useGraph } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { PathText } from '../kit/code.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView } from '../kit/states.tsx'
import { type Column, Table } from '../kit/table.tsx'
import { ClientName, CurlButton, HttpStatus, Instant } from './parts.tsx'
import type { OfClientProps } from './refusals.tsx'
import { EndpointsDocument, type EndpointsQuery } from './support.generated.ts'

type Endpoint = NonNullable<EndpointsQuery['webhookEndpoints']>[number]

/** The state of an endpoint: paused until its next attempt, due now, or given up. */
function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const { m, f } = useTranslation()
  const { nextAttemptAt, retrying, health } = endpoint
  if (health === 'PAUSED') return <Badge tone="warn">{m.support.tools.health.PAUSED}</Badge>
  if (retrying === 0) return <Badge tone="bad">{m.support.endpointDead}</Badge>
  if (nextAttemptAt && Date.parse(nextAttemptAt) > Date.now())
    return <Badge tone="warn">{m.support.pausedUntil(f.dateTime(nextAttemptAt))}</Badge>
  return <Badge tone="warn">{m.support.endpointFailing}</Badge>
}

interface EndpointsProps extends Omit<OfClientProps, 'span'> {
  /** Path of the deliveries. */
  readonly webhooksPath: string
  /** Another number than before has it ask again. */
  readonly round?: number
}

export function EndpointsPanel({ client, namesClients, webhooksPath, round = 0 }: EndpointsProps) {
  const { m, f } = useTranslation()
  const result = useGraph(EndpointsDocument, { client: client ?? null })
  const { reload } = result
  useEffect(() => {
    if (round > 0) reload()
  }, [round, reload])
  const rows = result.data?.webhookEndpoints ?? []
  const columns: Column<Endpoint>[] = [
    {
      key: 'origin',
      label: m.support.endpoint,
      isWide: true,
      cell: ({ origin, lastError }) => (
        <>
          <PathText path={origin} />
          {lastError && <span className="ltr block small muted break">{lastError}</span>}
        </>
      ),
    },
    ...(namesClients
      ? [
          {
            key: 'client',
            label: m.support.client,
            cell: (row: Endpoint) => <ClientName client={row.client} />,
          },
        ]
      : []),
    { key: 'state', label: m.support.state, cell: endpoint => <EndpointState endpoint={endpoint} /> },
    {
      key: 'last',
      label: m.support.lastAttempt,
      cell: ({ lastAttemptAt, lastStatus }) => (
        <span className="row">
          <Instant at={lastAttemptAt} />
          <HttpStatus status={lastStatus} />
        </span>
      ),
    },
    { key: 'retrying', label: m.support.retrying, isNumber: true, cell: row => f.number(row.retrying) },
    {
      key: 'dead',
      label: m.support.dead,
      isNumber: true,
      cell: ({ dead, client: of }) =>
        dead === 0 ? (
          f.number(0)
        ) : (
          <Link to={webhooksPath} search={{ status: 'DEAD', ...(namesClients && { partner: of.id }) }}>
            {f.number(dead)}
          </Link>
        ),
    },
  ]
  return (
    <Panel
      title={m.support.endpoints}
      query={result.query}
      aside={<CurlButton query={result.query} />}
      csv={() => [
        ['client', 'origin', 'retrying', 'dead', 'lastAttemptAt', 'lastStatus', 'lastError', 'nextAttemptAt'],
        ...rows.map(one => [
          one.client.id,
          one.origin,
          one.retrying,
          one.dead,
          one.lastAttemptAt,
          one.lastStatus,
          one.lastError,
          one.nextAttemptAt,
        ]),
      ]}
    >
      <GraphView result={result}>
        {() =>
          rows.length === 0 ? (
            <Empty title={m.support.endpointsWell} />
          ) : (
            <Table
              label={m.support.endpoints}
              rows={rows}
              columns={columns}
              keyOf={({ client: of, origin }) => `${of.id} ${origin}`}
            />
          )
        }
      </GraphView>
    </Panel>
  )
}
