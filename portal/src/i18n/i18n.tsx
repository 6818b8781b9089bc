/** The messages and formats of the chosen language, for components. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { useStore } from '../kit/store.ts'
import { messages as english, type Messages } from './en.ts'
import { createFormat, type Format } from './format.ts'
import { LANGUAGES, type Language, preferences } from './preferences.ts'

const LOADERS: Record<Language, () => Promise<Messages>> = {
  en: async () => english,
  ar: async () => (await import('./ar.ts')).messages,
}

/** Messages of a language, which are loaded when it is first chosen. */
export const loadMessages = (language: Language): Promise<Messages> => LOADERS[language]()

export interface Translation {
  readonly m: Messages
  readonly f: Format
  readonly language: Language
}

const TranslationContext = createContext<Translation | undefined>(undefined)

interface ProviderProps {
  /** Messages of the language at the start. */
  readonly first: Messages
  readonly children: ReactNode
}

/** Gives components the chosen language; another one is shown when its messages are there. */
export function TranslationProvider({ first, children }: ProviderProps) {
  const { language } = useStore(preferences)
  const [shown, setShown] = useState({ language, messages: first })
  useEffect(() => {
    let isCurrent = true
    loadMessages(language).then(messages => isCurrent && setShown({ language, messages }))
    return () => {
      isCurrent = false
    }
  }, [language])
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
