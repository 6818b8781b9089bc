/** The state of the server, and of each service behind the graph for those who are signed in. */

import { isUnavailable } from '../../graph/errors.ts'
import { useGraph } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Panel } from '../../kit/panel.tsx'
import { pageConfig } from '../../page-config.ts'
import { type Health, useHealth } from './health.ts'
import { ServicesReachedDocument } from './services.generated.ts'

const TONES: Record<Health['state'], Tone> = { ready: 'good', 'not ready': 'bad', unreachable: 'bad' }

const FIELDS = ['payments', 'recharges', 'messages', 'rewards', 'redemptions', 'timeline'] as const

/** Each service by a field of the graph that it alone answers. */
function Services() {
  const { m } = useTranslation()
  const { data, faults, isLoading, isSignedIn } = useGraph(ServicesReachedDocument, {})
  if (!isSignedIn || isLoading || data === undefined) return null
  return FIELDS.map(field => {
    const isAway = isUnavailable(faults, field)
    return (
      <div key={field} className="health-row">
        <dt>{m.home.services[field]}</dt>
        <dd>
          <Badge tone={isAway ? 'bad' : 'good'}>{isAway ? m.home.unreachable : m.home.reached}</Badge>
        </dd>
      </div>
    )
  })
}

export function HealthPanel() {
  const { m, f } = useTranslation()
  const health = useHealth()
  const states = { ready: m.home.ready, 'not ready': m.home.notReady, unreachable: m.home.unreachable }
  const badge = health && <Badge tone={TONES[health.state]}>{states[health.state]}</Badge>
  return (
    <Panel title={m.home.healthTitle} aside={badge} className="health">
      <dl aria-live="polite">
        {health?.degraded.map(({ part, reason, serving, since }) => (
          <div key={part} className="health-row health-fault">
            <dt>
              {part}
              <small>{reason}</small>
            </dt>
            <dd>
              <Badge tone={serving ? 'warn' : 'bad'}>{m.home.since(f.dateTime(since))}</Badge>
            </dd>
          </div>
        ))}
        <Services />
        <div className="health-row">
          <dt>{m.home.version}</dt>
          <dd className="ltr number">{pageConfig.version}</dd>
        </div>
        <div className="health-row">
          <dt>{m.home.timezone}</dt>
          <dd className="ltr">{pageConfig.timezone}</dd>
        </div>
        <div className="health-row">
          <dt>{m.home.answered}</dt>
          <dd>{health ? f.duration(Math.round(health.tookMs)) : '…'}</dd>
        </div>
      </dl>
    </Panel>
  )
}
