/** The front door: the program and its state, and where to go in each role. */
import './home.css'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { useStore } from '../../kit/store.ts'
import { pageConfig } from '../../page-config.ts'
import { session, signInAsDemo } from '../../session/session.ts'
import { openSignIn } from '../../shell/sign-in-open.ts'
import { HealthPanel } from './health-panel.tsx'
import { ROLES, TOUR, type Way } from './ways.ts'

function WayLink({ way }: { readonly way: Way }) {
  const { m } = useTranslation()
  const text = m.home.ways[way.text]
  return <li>{way.isServed ? <a href={way.to}>{text}</a> : <Link to={way.to}>{text}</Link>}</li>
}

function Tour() {
  const { m } = useTranslation()
  return (
    <section className="tour" aria-labelledby="tour">
      <h2 id="tour">{m.home.tourTitle}</h2>
      <ol>
        {TOUR.map(({ step, to, search }, index) => (
          <li key={step}>
            <span className="tour-number number" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <Link to={to} search={search}>
                {m.home.tour[step].title}
              </Link>
              <p>{m.home.tour[step].text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The first step for a person who is not signed in. */
function Begin() {
  const { m } = useTranslation()
  const state = useStore(session)
  const [demo] = pageConfig.demoClients
  if (state.name === 'signed-in')
    return (
      <Link to="/explore" className="button button-main">
        {m.home.explore}
      </Link>
    )
  if (state.name === 'signing-in')
    return (
      <Button look="main" disabled>
        {m.session.signingIn}
      </Button>
    )
  return (
    <>
      {demo && (
        <Button look="main" onClick={() => signInAsDemo(demo)}>
          {m.home.beginDemo}
        </Button>
      )}
      <Button look={demo ? 'plain' : 'main'} onClick={openSignIn}>
        {m.session.signIn}
      </Button>
    </>
  )
}

const ICONS: Record<(typeof ROLES)[number]['role'], IconName> = {
  analyst: 'search',
  partner: 'link',
  developer: 'code',
  operator: 'refresh',
}

export default function HomePage() {
  const { m } = useTranslation()
  return (
    <>
      <div className="hero">
        <div className="hero-text">
          <h1>{m.home.title}</h1>
          <p>{m.home.lead}</p>
          <div className="row">
            <Begin />
          </div>
        </div>
        <HealthPanel />
      </div>
      <section aria-labelledby="where">
        <h2 id="where" className="visually-hidden">
          {m.home.whereTitle}
        </h2>
        <ul className="doors">
          {ROLES.map(({ role, ways }) => (
            <li key={role} className="door">
              <span className="door-icon">
                <Icon name={ICONS[role]} />
              </span>
              <h3>{m.home.roles[role].title}</h3>
              <p>{m.home.roles[role].text}</p>
              <ul>
                {ways
                  .filter(({ needsSchema }) => !needsSchema || pageConfig.introspection)
                  .map(way => (
                    <WayLink key={way.to} way={way} />
                  ))}
              </ul>
            </li>
          ))}
        </ul>
      </section>
      <Tour />
    </>
  )
}
