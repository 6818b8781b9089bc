/** Tools of partners over REST: registered endpoints with their health, statements, and the newest events. */
import type { ReactNode } from 'react'
import { useGraph } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Badge, type Tone } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { PathText } from '../kit/code.tsx'
import { useCopy } from '../kit/copy.ts'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView, Loading, State } from '../kit/states.tsx'
import { Table } from '../kit/table.tsx'
import { GuideLink, Instant } from './parts.tsx'
import { RecentEventsDocument } from './support.generated.ts'
import { restCurl, useRest } from './use-rest.ts'

type Health = 'HEALTHY' | 'FAILING' | 'PAUSED'

interface Endpoint {
  readonly id: string
  readonly notificationUrl: string
  readonly kinds: readonly string[]
  readonly format: string
  readonly health: Health
  readonly healthSince: string
}

interface Statement {
  readonly date: string
  readonly entries: number
  readonly sha256: string
  readonly reversals: readonly unknown[]
  readonly lateResults: readonly unknown[]
}

const TONES: Readonly<Record<Health, Tone>> = { HEALTHY: 'good', FAILING: 'bad', PAUSED: 'warn' }

/** Copies the command that reads a path. */
function RestCurl({ path }: { readonly path: string }) {
  const { m } = useTranslation()
  const { isCopied, copy } = useCopy()
  return (
    <Button
      look="quiet"
      icon={isCopied ? 'check' : 'code'}
      title={m.actions.copyCurl}
      onClick={() => copy(restCurl(path))}
    >
      <span className="curl-name">{isCopied ? m.actions.copied : 'curl'}</span>
    </Button>
  )
}

interface RestPanelProps<Row> {
  readonly title: string
  readonly path: string
  readonly rows: readonly Row[] | undefined
  readonly fault: string | undefined
  readonly empty: string
  /** Help where there is nothing yet. */
  readonly emptyHelp?: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
}

function RestPanel<Row>({ title, path, rows, fault, empty, emptyHelp, children }: RestPanelProps<Row>) {
  const { m } = useTranslation()
  const content = () => {
    if (rows === undefined) return fault === undefined && <Loading />
    return rows.length === 0 ? <Empty title={empty}>{emptyHelp}</Empty> : children(rows)
  }
  return (
    <Panel title={title} aside={<RestCurl path={path} />}>
      {fault !== undefined && (
        <State icon="alert" title={m.states.failed} tone="bad">
          <p>{fault}</p>
        </State>
      )}
      {content()}
    </Panel>
  )
}

const ENDPOINTS = '/partner/v1/webhook-endpoints'

/** Registered endpoints, each to be paused and resumed. */
export function RegisteredPanel() {
  const { m } = useTranslation()
  const { body, fault, change } = useRest<{ endpoints: Endpoint[] }>(ENDPOINTS)
  const texts = m.support.tools
  const turn = ({ id, health }: Endpoint) =>
    change('PATCH', `${ENDPOINTS}/${id}`, { paused: health !== 'PAUSED' })
  return (
    <RestPanel
      title={texts.endpoints}
      path={ENDPOINTS}
      rows={body?.endpoints}
      fault={fault}
      empty={texts.noEndpoints}
      emptyHelp={
        <p>
          {texts.noEndpointsText}{' '}
          <GuideLink to="/docs/partner" anchor="webhook-endpoints">
            {texts.howToRegister}
          </GuideLink>
        </p>
      }
    >
      {rows => (
        <Table
          label={texts.endpoints}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              key: 'url',
              label: m.support.notificationUrl,
              isWide: true,
              cell: ({ notificationUrl, kinds, format }) => (
                <>
                  <PathText path={notificationUrl} />
                  <span className="ltr block small muted">{`${kinds.join(', ')} · ${format}`}</span>
                </>
              ),
            },
            {
              key: 'health',
              label: m.support.state,
              cell: ({ health }) => <Badge tone={TONES[health]}>{texts.health[health]}</Badge>,
            },
            { key: 'since', label: texts.since, cell: ({ healthSince }) => <Instant at={healthSince} /> },
            {
              key: 'act',
              label: m.support.act,
              cell: endpoint => (
                <Button onClick={() => turn(endpoint)}>
                  {endpoint.health === 'PAUSED' ? texts.resume : texts.pause}
                </Button>
              ),
            },
          ]}
        />
      )}
    </RestPanel>
  )
}

/** Daily statements, the newest first. @param client the partner; undefined for the one that is signed in. */
export function StatementsPanel({ client }: { readonly client: string | undefined }) {
  const { m, f } = useTranslation()
  const texts = m.support.tools
  const path = `/partner/v1/statements?limit=31${client === undefined ? '' : `&partner=${encodeURIComponent(client)}`}`
  const { body, fault } = useRest<{ statements: Statement[] }>(path)
  return (
    <RestPanel
      title={texts.statements}
      path={path}
      rows={body?.statements}
      fault={fault}
      empty={texts.noStatements}
    >
      {rows => (
        <Table
          label={texts.statements}
          rows={rows}
          keyOf={({ date }) => date}
          columns={[
            { key: 'date', label: texts.day, cell: ({ date }) => <span className="ltr">{date}</span> },
            { key: 'entries', label: texts.entries, isNumber: true, cell: row => f.number(row.entries) },
            {
              key: 'corrections',
              label: texts.corrections,
              isNumber: true,
              cell: ({ reversals, lateResults }) => f.number(reversals.length + lateResults.length),
            },
            {
              key: 'sha256',
              label: 'SHA-256',
              isWide: true,
              cell: ({ sha256 }) => <code className="ltr break small">{sha256}</code>,
            },
          ]}
        />
      )}
    </RestPanel>
  )
}

/** The newest events of transactions; the command follows all that come after them. */
export function EventsPanel() {
  const { m } = useTranslation()
  const texts = m.support.tools
  const result = useGraph(RecentEventsDocument, {})
  const rows = result.data?.events?.nodes ?? []
  const follow = `/partner/v1/events?after=${result.data?.latestEventCursor ?? ''}&wait=30`
  return (
    <Panel title={texts.events} query={result.query} aside={<RestCurl path={follow} />}>
      <GraphView result={result}>
        {() =>
          rows.length === 0 ? (
            <Empty title={texts.noEvents} />
          ) : (
            <Table
              label={texts.events}
              rows={rows}
              keyOf={({ cursor }) => cursor}
              columns={[
                { key: 'at', label: texts.at, cell: ({ eventTime }) => <Instant at={eventTime} /> },
                {
                  key: 'type',
                  label: texts.type,
                  cell: ({ kind, eventType }) => <code className="ltr break">{`${kind} ${eventType}`}</code>,
                },
                {
                  key: 'description',
                  label: texts.description,
                  isWide: true,
                  cell: ({ transaction }) => <span className="ltr break">{transaction?.reason}</span>,
                },
              ]}
            />
          )
        }
      </GraphView>
    </Panel>
  )
}
