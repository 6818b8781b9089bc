/** Everything that the person may see: months, events as they happen, and the timeline. */
import { useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { SavedViews, SaveView } from '../../kit/saved-views.tsx'
import type { SearchParams } from '../../search-params.ts'
import { FilterBar } from './filter-bar.tsx'
import { readFilters } from './filters.ts'
import { LiveStrip } from './live-strip.tsx'
import { MonthsPanel } from './months-panel.tsx'
import type { Scope } from './scope.ts'
import { TimelinePanel } from './timeline-panel.tsx'

interface StoryProps {
  readonly scope: Scope
  readonly title: string
}

/** Months, events and timeline of a scope, under one set of filters. */
export function Story({ scope, title }: StoryProps) {
  const { m } = useTranslation()
  const search = useSearch({ strict: false }) as SearchParams
  const filters = useMemo(() => readFilters(search), [search])
  const [round, setRound] = useState(0)
  const [seen, setSeen] = useState(0)
  const [known, setKnown] = useState(0)
  const onNew = useCallback((count: number) => setKnown(count), [])
  const news = known - seen
  return (
    <>
      <div className="explore-top">
        <MonthsPanel scope={scope} filters={filters} />
        <LiveStrip scope={scope} onNew={onNew} />
      </div>
      <FilterBar filters={filters}>
        <SaveView page="/explore" />
      </FilterBar>
      {news > 0 && (
        <Button
          className="news"
          icon="refresh"
          onClick={() => {
            setSeen(known)
            setRound(round + 1)
          }}
        >
          {m.explore.news(news)}
        </Button>
      )}
      <TimelinePanel title={title} scope={scope} filters={filters} round={round} />
    </>
  )
}

const ALL: Scope = { of: 'all' }

export function Overview() {
  const { m } = useTranslation()
  return (
    <div className="stack">
      <header className="explore-head">
        <h1>{m.explore.title}</h1>
        <p className="muted">{m.explore.lead}</p>
      </header>
      <SavedViews page="/explore" />
      <Story scope={ALL} title={m.explore.timeline} />
    </div>
  )
}
