/** The one box of every page: leads to `/explore`, which finds out what was typed. The key `/` goes to it. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef } from 'react'
import { useTranslation } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { oneOf, type SearchParams } from '../search-params.ts'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

export function SearchBox() {
  const { m } = useTranslation()
  const navigate = useNavigate()
  const { q } = useSearch({ strict: false }) as SearchParams
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim()
    if (text) navigate({ to: '/explore', search: { q: text } })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element search is not known to every browser that the pages support.
    <form className="search" role="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        key={oneOf(q) ?? ''}
        ref={input}
        className="search-input"
        type="search"
        name="q"
        defaultValue={oneOf(q) ?? ''}
        placeholder={m.app.search}
        aria-label={m.app.search}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        dir="auto"
        maxLength={256}
      />
      <kbd title={m.app.searchHint}>/</kbd>
    </form>
  )
}
