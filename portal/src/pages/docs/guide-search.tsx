/** Search in the guides: an index of their sections, made in the page when the box is first used. */

import { loadTexts } from 'virtual:guides'
import { Link } from '@tanstack/react-router'
import type MiniSearch from 'minisearch'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Icon } from '../../kit/icon.tsx'

type Text = Awaited<ReturnType<typeof loadTexts>>['texts'][number]

interface Index {
  readonly search: MiniSearch<Text & { readonly id: number }>
  readonly texts: readonly Text[]
}

let made: Promise<Index> | undefined

const makeIndex = async (): Promise<Index> => {
  const [{ default: Search }, { texts }] = await Promise.all([import('minisearch'), loadTexts()])
  const search = new Search<Text & { readonly id: number }>({
    fields: ['heading', 'text', 'title'],
    searchOptions: { prefix: true, fuzzy: 0.15, boost: { heading: 4, title: 2 }, combineWith: 'AND' },
  })
  search.addAll(texts.map((text, id) => ({ ...text, id })))
  return { search, texts }
}

const index = () => {
  made ??= makeIndex().catch(error => {
    made = undefined
    throw error
  })
  return made
}

/** The words around the first that fits. */
const snippetOf = (text: string, terms: readonly string[]): string => {
  const lower = text.toLowerCase()
  const places = terms.map(term => lower.indexOf(term)).filter(place => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 50)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 140)}…`
}

const MOST = 20

export function GuideSearch() {
  const { m } = useTranslation()
  const [loaded, setLoaded] = useState<Index>()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const found = loaded && text ? loaded.search.search(text) : []
  return (
    <div className="guide-search">
      <label className="guide-search-box">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          value={typed}
          placeholder={m.docs.search}
          aria-label={m.docs.search}
          autoComplete="off"
          spellCheck={false}
          onFocus={() => index().then(setLoaded)}
          onChange={event => {
            index().then(setLoaded)
            setTyped(event.target.value)
          }}
        />
      </label>
      {text && loaded && (
        <div className="guide-found">
          <p className="small muted" role="status">
            {found.length > 0 ? m.docs.found(found.length) : m.docs.nothingFound}
          </p>
          <ol dir="ltr" lang="en">
            {found.slice(0, MOST).map(({ id, terms }) => {
              const { guide, title, heading, anchor, text: whole } = loaded.texts[id]!
              return (
                <li key={id}>
                  <Link to={`/docs/${guide}`} hash={anchor} onClick={() => setTyped('')}>
                    <strong>
                      <span dangerouslySetInnerHTML={{ __html: heading }} />
                    </strong>
                    {anchor && <small>{title}</small>}
                    <span>{snippetOf(whole, terms)}</span>
                  </Link>
                </li>
              )
            })}
          </ol>
        </div>
      )}
    </div>
  )
}
