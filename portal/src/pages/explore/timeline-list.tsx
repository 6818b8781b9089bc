/** Entries of a timeline as a list that is drawn where it is seen. */
import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  Fragment,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { KindMark, OutcomeBadge } from '../../kit/badge.tsx'
import type { Entry } from './entry.ts'
import { transactionPath } from './find.ts'
import { PAGE_SIZE, type PagedEntries } from './paged-entries.ts'

const NARROW = '(max-width: 720px)'
const ROW_PX = 52
const NARROW_ROW_PX = 102
/** Rows beyond the window that are there already. */
const OVERSCAN = 8

const useNarrow = (): boolean =>
  useSyncExternalStore(
    listener => {
      const query = matchMedia(NARROW)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(NARROW).matches,
  )

/** Money and points of an entry. */
function Amount({ entry }: { readonly entry: Entry }) {
  const { m, f } = useTranslation()
  if (entry.amount) return <span className="number ltr">{f.money(entry.amount)}</span>
  if (entry.points !== null) return <span className="number">{m.explore.points(entry.points)}</span>
  return null
}

/** The partner that posted an entry, and the reason why it was not carried out. */
function Aside({ entry: { transaction, outcome } }: { readonly entry: Entry }) {
  const parts = [transaction?.postedBy?.name, outcome !== 'COMPLETED' && transaction?.reason].filter(Boolean)
  if (parts.length === 0) return null
  return (
    <small>
      {parts.map((part, index) => (
        <Fragment key={part || index}>
          {index > 0 && ' · '}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </small>
  )
}

interface RowProps {
  readonly entry: Entry | undefined
  readonly previous: Entry | undefined
  readonly isActive: boolean
}

function Row({ entry, previous, isActive }: RowProps) {
  const { m, f } = useTranslation()
  if (!entry) return <span className="entry-waiting skeleton-bar" />
  const day = f.day(entry.occurredAt)
  const isNewDay = !previous || f.day(previous.occurredAt) !== day
  const content = (
    <>
      <span className="entry-time">
        <span className={isNewDay ? 'entry-day' : 'entry-day entry-day-same'}>{day}</span>
        <time dateTime={entry.occurredAt} className="muted" title={f.exact(entry.occurredAt)}>
          {f.clock(entry.occurredAt)}
        </time>
      </span>
      <span className="entry-kind">
        <KindMark kind={entry.kind} />
      </span>
      <span className="entry-text">
        <bdi>{entry.description}</bdi>
        <Aside entry={entry} />
      </span>
      <span className="entry-outcome">
        <OutcomeBadge outcome={entry.outcome} />
      </span>
      <span className="entry-amount">
        <Amount entry={entry} />
      </span>
    </>
  )
  if (!entry.transaction)
    return (
      <span className="entry entry-away" title={m.states.partial}>
        {content}
      </span>
    )
  return (
    <Link to={transactionPath(entry.transaction.id)} className="entry" tabIndex={isActive ? 0 : -1}>
      {content}
    </Link>
  )
}

interface ListProps {
  readonly entries: PagedEntries
}

/** Steps of the keys over the rows. */
const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10 }

export function EntryList({ entries }: ListProps) {
  const { m } = useTranslation()
  const { length, isComplete, isLoading } = entries.state()
  const isNarrow = useNarrow()
  const list = useRef<HTMLOListElement>(null)
  const [margin, setMargin] = useState(0)
  const [active, setActive] = useState(0)
  const isFocusWanted = useRef(false)
  useLayoutEffect(() => {
    const place = () => setMargin((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    place()
    const observer = new ResizeObserver(place)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const rowPx = isNarrow ? NARROW_ROW_PX : ROW_PX
  const virtualizer = useWindowVirtualizer({
    count: length,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollMargin: margin,
  })
  useEffect(() => virtualizer.measure(), [rowPx])
  const rows = virtualizer.getVirtualItems()
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0]
  useEffect(() => {
    entries.want(first, last + PAGE_SIZE / 2)
  }, [entries, first, last])
  useEffect(() => {
    if (!isFocusWanted.current) return
    const link = list.current?.querySelector<HTMLElement>(`[data-index="${active}"] a`)
    if (!link) return
    isFocusWanted.current = false
    link.focus({ preventScroll: true })
  })
  const go = (index: number) => {
    const to = Math.max(0, Math.min(length - 1, index))
    isFocusWanted.current = true
    setActive(to)
    virtualizer.scrollToIndex(to, { align: 'auto' })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = STEPS[event.key]
    const to = step !== undefined ? active + step : { Home: 0, End: length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  return (
    <>
      <ol
        ref={list}
        className="entries"
        style={{ blockSize: virtualizer.getTotalSize() }}
        aria-label={m.explore.timeline}
        aria-busy={isLoading}
        onKeyDown={onKey}
        onFocus={event => {
          const index = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index']
          if (index !== undefined) setActive(Number(index))
        }}
      >
        {rows.map(({ index, start, key }) => (
          <li
            key={key}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={isComplete ? length : -1}
            style={{ blockSize: rowPx, transform: `translateY(${start - margin}px)` }}
          >
            <Row entry={entries.at(index)} previous={entries.at(index - 1)} isActive={index === active} />
          </li>
        ))}
      </ol>
      <p className="entries-end muted small" role="status">
        {isLoading ? m.states.loading : isComplete ? m.explore.end : ''}
      </p>
    </>
  )
}
