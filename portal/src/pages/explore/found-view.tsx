/** Results of a search, where they are not one thing alone; that is gone to at once. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { KindMark, OutcomeBadge } from '../../kit/badge.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty, Failed, Loading, SignedOut } from '../../kit/states.tsx'
import { useStore } from '../../kit/store.ts'
import { session } from '../../session/session.ts'
import { customerPath, exampleNumber, type Found, find, transactionPath } from './find.ts'
import { Steps } from './journey-steps.tsx'

interface FoundViewProps {
  readonly typed: string
}

export function FoundView({ typed }: FoundViewProps) {
  const { m, f } = useTranslation()
  const navigate = useNavigate()
  const state = useStore(session)
  const who = state.name === 'signed-in' ? state.who : undefined
  const [found, setFound] = useState<Found & { readonly typed: string }>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (who === undefined) return
    let isCurrent = true
    find(typed).then(result => {
      if (!isCurrent) return
      if (result.path) navigate({ to: result.path, replace: true })
      else setFound({ ...result, typed })
    })
    return () => {
      isCurrent = false
    }
  }, [typed, who, round])
  if (who === undefined && state.name !== 'signing-in') return <SignedOut />
  if (found?.typed !== typed) return <Loading rows={6} />
  const { customers, entries, steps, faults, hasMore } = found
  if (customers.length === 0 && entries.length === 0 && steps.length === 0) {
    if (faults.length > 0) return <Failed faults={faults} onRetry={() => setRound(round + 1)} />
    return (
      <Empty title={m.explore.notFound(typed)}>
        <p>{m.explore.notFoundText(exampleNumber())}</p>
      </Empty>
    )
  }
  return (
    <div className="stack">
      <h1>
        {m.explore.foundTitle} <bdi>{typed}</bdi>
      </h1>
      {steps.length > 0 && (
        <Panel title={m.explore.correlatorJourney}>
          <Steps steps={steps} />
        </Panel>
      )}
      {customers.length > 0 && (
        <Panel title={m.explore.customers}>
          <ul className="found">
            {customers.map(one => (
              <li key={one.customerAccountNumber}>
                <Link to={customerPath(one.customerAccountNumber)} className="found-row">
                  <strong>
                    <bdi>{one.customerName ?? one.customerAccountNumber}</bdi>
                  </strong>
                  <span className="ltr number">{one.customerAccountNumber}</span>
                  <span className="muted">{one.lines.map(({ number }) => number).join(' · ')}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {entries.length > 0 && (
        <Panel title={m.explore.transactions}>
          <ul className="found">
            {entries.map(one => (
              <li key={one.transaction?.id ?? one.description}>
                <Link
                  to={one.transaction ? transactionPath(one.transaction.id) : '.'}
                  className="found-row found-entry"
                >
                  <KindMark kind={one.kind} />
                  <bdi>{one.description}</bdi>
                  <OutcomeBadge outcome={one.outcome} />
                  <span className="muted number">{f.dateTime(one.occurredAt)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {hasMore && <p className="muted">{m.explore.foundMore}</p>}
    </div>
  )
}
