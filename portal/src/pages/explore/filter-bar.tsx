/** The filters of a timeline; each change is a new address. */
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button } from '../../kit/button.tsx'
import { commonSpanOf, commonSpans } from '../../kit/common-spans.ts'
import { DateField } from '../../kit/date-field.tsx'
import { pageConfig } from '../../page-config.ts'
import { type Filters, isNarrowed, KINDS, ORDERS, OUTCOMES, toggled, writeFilters } from './filters.ts'

interface ChipsProps<Value extends string> {
  readonly label: string
  readonly all: readonly Value[]
  readonly chosen: readonly Value[]
  readonly nameOf: (value: Value) => ReactNode
  readonly onToggle: (value: Value) => void
}

/** Several of a few. */
function Chips<Value extends string>({ label, all, chosen, nameOf, onToggle }: ChipsProps<Value>) {
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">{label}</legend>
      {all.map(value => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={chosen.includes(value)}
          onClick={() => onToggle(value)}
        >
          {nameOf(value)}
        </button>
      ))}
    </fieldset>
  )
}

interface FilterBarProps {
  readonly filters: Filters
  /** Beside the filters: saved views. */
  readonly children?: ReactNode
}

/** Choice of everything that there is. */
const EVER = 'ever'

/** Fields that are typed; they narrow when the form is submitted or a field is left. */
const FIELDS = ['merchant', 'postedBy', 'min', 'max'] as const

export function FilterBar({ filters, children }: FilterBarProps) {
  const { m } = useTranslation()
  const navigate = useNavigate()
  const id = useId()
  const [isOpen, setOpen] = useState(FIELDS.some(name => filters[name] !== undefined))
  const change = (changes: Partial<Record<keyof Filters, unknown>>) =>
    navigate({
      to: '.',
      search: writeFilters({ ...filters, ...changes } as Filters),
      resetScroll: false,
      replace: true,
    })
  const spans = commonSpans(pageConfig.timezone)
  const { from, to } = filters
  const span = from || to ? (commonSpanOf(spans, from, to)?.key ?? '') : EVER
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Object.fromEntries(new FormData(event.currentTarget))
    change(
      Object.fromEntries(
        Object.entries(typed).map(([name, value]) => [name, String(value).trim() || undefined]),
      ),
    )
  }
  const field = (name: (typeof FIELDS)[number] | 'text') => (
    <input
      key={filters[name] ?? ''}
      className="input"
      id={`${id}-${name}`}
      name={name}
      type="text"
      defaultValue={filters[name]}
      dir="auto"
      maxLength={100}
      inputMode={name === 'min' || name === 'max' ? 'decimal' : undefined}
      placeholder={name === 'text' ? m.explore.textHint : undefined}
      aria-label={name === 'text' ? m.explore.text : undefined}
      onBlur={event => event.target.value !== (filters[name] ?? '') && event.target.form?.requestSubmit()}
    />
  )
  return (
    <form className="filters" aria-label={m.explore.filters} onSubmit={submit}>
      <div className="filters-row">
        <Chips
          label={m.explore.kind}
          all={KINDS}
          chosen={filters.kinds}
          nameOf={kind => (
            <>
              <span className={`kind-dot kind-${kind.toLowerCase()}`} aria-hidden="true" />
              {m.kinds[kind]}
            </>
          )}
          onToggle={kind => change({ kinds: toggled(filters.kinds, kind) })}
        />
        <Chips
          label={m.explore.outcome}
          all={OUTCOMES}
          chosen={filters.outcomes}
          nameOf={outcome => m.outcomes[outcome]}
          onToggle={outcome => change({ outcomes: toggled(filters.outcomes, outcome) })}
        />
      </div>
      <div className="filters-row">
        <div className="filters-text">{field('text')}</div>
        <label className="field-inline filters-span">
          <span className="visually-hidden">{m.spans.title}</span>
          <select
            className="input"
            value={span}
            onChange={event => {
              const { from, to } = spans.find(({ key }) => key === event.target.value) ?? {}
              change({ from, to })
            }}
          >
            <option value={EVER}>{m.spans.ever}</option>
            {spans.map(({ key }) => (
              <option key={key} value={key}>
                {m.spans[key]}
              </option>
            ))}
            {span === '' && <option value="">{m.spans.own}</option>}
          </select>
        </label>
        <DateField
          className="field-inline"
          label={m.explore.from}
          value={filters.from}
          max={filters.to}
          onChange={from => change({ from })}
        />
        <DateField
          className="field-inline"
          label={m.explore.to}
          value={filters.to}
          min={filters.from}
          onChange={to => change({ to })}
        />
        <label className="field-inline">
          <span className="visually-hidden">{m.explore.order}</span>
          <select
            className="input"
            value={filters.order}
            onChange={event => change({ order: event.target.value })}
          >
            {ORDERS.map(order => (
              <option key={order} value={order}>
                {m.explore.orders[order]}
              </option>
            ))}
          </select>
        </label>
        <Button look="quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {m.explore.moreFilters}
        </Button>
        {isNarrowed(filters) && (
          <Button
            look="quiet"
            icon="close"
            onClick={() => navigate({ to: '.', search: {}, resetScroll: false })}
          >
            {m.explore.clearFilters}
          </Button>
        )}
        <span className="filters-end">{children}</span>
      </div>
      <div id={id} className="filters-row filters-more" hidden={!isOpen}>
        {FIELDS.map(name => (
          <div key={name} className="field">
            <label htmlFor={`${id}-${name}`}>{m.explore[name]}</label>
            {field(name)}
          </div>
        ))}
        <button type="submit" className="visually-hidden">
          {m.app.searchShort}
        </button>
      </div>
    </form>
  )
}
