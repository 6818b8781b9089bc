/** The page of a partner as the desk sees it, with what was done to that partner. */
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useGraph } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Empty } from '../../kit/states.tsx'
import { ActsPanel } from '../../support/acts.tsx'
import { LimitsDocument } from '../../support/support.generated.ts'
import { PartnerViews, type View } from '../../support/views.tsx'

interface PartnerViewProps {
  readonly id: string
  readonly view: View
}

export function PartnerView({ id, view }: PartnerViewProps) {
  const { m } = useTranslation()
  const { data, faults } = useGraph(LimitsDocument, { clients: [id] })
  const client = data?.clientLimits?.[0]?.client
  const name = client?.name ?? id
  useEffect(() => {
    document.title = `${name} – ${m.app.name}`
  }, [m, name])
  if (faults.some(({ code }) => code === 'NOT_FOUND')) return <Empty title={m.desk.noPartner(id)} />
  return (
    <div className="stack">
      <header className="support-head">
        <p className="crumbs">
          <Link to="/desk">{m.desk.title}</Link>
          <Icon name="next" />
          <span className="ltr">{id}</span>
        </p>
        <h1 className="row">
          <bdi>{name}</bdi>
          {client && !client.active && <Badge tone="bad">{m.desk.disabled}</Badge>}
        </h1>
        <p className="muted">{m.desk.asPartner}</p>
      </header>
      <PartnerViews client={id} base={`/desk/partners/${encodeURIComponent(id)}`} view={view} />
      {view === '' && <ActsPanel title={m.desk.doneToIt} target={id} />}
    </div>
  )
}
