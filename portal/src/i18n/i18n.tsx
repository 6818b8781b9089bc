/** The messages and formats of the chosen language, for components. */
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useStore } from '../kit/store.ts'
import { messages as english, type Messages } from './en.ts'
import { createFormat, type Format } from './format.ts'
import { LANGUAGES, type Language, preferences, writeIn } from './preferences.ts'

const LOADERS: Record<Language, () => Promise<Messages>> = {
  en: async () => english,
  ar: async () => (await import('./ar.ts')).messages,
}

/** Messages, and the language that they are in. */
export interface Texts {
  readonly language: Language
  readonly messages: Messages
}

/** Texts of a language, which are loaded when it is first chosen; where they do not load, those that are there always. */
export const loadTexts = (language: Language): Promise<Texts> =>
  LOADERS[language]().then(
    messages => ({ language, messages }),
    () => ({ language: 'en', messages: english }),
  )

export interface Translation {
  readonly m: Messages
  readonly f: Format
  readonly language: Language
}

const TranslationContext = createContext<Translation | undefined>(undefined)

interface ProviderProps {
  /** Texts at the start. */
  readonly first: Texts
  readonly children: ReactNode
}

/** Gives components the chosen language; another one is shown when its messages are there. */
export function TranslationProvider({ first, children }: ProviderProps) {
  const { language } = useStore(preferences)
  const [shown, setShown] = useState(first)
  useEffect(() => {
    let isCurrent = true
    loadTexts(language).then(texts => isCurrent && setShown(texts))
    return () => {
      isCurrent = false
    }
  }, [language])
  useLayoutEffect(() => writeIn(shown.language), [shown.language])
  const value = useMemo(
    () => ({
      m: shown.messages,
      f: createFormat(LANGUAGES[shown.language].locale),
      language: shown.language,
    }),
    [shown],
  )
  return <TranslationContext value={value}>{children}</TranslationContext>
}

/** Messages `m`, formats `f`, and the language itself. */
export function useTranslation(): Translation {
  const value = use(TranslationContext)
  if (!value) throw new Error('useTranslation needs a TranslationProvider')
  return value
}
