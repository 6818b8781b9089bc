/** Entry point of the pages. */
import './styles/tokens.css'
import './styles/base.css'
import './styles/kit.css'
import './styles/data.css'
import './styles/shell.css'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { SIGNED_IN_PATH } from '#gateway/pages/page-config.ts'
import { loadMessages, TranslationProvider } from './i18n/i18n.tsx'
import { preferences } from './i18n/preferences.ts'
import { router } from './router.tsx'
import { resumeSession } from './session/session.ts'

/** Reloads a page whose build was replaced: its parts are gone from the server. It does so once in ten seconds at the most. */
addEventListener('vite:preloadError', event => {
  const KEY = 'partner-graph:reloaded-at'
  // A page that fails again at once would otherwise reload for ever.
  const last = Number(sessionStorage.getItem(KEY) ?? 0)
  if (Date.now() - last < 10_000) return
  event.preventDefault()
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
})

async function show(): Promise<void> {
  // The identity provider sent the browser back, in a hidden frame where the session is only renewed.
  const isReturn = location.pathname === SIGNED_IN_PATH
  if (isReturn) {
    const provider = await import('./session/provider.ts')
    if (provider.isSilent()) return provider.completeSilently()
  } else void resumeSession()
  const messages = await loadMessages(preferences.get().language)
  createRoot(document.getElementById('root')!).render(
    <TranslationProvider first={messages}>
      <RouterProvider router={router} />
    </TranslationProvider>,
  )
}

await show()
