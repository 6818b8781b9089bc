/** Entry point of the pages. */
import './styles/tokens.css'
import './styles/base.css'
import './styles/kit.css'
import './styles/data.css'
import './styles/shell.css'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { SIGNED_IN_PATH } from '#gateway/pages/page-config.ts'
import { loadTexts, TranslationProvider } from './i18n/i18n.tsx'
import { preferences } from './i18n/preferences.ts'
import { router } from './router.tsx'
import { resumeSession } from './session/session.ts'
import { renew } from './shell/renewal.ts'

// Parts that are no pages, such as a menu: vite tells of each that does not load.
addEventListener('vite:preloadError', () => void renew())

async function show(): Promise<void> {
  // The identity provider sent the browser back, in a hidden frame where the session is only renewed.
  const isReturn = location.pathname === SIGNED_IN_PATH
  if (isReturn) {
    // Without it the page says that the sign-in failed.
    const provider = await import('./session/provider.ts').catch(() => undefined)
    if (provider?.isSilent()) return provider.completeSilently()
  } else void resumeSession()
  const first = await loadTexts(preferences.get().language)
  createRoot(document.getElementById('root')!).render(
    <TranslationProvider first={first}>
      <RouterProvider router={router} />
    </TranslationProvider>,
  )
}

await show()
