/** The header of every page: where one can go, the search, who is signed in. */
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from '../i18n/i18n.tsx'
import { LANGUAGES, type Language, prefer, preferences, type Theme } from '../i18n/preferences.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { useInSight } from '../kit/in-sight.ts'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../kit/menu.tsx'
import { useStore } from '../kit/store.ts'
import { pageConfig } from '../page-config.ts'
import { PAGES } from '../pages/registry.ts'
import { session, signOut } from '../session/session.ts'
import { SearchBox } from './search-box.tsx'
import { openSignIn } from './sign-in-open.ts'

function Navigation() {
  const { m } = useTranslation()
  const { pathname } = useLocation()
  const pages = PAGES.filter(
    ({ inNavigation, needsSchema }) => inNavigation && (!needsSchema || pageConfig.introspection),
  )
  return (
    <nav ref={useInSight()} className="navigation scrolls" aria-label={m.app.navigation}>
      <ul>
        {pages.map(({ path, name }) => (
          <li key={path}>
            <Link
              to={path}
              className="navigation-link"
              aria-current={pathname === path || pathname.startsWith(`${path}/`) ? 'page' : undefined}
            >
              {name(m)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PreferencesMenu() {
  const { m } = useTranslation()
  const { language, theme } = useStore(preferences)
  const languages = Object.entries(LANGUAGES).map(([key, { name }]) => [key, name] as const)
  const themes = Object.entries(m.app.themes).map(([key, name]) => [key, name] as const)
  return (
    <Menu button={<IconButton icon="globe" label={m.app.preferences} />}>
      <MenuChoice
        label={m.app.language}
        value={language}
        options={languages}
        onChoose={chosen => prefer({ language: chosen as Language })}
      />
      <MenuLine />
      <MenuChoice
        label={m.app.theme}
        value={theme}
        options={themes}
        onChoose={chosen => prefer({ theme: chosen as Theme })}
      />
    </Menu>
  )
}

function SessionMenu() {
  const { m } = useTranslation()
  const state = useStore(session)
  if (state.name === 'signing-in') return <span className="session-wait">{m.session.signingIn}</span>
  if (state.name !== 'signed-in')
    return (
      <Button look="main" onClick={openSignIn}>
        {m.session.signIn}
      </Button>
    )
  return (
    <Menu
      button={
        <button type="button" className="session">
          <Icon name="person" />
          <span className="visually-hidden">{m.session.signedInAs} </span>
          <span className="session-name">
            <span className="ltr">{state.who}</span> <small>{m.roles[state.role] ?? state.role}</small>
          </span>
          <Icon name="down" />
        </button>
      }
    >
      <MenuItem icon="person" onChoose={openSignIn}>
        {m.session.signInAsAnother}
      </MenuItem>
      <MenuItem icon="external" onChoose={() => signOut()}>
        {m.session.signOut}
      </MenuItem>
    </Menu>
  )
}

export function Header() {
  const { m } = useTranslation()
  return (
    <header className="header">
      <div className="header-inner">
        <Link to="/" className="brand" aria-label={m.app.name}>
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" fill="var(--accent)" />
            <g stroke="var(--on-accent)" strokeWidth="2.2" strokeLinecap="round">
              <path d="M16 16 8.500 9.500M16 16l8-6M16 16l-6.500 8M16 16l8 7" />
            </g>
            <g fill="var(--on-accent)">
              <circle cx="16" cy="16" r="4.200" />
              <circle cx="8" cy="9" r="2.800" />
              <circle cx="24.300" cy="9.600" r="2.800" />
              <circle cx="9.200" cy="24.400" r="2.800" />
              <circle cx="24.200" cy="23.200" r="2.800" />
            </g>
          </svg>
          <span>{m.app.name}</span>
        </Link>
        <Navigation />
        <SearchBox />
        <div className="header-end">
          <PreferencesMenu />
          <SessionMenu />
        </div>
      </div>
    </header>
  )
}
