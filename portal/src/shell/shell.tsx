/** The shell of every page: header with navigation, search and sign-in, then the page. */
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Loading } from '../kit/states.tsx'
import { useStore } from '../kit/store.ts'
import { PAGES } from '../pages/registry.ts'
import { askAgain } from '../session/server-away.ts'
import { session, signOut } from '../session/session.ts'
import { Header } from './header.tsx'
import { openSignIn, signInOpen } from './sign-in-open.ts'

const SignInDialog = lazy(async () => ({ default: (await import('./sign-in-dialog.tsx')).SignInDialog }))

/** Tells of a session that ended, which leaves what was loaded on the page, and of a sign-in that waits for the server. */
function SessionNotice() {
  const { m } = useTranslation()
  const state = useStore(session)
  if (state.name === 'signing-in' && state.isAway)
    return (
      <div className="notice notice-warn notice-page" role="alert">
        <Icon name="alert" />
        <span>
          <strong>{m.session.away}</strong> {m.session.awayText}
        </span>
        <span className="row">
          <Button icon="refresh" onClick={askAgain}>
            {m.states.retry}
          </Button>
          <Button look="quiet" onClick={() => signOut()}>
            {m.session.signOut}
          </Button>
        </span>
      </div>
    )
  if (state.name !== 'ended') return null
  return (
    <div className="notice notice-warn notice-page" role="alert">
      <Icon name="lock" />
      <span>
        <strong>{m.session.ended}</strong> {m.session.endedText}
      </span>
      <Button onClick={openSignIn}>{m.session.signIn}</Button>
    </div>
  )
}

/** The title of the window: that of the page in the navigation. A page may set a more exact one. */
const useTitle = () => {
  const { m } = useTranslation()
  const { pathname } = useLocation()
  useEffect(() => {
    const page = PAGES.findLast(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    document.title = page && page.path !== '/' ? `${page.name(m)} – ${m.app.name}` : m.app.name
  }, [m, pathname])
}

export function Shell() {
  const { m } = useTranslation()
  const isOpen = useStore(signInOpen)
  useTitle()
  return (
    <>
      <a className="skip" href="#main">
        {m.app.skip}
      </a>
      <Header />
      <SessionNotice />
      <main id="main" className="page" tabIndex={-1}>
        <Suspense fallback={<Loading rows={6} />}>
          <Outlet />
        </Suspense>
      </main>
      <Suspense fallback={null}>{isOpen && <SignInDialog />}</Suspense>
    </>
  )
}
