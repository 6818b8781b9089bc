/** Views that a person gave names: addresses, kept in this browser; each page shows its own. */
import './saved-views.css'
import { Link, useLocation } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from '../i18n/i18n.tsx'
import { readSearch } from '../search-params.ts'
import { Button, IconButton } from './button.tsx'
import { CopyLink } from './copy-link.tsx'
import { Dialog } from './dialog.tsx'
import { createStore, useStore } from './store.ts'

interface SavedView {
  readonly name: string
  /** Path and search. */
  readonly address: string
}

/** Pages whose views can be saved. */
const PAGES = ['/explore', '/analyse'] as const
export type ViewedPage = (typeof PAGES)[number]

const isOf = (page: ViewedPage, address: string): boolean =>
  address === page || address.startsWith(`${page}?`) || address.startsWith(`${page}/`)

const KEY = 'partner-graph:views'
const MOST = 50

const isView = (one: unknown): one is SavedView => {
  const { name, address } = (one ?? {}) as Partial<SavedView>
  return typeof name === 'string' && typeof address === 'string' && PAGES.some(page => isOf(page, address))
}

const read = (): readonly SavedView[] => {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isView) : []
  } catch {
    return []
  }
}

const views = createStore(read())

const keep = (changed: readonly SavedView[]) => {
  views.set(changed)
  try {
    localStorage.setItem(KEY, JSON.stringify(changed))
  } catch {
    // A browser may forbid it: they last until it is closed.
  }
}

interface ViewsProps {
  readonly page: ViewedPage
}

/** Saves the view that is shown, and copies its address. */
export function SaveView({ page }: ViewsProps) {
  const { m } = useTranslation()
  const { pathname, searchStr } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    if (!name) return
    const others = views.get().filter(view => view.name !== name || !isOf(page, view.address))
    keep([{ name, address: pathname + searchStr }, ...others].slice(0, MOST))
    setOpen(false)
  }
  return (
    <>
      <CopyLink />
      <Button look="quiet" icon="star" onClick={() => setOpen(true)}>
        {m.explore.saveView}
      </Button>
      {isOpen && (
        <Dialog title={m.explore.saveView} isOpen onClose={() => setOpen(false)}>
          <form className="stack" onSubmit={save}>
            <p className="muted">{m.explore.saveViewText}</p>
            <label className="field">
              <span>{m.explore.viewName}</span>
              <input className="input" name="name" maxLength={60} required dir="auto" />
            </label>
            <Button type="submit" look="main">
              {m.actions.save}
            </Button>
          </form>
        </Dialog>
      )}
    </>
  )
}

/** The saved views of a page, as links. */
export function SavedViews({ page }: ViewsProps) {
  const { m } = useTranslation()
  const all = useStore(views)
  const saved = all.filter(({ address }) => isOf(page, address))
  if (saved.length === 0) return null
  return (
    <nav className="saved" aria-label={m.explore.savedViews}>
      <h2 className="small muted">{m.explore.savedViews}</h2>
      <ul>
        {saved.map(view => {
          const { name, address } = view
          const [path = page, search = ''] = address.split('?')
          return (
            <li key={name} className="saved-view">
              <Link to={path} search={readSearch(search)}>
                <bdi>{name}</bdi>
              </Link>
              <IconButton
                icon="close"
                label={`${m.actions.remove}: ${name}`}
                onClick={() => keep(all.filter(one => one !== view))}
              />
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
