/** A day as all days on the page are written; browsers write theirs in a language of their own. */
import './date-field.css'
import { useId, useRef } from 'react'
import { parseDay } from '../i18n/day.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { IconButton } from './button.tsx'

interface DateFieldProps {
  readonly label: string
  /** `YYYY-MM-DD`. */
  readonly value: string | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly className: string
  readonly onChange: (day: string | undefined) => void
}

/** A text that takes a day in each form that people write it in, and a button for the browser's calendar. */
export function DateField({ label, value, min, max, className, onChange }: DateFieldProps) {
  const { m, f } = useTranslation()
  const id = useId()
  const calendar = useRef<HTMLInputElement>(null)
  const shown = value ? f.plainDay(value) : ''
  const take = (input: HTMLInputElement) => {
    const typed = input.value.trim()
    if (typed === shown) return
    const day = typed ? parseDay(typed, f.locale) : undefined
    const isWrong = typed !== '' && (!day || (min && day < min) || (max && day > max))
    input.setCustomValidity(isWrong ? m.app.dayWrong(f.plainDay('2026-11-01')) : '')
    if (isWrong) input.reportValidity()
    else if (day !== value) onChange(day)
    else input.value = shown
  }
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <span className="date-field">
        <input
          key={shown}
          id={id}
          className="input"
          type="text"
          autoComplete="off"
          maxLength={40}
          defaultValue={shown}
          onInput={event => event.currentTarget.setCustomValidity('')}
          onBlur={event => take(event.currentTarget)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            take(event.currentTarget)
          }}
        />
        <input
          ref={calendar}
          className="date-field-calendar"
          type="date"
          tabIndex={-1}
          aria-hidden="true"
          value={value ?? ''}
          min={min}
          max={max}
          onChange={event => onChange(event.target.value || undefined)}
        />
        <IconButton
          icon="calendar"
          label={`${m.app.calendar}: ${label}`}
          onClick={() => calendar.current?.showPicker()}
        />
      </span>
    </div>
  )
}
