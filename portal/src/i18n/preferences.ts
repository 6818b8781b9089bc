/** Language and appearance as the person chose them; kept in this browser, since neither is a secret. */
import { createStore } from '../kit/store.ts'

export const LANGUAGES = {
  en: { name: 'English', locale: 'en-GB', dir: 'ltr' },
  ar: { name: 'العربية', locale: 'ar-OM', dir: 'rtl' },
} as const

export type Language = keyof typeof LANGUAGES
export type Theme = 'system' | 'light' | 'dark'

export interface Preferences {
  readonly language: Language
  readonly theme: Theme
}

const KEY = 'partner-graph:preferences'

const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

/** The browser's first language that the pages have. */
const browserLanguage = (): Language =>
  navigator.languages.map(one => one.split('-')[0]).find(isLanguage) ?? 'en'

const read = (): Preferences => {
  try {
    const { language, theme } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return {
      language: isLanguage(language) ? language : browserLanguage(),
      theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    }
  } catch {
    return { language: browserLanguage(), theme: 'system' }
  }
}

export const preferences = createStore<Preferences>(read())

/** Says in which language, and so in which direction, the document is written. */
export const writeIn = (language: Language): void => {
  document.documentElement.lang = language
  document.documentElement.dir = LANGUAGES[language].dir
}

const applyTheme = () => {
  const { theme } = preferences.get()
  const { documentElement: root } = document
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
}

// At once, and not with the first text, so that nothing turns over.
writeIn(preferences.get().language)
applyTheme()
preferences.subscribe(applyTheme)

/** Changes some of the preferences and keeps them; where a browser keeps nothing, they hold until it is closed. */
export function prefer(changes: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...changes })
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences.get()))
  } catch {
    // A browser may forbid it.
  }
}
