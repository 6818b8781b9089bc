/** Partner support for the portal: what goes wrong, for whom, and what helps. */
import '../../support/support.css'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { CopyLink } from '../../kit/copy-link.tsx'
import { NoRights, SignedOut } from '../../kit/states.tsx'
import { useStore } from '../../kit/store.ts'
import { oneOf } from '../../search-params.ts'
import { session } from '../../session/session.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { ActsPanel } from '../../support/acts.tsx'
import { DeliveriesPanel } from '../../support/deliveries.tsx'
import { EndpointsPanel } from '../../support/endpoints.tsx'
import { SpanChoice, Tabs, useAddress } from '../../support/parts.tsx'
import { FailuresPanel, RefusalsPanel } from '../../support/reasons.tsx'
import { FailureChart, RefusalChart } from '../../support/refusals.tsx'
import { RequestsPanel } from '../../support/requests.tsx'
import { readSpan } from '../../support/span.ts'
import { viewOf } from '../../support/views.tsx'
import { TestEventPanel } from '../../support/webhook-tools.tsx'
import { ClientsPanel, PartnerChoice } from './clients.tsx'
import { PartnerView } from './partner-view.tsx'

const TABS = ['', 'requests', 'webhooks', 'clients', 'acts'] as const
type Tab = (typeof TABS)[number]

const tabPath = (tab: Tab) => (tab ? `/desk/${tab}` : '/desk')

function Frame({ children }: { readonly children: ReactNode }) {
  const { m } = useTranslation()
  return (
    <div className="stack">
      <header className="support-head">
        <div className="row row-between">
          <h1>{m.desk.title}</h1>
          <CopyLink />
        </div>
        <p className="muted">{m.desk.lead}</p>
      </header>
      {children}
    </div>
  )
}

function TabView({ tab }: { readonly tab: Tab }) {
  const { m } = useTranslation()
  const [search] = useAddress()
  const [round, setRound] = useState(0)
  const client = oneOf(search['partner'])
  const of = { client, span: readSpan(search), namesClients: client === undefined }
  if (tab === 'clients') return <ClientsPanel />
  if (tab === 'acts') return <ActsPanel title={m.support.actsTitle} />
  if (tab === 'requests') return <RequestsPanel {...of} />
  if (tab === 'webhooks')
    return (
      <>
        <EndpointsPanel {...of} webhooksPath={tabPath('webhooks')} round={round} />
        <DeliveriesPanel
          client={client}
          namesClients={of.namesClients}
          mayAct
          onSent={() => setRound(round + 1)}
        />
        <TestEventPanel client={client} />
      </>
    )
  return (
    <>
      <div className="support-two">
        <RefusalChart {...of} />
        <FailureChart {...of} />
      </div>
      <RefusalsPanel {...of} requestsPath={tabPath('requests')} />
      <FailuresPanel {...of} />
      <EndpointsPanel {...of} webhooksPath={tabPath('webhooks')} />
    </>
  )
}

function Desk({ tab }: { readonly tab: Tab }) {
  const { m } = useTranslation()
  return (
    <>
      <Tabs label={m.support.views} tabs={TABS.map(one => [tabPath(one), m.desk.tabs[one || 'overview']])} />
      {tab !== 'clients' && tab !== 'acts' && (
        <div className="row row-between">
          <PartnerChoice />
          {tab !== 'webhooks' && <SpanChoice />}
        </div>
      )}
      <TabView key={tab} tab={tab} />
    </>
  )
}

export default function DeskPage() {
  const { pathname } = useLocation()
  const state = useStore(session)
  const [, , name = '', id, viewName, ...rest] = pathname.split('/')
  if (state.name !== 'signed-in')
    return (
      <Frame>
        <SignedOut />
      </Frame>
    )
  if (state.role !== 'portal')
    return (
      <Frame>
        <NoRights needed="portal" />
      </Frame>
    )
  const view = viewOf(viewName)
  if (name === 'partners' && id && view !== undefined && rest.length === 0)
    return <PartnerView key={id} id={decodeURIComponent(id)} view={view} />
  const tab = TABS.find(one => one === name)
  if (tab === undefined || id) return <NotFound />
  return (
    <Frame>
      <Desk tab={tab} />
    </Frame>
  )
}
