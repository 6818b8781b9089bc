/** The guides, to read and search. They are in English, from left to right. */
import './docs.css'
import { guides } from 'virtual:guides'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { ContractFiles } from '../../kit/contract-files.tsx'
import { Empty, Failed, Loading } from '../../kit/states.tsx'
import { GuideSearch } from './guide-search.tsx'

type Guide = (typeof guides)[number]
type Loaded = Awaited<ReturnType<Guide['load']>>

const GROUPS = ['portals', 'partners', 'operators', 'developers'] as const

/** Titles of decisions begin with a number and are many: they stand below their list. */
const isListed = ({ name }: Guide) => !name.startsWith('adr/')

function Contents({ current }: { readonly current: string }) {
  const { m } = useTranslation()
  return (
    <nav aria-label={m.docs.contents} className="guide-contents">
      {GROUPS.map(group => (
        <section key={group}>
          <h2>{m.docs.groups[group]}</h2>
          <ul dir="ltr">
            {guides
              .filter(guide => guide.group === group && isListed(guide))
              .map(({ name, title }) => (
                <li key={name}>
                  <Link to={`/docs/${name}`} aria-current={name === current ? 'page' : undefined} lang="en">
                    {title}
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** Loads a guide; the last one stays until the next is there. */
function useGuide(guide: Guide | undefined): { readonly loaded?: Loaded; readonly fault?: string } {
  const [state, setState] = useState<{
    readonly of?: Guide
    readonly loaded?: Loaded
    readonly fault?: string
  }>({})
  useEffect(() => {
    let isCurrent = true
    guide?.load().then(
      loaded => isCurrent && setState({ of: guide, loaded }),
      (error: Error) => isCurrent && setState({ of: guide, fault: error.message }),
    )
    return () => {
      isCurrent = false
    }
  }, [guide])
  return state
}

function Article({ guide, loaded }: { readonly guide: Guide; readonly loaded: Loaded }) {
  const { m } = useTranslation()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = `${guide.title} – ${m.app.name}`
  }, [guide, loaded, m])
  useEffect(() => {
    const place = hash ? document.getElementById(hash) : undefined
    if (place) place.scrollIntoView()
    else scrollTo(0, 0)
  }, [loaded, hash])
  useEffect(() => {
    for (const button of article.current?.querySelectorAll('.guide-copy') ?? [])
      button.textContent = m.actions.copy
    for (const link of article.current?.querySelectorAll('.guide-run') ?? []) link.textContent = m.docs.run
  }, [loaded, m])
  /** Links within the pages change the page without loading it anew, and buttons of examples copy. */
  const follow = async (event: MouseEvent) => {
    const target = event.target as Element
    const button = target.closest('.guide-copy')
    if (button) {
      await navigator.clipboard.writeText(
        button.closest('.guide-code')?.querySelector('code')?.textContent ?? '',
      )
      button.textContent = m.actions.copied
      setTimeout(() => {
        button.textContent = m.actions.copy
      }, 1_600)
      return
    }
    const href = target.closest('a')?.getAttribute('href')
    // Documents of the contract are files of the server, and no pages.
    if (!href || !/^\/(docs|graphql)\b/.test(href) || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    const [to = '/', anchor] = href.split('#')
    navigate({ to, ...(anchor && { hash: anchor }) })
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the elements within are links and buttons, which keys press as well. */}
      <article
        ref={article}
        className="guide"
        lang="en"
        dir="ltr"
        onClick={follow}
        dangerouslySetInnerHTML={{ __html: loaded.html }}
      />
      {loaded.headings.length > 2 && (
        <nav className="guide-headings" aria-label={m.docs.onThisPage}>
          <h2>{m.docs.onThisPage}</h2>
          <ul dir="ltr" lang="en">
            {loaded.headings.map(({ heading, anchor }) => (
              <li key={anchor}>
                <Link to="." hash={anchor}>
                  <span dangerouslySetInnerHTML={{ __html: heading }} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  )
}

export default function DocsPage() {
  const { m } = useTranslation()
  const { pathname } = useLocation()
  const name = decodeURIComponent(pathname.replace(/^\/docs\/?/, ''))
  const guide = name ? guides.find(one => one.name === name) : guides[0]
  const { loaded, fault } = useGuide(guide)
  return (
    <div className="guides">
      <aside className="guides-side">
        <GuideSearch />
        <details className="guide-files">
          <summary>{m.contracts.title}</summary>
          <ContractFiles />
        </details>
        <details className="guides-fold" open={!name}>
          <summary>{m.docs.contents}</summary>
          <Contents current={guide?.name ?? ''} />
        </details>
        <div className="guides-wide">
          <Contents current={guide?.name ?? ''} />
        </div>
      </aside>
      {!guide && <Empty title={m.docs.noGuide} />}
      {guide && fault && <Failed faults={[{ message: fault, code: 'NETWORK' }]} />}
      {guide && !fault && (loaded ? <Article guide={guide} loaded={loaded} /> : <Loading rows={12} />)}
    </div>
  )
}
