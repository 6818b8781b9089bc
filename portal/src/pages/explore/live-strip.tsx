/** Events as they happen, in a strip: newest first, with the state of the connection. */
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type FollowState, useFollow } from '../../graph/use-follow.ts'
import { useGraph } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge, KindMark, OutcomeBadge, type Tone } from '../../kit/badge.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Failed, SignedOut } from '../../kit/states.tsx'
import { transactionPath } from './find.ts'
import { LiveBeginningDocument, LiveEventsDocument } from './live.generated.ts'
import type { Scope } from './scope.ts'

const TONES: Record<FollowState['name'], Tone> = {
  connecting: 'warn',
  live: 'good',
  resumed: 'good',
  ended: 'bad',
}

/** The connection, in a word that is read out when it changes. */
export function FollowBadge({ state }: { readonly state: FollowState }) {
  const { m } = useTranslation()
  const text = state.name === 'resumed' ? m.live.resumed(state.caughtUp) : m.live[state.name]
  return (
    <span role="status">
      <Badge tone={TONES[state.name]}>
        <span className="live-dot" aria-hidden="true" />
        {text}
      </Badge>
    </span>
  )
}

const filterOf = (scope: Scope) =>
  scope.of === 'customer'
    ? { customerAccountNumber: scope.account }
    : scope.of === 'number'
      ? { mobileNumber: scope.number }
      : {}

const KEPT = 30
const SHOWN = 6

interface LiveStripProps {
  readonly scope: Scope
  /** Hears that there is something new. */
  readonly onNew?: (count: number) => void
}

export function LiveStrip({ scope, onNew }: LiveStripProps) {
  const { m, f } = useTranslation()
  // Read before anything else is shown: what happens from then on comes as an event.
  const beginning = useGraph(LiveBeginningDocument, {})
  const after = beginning.data?.latestEventCursor
  const variables = { filter: filterOf(scope), after: after ?? null }
  const { events, state } = useFollow(LiveEventsDocument, variables, {
    isOn: after !== undefined && after !== null,
    keep: KEPT,
  })
  useEffect(() => onNew?.(events.length), [events.length, onNew])
  const body = () => {
    if (!beginning.isSignedIn) return <SignedOut />
    if (state.name === 'ended' && state.faults.length > 0)
      return <Failed faults={state.faults} onRetry={beginning.reload} />
    if (events.length === 0) return <p className="live-quiet muted">{m.explore.quiet}</p>
    return (
      <ol className="live-events">
        {events.slice(0, SHOWN).map(({ cursor, kind, eventTime, description, transaction }) => (
          <li key={cursor}>
            <time className="muted number" dateTime={eventTime}>
              {f.seconds(eventTime)}
            </time>
            <KindMark kind={kind} />
            <span className="live-text">
              {transaction ? (
                <Link to={transactionPath(transaction.id)}>
                  <bdi>{description}</bdi>
                </Link>
              ) : (
                <bdi>{description}</bdi>
              )}
            </span>
            {transaction && <OutcomeBadge outcome={transaction.outcome} />}
          </li>
        ))}
      </ol>
    )
  }
  return (
    <Panel
      title={m.explore.live}
      className="live"
      query={{ document: LiveEventsDocument, variables }}
      csv={() => [
        ['eventTime', 'kind', 'status', 'description', 'transaction'],
        ...events.map(one => [one.eventTime, one.kind, one.status, one.description, one.transaction?.id]),
      ]}
      aside={beginning.isSignedIn && <FollowBadge state={state} />}
    >
      {body()}
    </Panel>
  )
}
