/** The page at which the identity provider sends a person back: it goes on to the one that was left. */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../i18n/i18n.tsx'
import { SignedOut, State } from '../kit/states.tsx'
import { useStore } from '../kit/store.ts'
import { returnFromProvider, session } from '../session/session.ts'

/** Begun once, however often the component is mounted: a code can be redeemed once. */
let returned: Promise<string | undefined> | undefined

export function Returning() {
  const { m } = useTranslation()
  const { history } = useRouter()
  const state = useStore(session)
  useEffect(() => {
    returned ??= returnFromProvider()
    returned.then(path => {
      if (path !== undefined) history.replace(path)
    })
  }, [history])
  return state.name === 'signed-out' ? <SignedOut /> : <State icon="person" title={m.session.signingIn} />
}
