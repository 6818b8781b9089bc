/** The timeline: as many rows in the page as the window shows, read as they are scrolled to. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty, Failed, Loading, Partial, SignedOut } from '../../kit/states.tsx'
import { useStore } from '../../kit/store.ts'
import { session } from '../../session/session.ts'
import { exportTimeline } from './export.ts'
import { type Filters, isNarrowed } from './filters.ts'
import { createPagedEntries, PAGE_SIZE, type PagedEntries } from './paged-entries.ts'
import { countEntries, pageQuery, readPage, type Scope } from './scope.ts'
import { EntryList } from './timeline-list.tsx'

/** The entries of a scope and filters; begun anew when they, the person or the round change. */
function useEntries(scope: Scope, filters: Filters, round: number): PagedEntries | undefined {
  const state = useStore(session)
  const who = state.name === 'signed-in' ? state.who : undefined
  const key = JSON.stringify([scope, filters, who, round])
  const [entries, setEntries] = useState<PagedEntries>()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (who === undefined) return setEntries(undefined)
    const begun = createPagedEntries((first, after) => readPage(scope, filters, first, after))
    const unsubscribe = begun.subscribe(redraw)
    setEntries(begun)
    return () => {
      unsubscribe()
      begun.stop()
    }
  }, [key])
  return entries
}

interface TimelinePanelProps {
  readonly title: string
  readonly scope: Scope
  readonly filters: Filters
  /** Raised to read from the beginning again. */
  readonly round?: number
}

export function TimelinePanel({ title, scope, filters, round = 0 }: TimelinePanelProps) {
  const { m } = useTranslation()
  const navigate = useNavigate()
  const entries = useEntries(scope, filters, round)
  const [count, setCount] = useState<number>()
  const [exported, setExported] = useState<number>()
  const key = JSON.stringify([scope, filters, round])
  const isSignedIn = useStore(session).name === 'signed-in'
  useEffect(() => {
    let isCurrent = true
    setCount(undefined)
    if (isSignedIn)
      countEntries(scope, filters).then(counted => {
        if (isCurrent) setCount(counted)
      })
    return () => {
      isCurrent = false
    }
  }, [key, isSignedIn])
  const query = useMemo(() => pageQuery(scope, filters, PAGE_SIZE), [scope, filters])
  const state = entries?.state()
  const body = () => {
    if (!isSignedIn) return <SignedOut />
    if (!entries || !state || (state.length === 0 && state.isLoading)) return <Loading rows={8} />
    if (state.length === 0 && state.faults.length > 0)
      return <Failed faults={state.faults} onRetry={entries.retry} />
    if (state.length === 0)
      return (
        <Empty title={isNarrowed(filters) ? m.explore.nothingFits : m.explore.nothingYet}>
          {isNarrowed(filters) && (
            <Button onClick={() => navigate({ to: '.', search: {} })}>{m.explore.clearFilters}</Button>
          )}
        </Empty>
      )
    return (
      <>
        {state.faults.length > 0 && <Partial onRetry={entries.retry} />}
        <EntryList entries={entries} />
      </>
    )
  }
  return (
    <Panel
      title={title}
      className="timeline"
      query={query}
      csv={() => exportTimeline(scope, filters, setExported).finally(() => setExported(undefined))}
      aside={
        <span className="number" role="status">
          {exported !== undefined
            ? m.explore.exporting(exported)
            : count !== undefined && m.explore.entries(count)}
        </span>
      }
    >
      {body()}
    </Panel>
  )
}
