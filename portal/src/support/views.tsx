/** The views of a partner's own affairs: what it sees on its page, and what the desk sees of it. */
import { useTranslation } from '../i18n/i18n.tsx'
import { DeliveriesPanel } from './deliveries.tsx'
import { EndpointsPanel } from './endpoints.tsx'
import { LimitsPanels } from './limits.tsx'
import { EventsPanel, RegisteredPanel, StatementsPanel } from './partner-tools.tsx'
import { SpanChoice, Tabs, useAddress } from './parts.tsx'
import { PostedPanel } from './posted.tsx'
import { FailuresPanel, RefusalsPanel } from './reasons.tsx'
import { FailureChart, RefusalChart } from './refusals.tsx'
import { RequestsPanel } from './requests.tsx'
import { readSpan } from './span.ts'
import { SecretPanel, TestEventPanel } from './webhook-tools.tsx'

export const VIEWS = ['', 'requests', 'transactions', 'webhooks', 'statements', 'limits'] as const
export type View = (typeof VIEWS)[number]

/** Views of a span of time. */
const WITH_SPAN: readonly View[] = ['', 'requests', 'transactions']

interface ViewsProps {
  /** The partner; undefined for the one that is signed in. */
  readonly client: string | undefined
  /** Path of the first view. */
  readonly base: string
  readonly view: View
}

/** Path of a view. */
const viewPath = (base: string, view: View): string => (view ? `${base}/${view}` : base)

export function PartnerViews({ client, base, view }: ViewsProps) {
  const { m } = useTranslation()
  const [search] = useAddress()
  const span = readSpan(search)
  const of = { client, span, namesClients: false }
  return (
    <>
      <Tabs
        label={m.support.views}
        keep={['days']}
        tabs={VIEWS.map(one => [viewPath(base, one), m.support.viewNames[one || 'overview']])}
      />
      {WITH_SPAN.includes(view) && <SpanChoice />}
      {view === '' && (
        <>
          <div className="support-two">
            <RefusalChart {...of} />
            <FailureChart {...of} />
          </div>
          <RefusalsPanel {...of} requestsPath={viewPath(base, 'requests')} />
          <FailuresPanel {...of} />
          <EndpointsPanel client={client} namesClients={false} webhooksPath={viewPath(base, 'webhooks')} />
        </>
      )}
      {view === 'requests' && <RequestsPanel {...of} />}
      {view === 'transactions' && <PostedPanel {...of} />}
      {view === 'webhooks' && (
        <>
          {client === undefined && <RegisteredPanel />}
          <DeliveriesPanel client={client} mayAct />
          <div className="support-two">
            <TestEventPanel client={client} />
            <SecretPanel client={client} />
          </div>
        </>
      )}
      {view === 'statements' && (
        <>
          <StatementsPanel client={client} />
          {client === undefined && <EventsPanel />}
        </>
      )}
      {view === 'limits' && <LimitsPanels client={client} />}
    </>
  )
}

/** The view that a path names below its base; undefined where it names none. */
export const viewOf = (name: string | undefined): View | undefined => VIEWS.find(one => one === (name ?? ''))
