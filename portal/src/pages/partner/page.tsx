/** The page of a partner that signs in: its own requests, transactions, webhooks and limits. */
import '../../support/support.css'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Code } from '../../kit/code.tsx'
import { ContractFiles } from '../../kit/contract-files.tsx'
import { CopyLink } from '../../kit/copy-link.tsx'
import { NoRights, SignedOut, State } from '../../kit/states.tsx'
import { useStore } from '../../kit/store.ts'
import { session } from '../../session/session.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { PartnerViews, viewOf } from '../../support/views.tsx'

const tokenCommand = (who: string) =>
  [
    `TOKEN=$(curl -s ${location.origin}/oauth2/accesstoken -u '${who}:<secret>' \\`,
    `  -d grant_type=client_credentials | jq -r .access_token)`,
  ].join('\n')

/** The token that the curl of each panel begins with. */
function TokenHelp({ who }: { readonly who: string }) {
  const { m } = useTranslation()
  return (
    <details className="token-help">
      <summary>{m.partner.tokenTitle}</summary>
      <p className="muted">{m.partner.tokenText}</p>
      <Code label={m.partner.tokenTitle} text={tokenCommand(who)} />
    </details>
  )
}

/** Where the contracts of what a partner calls and receives are, for generators. */
function Contracts() {
  const { m } = useTranslation()
  return (
    <details className="token-help">
      <summary>{m.contracts.title}</summary>
      <p className="muted">{m.partner.contractsText}</p>
      <ContractFiles />
    </details>
  )
}

function Frame({ children }: { readonly children: ReactNode }) {
  const { m } = useTranslation()
  return (
    <div className="stack">
      <header className="support-head">
        <div className="row row-between">
          <h1>{m.partner.title}</h1>
          <CopyLink />
        </div>
        <p className="muted">{m.partner.lead}</p>
      </header>
      {children}
    </div>
  )
}

export default function PartnerPage() {
  const { m } = useTranslation()
  const { pathname } = useLocation()
  const state = useStore(session)
  const [, , name, ...rest] = pathname.split('/')
  const view = viewOf(name)
  if (view === undefined || rest.length > 0) return <NotFound />
  if (state.name !== 'signed-in')
    return (
      <Frame>
        <SignedOut />
      </Frame>
    )
  if (state.role === 'portal')
    return (
      <Frame>
        <State icon="person" title={m.partner.notPartner}>
          <p>{m.partner.notPartnerText}</p>
          <Link to="/desk" className="button button-main">
            {m.nav.desk}
          </Link>
        </State>
      </Frame>
    )
  if (state.role !== 'partner')
    return (
      <Frame>
        <NoRights needed="partner" />
      </Frame>
    )
  return (
    <Frame>
      <div className="support-two">
        <TokenHelp who={state.who} />
        <Contracts />
      </div>
      <PartnerViews client={undefined} base="/partner" view={view} />
    </Frame>
  )
}
