/** The sign-in dialog: the identity provider where there is one, the demo's clients, or a token. */
import { type FormEvent, useEffect, useRef } from 'react'
import { useTranslation } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { useStore } from '../kit/store.ts'
import { pageConfig } from '../page-config.ts'
import { session, signInAsDemo, signInAtProvider, signInByToken } from '../session/session.ts'
import { signInOpen } from './sign-in-open.ts'

const close = () => signInOpen.set(false)

function ProviderSection() {
  const { m } = useTranslation()
  if (!pageConfig.provider) return null
  const isThere = pageConfig.provider.metadata !== undefined
  return (
    <section className="sign-in-way">
      <h3>{m.session.providerTitle}</h3>
      {isThere ? (
        <Button look="main" onClick={() => signInAtProvider()}>
          {m.session.providerButton}
        </Button>
      ) : (
        <p className="notice notice-warn">
          <Icon name="alert" />
          <span>{m.session.providerAway}</span>
        </p>
      )}
    </section>
  )
}

function DemoSection() {
  const { m } = useTranslation()
  const { demoClients } = pageConfig
  if (demoClients.length === 0) return null
  return (
    <section className="sign-in-way">
      <h3>{m.session.demoTitle}</h3>
      <p>{m.session.demoText}</p>
      <ul className="sign-in-clients">
        {demoClients.map(client => (
          <li key={client}>
            <button type="button" className="sign-in-client" onClick={() => signInAsDemo(client)}>
              <Icon name="person" />
              <span>
                <strong className="ltr">{client}</strong>
                <small>{m.session.demoRoles[client]}</small>
              </span>
              <Icon name="next" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TokenSection() {
  const { m } = useTranslation()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    if (token) signInByToken(token.replace(/^bearer\s+/i, ''))
  }
  return (
    <details className="sign-in-way">
      <summary>{m.session.tokenTitle}</summary>
      <p>{m.session.tokenText}</p>
      <form className="row" onSubmit={submit}>
        <label className="field field-grow">
          <span className="visually-hidden">{m.session.tokenLabel}</span>
          <input
            className="input ltr"
            name="token"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="eyJ…"
          />
        </label>
        <Button type="submit">{m.session.tokenUse}</Button>
      </form>
    </details>
  )
}

export function SignInDialog() {
  const { m } = useTranslation()
  const isOpen = useStore(signInOpen)
  const state = useStore(session)
  const before = useRef(state)
  useEffect(() => {
    // It is opened by those who are signed in too, to sign in as another.
    if (state.name === 'signed-in' && before.current !== state) close()
    before.current = state
  }, [state])
  return (
    <Dialog title={m.session.signIn} isOpen={isOpen} onClose={close}>
      <div role="status">
        {state.name === 'signing-in' && <p>{state.isAway ? m.session.away : m.session.signingIn}</p>}
        {state.name === 'signed-out' && state.fault && (
          <p className="notice notice-bad">
            <Icon name="alert" />
            <span>{m.session.failed(state.fault)}</span>
          </p>
        )}
      </div>
      <ProviderSection />
      <DemoSection />
      <TokenSection />
    </Dialog>
  )
}
