/** Webhook deliveries with each of their attempts, sent again one by one or all at once. */
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { usePages } from '../graph/use-pages.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Badge, KindMark, type Tone } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { PathText } from '../kit/code.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView } from '../kit/states.tsx'
import { type Column, More, Table } from '../kit/table.tsx'
import { oneOf } from '../search-params.ts'
import { Choice, ClientName, CurlButton, HttpStatus, Instant, useAddress } from './parts.tsx'
import { Redeliver, RedeliverAll, type SentAgain, SentAgainNotice } from './redeliver.tsx'
import { DeliveriesDocument, type DeliveriesQuery, type WebhookDeliveryStatus } from './support.generated.ts'

type Delivery = NonNullable<DeliveriesQuery['webhookDeliveries']>['nodes'][number]

const STATUSES: readonly WebhookDeliveryStatus[] = ['DEAD', 'PENDING', 'DELIVERED']
const TONES: Record<WebhookDeliveryStatus, Tone> = { DELIVERED: 'good', PENDING: 'warn', DEAD: 'bad' }

/** Time after which most receivers have answered what was sent again. */
const ANSWERED_MS = 2_000

/** The attempts of a delivery, the newest first. */
function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { m, f } = useTranslation()
  if (delivery.attemptLog.length === 0) return <p className="muted small">{m.support.noAttempts}</p>
  return (
    <ol className="attempts" aria-label={m.support.attempts}>
      {delivery.attemptLog.toReversed().map(({ at, status, durationMs, error }) => (
        <li key={at}>
          <time dateTime={at}>{f.exact(at)}</time>
          {status === null ? <Badge tone="bad">{m.support.noAnswer}</Badge> : <HttpStatus status={status} />}
          <span className="muted number">{f.duration(durationMs)}</span>
          {error && <code className="ltr break attempt-error">{error}</code>}
        </li>
      ))}
    </ol>
  )
}

interface DeliveriesProps {
  readonly client: string | undefined
  /** Whether to name the partner of each delivery. */
  readonly namesClients?: boolean
  /** Whether the person may send again. */
  readonly mayAct: boolean
  /** Called when something was sent again. */
  readonly onSent?: () => void
}

export function DeliveriesPanel({ client, namesClients = false, mayAct, onSent }: DeliveriesProps) {
  const { m } = useTranslation()
  const [search] = useAddress()
  const status = STATUSES.find(one => one === oneOf(search['status'])) ?? 'DEAD'
  const filter = { status, ...(client && { clientId: client }) }
  const pages = usePages(DeliveriesDocument, { filter }, one => one.webhookDeliveries)
  const count = pages.first.data?.webhookDeliveries?.totalCount ?? 0
  const [open, setOpen] = useState<string>()
  const clientColumn: Column<Delivery>[] = namesClients
    ? [{ key: 'client', label: m.support.client, cell: row => <ClientName client={row.client} /> }]
    : []
  const [sent, setSent] = useState<SentAgain>()
  const { reload } = pages.first
  const afterSending = (number: number) => {
    setSent({ count: number, at: new Date().toISOString() })
    reload()
    onSent?.()
  }
  useEffect(() => {
    if (!sent) return
    const again = setTimeout(reload, ANSWERED_MS)
    return () => clearTimeout(again)
  }, [sent, reload])
  return (
    <>
      <div className="row row-between">
        <Choice
          label={m.support.state}
          name="status"
          value={status}
          options={STATUSES.map(one => [one, m.explore.deliveryStatus[one]])}
        />
        {mayAct && status === 'DEAD' && count > 0 && (
          <RedeliverAll client={client} count={count} onSent={afterSending} />
        )}
      </div>
      <Panel
        title={m.support.deliveries}
        query={pages.first.query}
        aside={
          <>
            <span className="number">{m.support.deliveryCount(count)}</span>
            <CurlButton query={pages.first.query} />
          </>
        }
        csv={async () => [
          [
            'id',
            'client',
            'transaction',
            'kind',
            'status',
            'attempts',
            'lastStatus',
            'lastError',
            'createdAt',
            'nextAttemptAt',
          ],
          ...(await pages.all()).map(one => [
            one.id,
            one.client.id,
            one.transactionId,
            one.kind,
            one.status,
            one.attempts,
            one.lastStatus,
            one.lastError,
            one.createdAt,
            one.nextAttemptAt,
          ]),
        ]}
      >
        <SentAgainNotice sent={sent} />
        <GraphView result={pages.first} rows={6}>
          {() =>
            pages.nodes.length === 0 ? (
              <Empty title={m.support.noDeliveries[status]} />
            ) : (
              <>
                <Table
                  label={m.support.deliveries}
                  rows={pages.nodes}
                  keyOf={({ id }) => id}
                  below={delivery => open === delivery.id && <Attempts delivery={delivery} />}
                  columns={[
                    { key: 'at', label: m.support.at, cell: ({ createdAt }) => <Instant at={createdAt} /> },
                    ...clientColumn,
                    {
                      key: 'of',
                      label: m.support.transaction,
                      cell: ({ kind, transactionId }) => (
                        <Link to={`/explore/transactions/${transactionId}`}>
                          <KindMark kind={kind} />
                        </Link>
                      ),
                    },
                    {
                      key: 'to',
                      label: m.support.endpoint,
                      isWide: true,
                      cell: ({ notificationUrl, lastError }) => (
                        <>
                          {notificationUrl && <PathText path={notificationUrl} />}
                          {lastError && <span className="ltr block small muted break">{lastError}</span>}
                        </>
                      ),
                    },
                    {
                      key: 'status',
                      label: m.support.state,
                      cell: one => (
                        <Badge tone={TONES[one.status]}>{m.explore.deliveryStatus[one.status]}</Badge>
                      ),
                    },
                    {
                      key: 'attempts',
                      label: m.support.attempts,
                      cell: ({ id, attempts, lastStatus }) => (
                        <span className="row">
                          <Button
                            look="quiet"
                            icon="down"
                            aria-expanded={open === id}
                            onClick={() => setOpen(open === id ? undefined : id)}
                          >
                            {m.explore.attempts(attempts)}
                          </Button>
                          <HttpStatus status={lastStatus} />
                        </span>
                      ),
                    },
                    {
                      key: 'act',
                      label: <span className="visually-hidden">{m.support.redeliver}</span>,
                      cell: delivery => (
                        <Redeliver delivery={delivery} mayAct={mayAct} onSent={() => afterSending(1)} />
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
