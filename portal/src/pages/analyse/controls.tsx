/** The question: periods, groups, filters and the measure; each change is a new address. */
import type { FormEvent } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { commonSpanOf, commonSpans } from '../../kit/common-spans.ts'
import { DateField } from '../../kit/date-field.tsx'
import { SaveView } from '../../kit/saved-views.tsx'
import { pageConfig } from '../../page-config.ts'
import { useAddress } from '../../support/parts.tsx'
import type { SummaryGroup, TransactionKind } from './analyse.generated.ts'
import { type Analysis, EVER, GROUPS, isMoney, MEASURES, PERIODS, TOPS } from './analysis.ts'

const KINDS: readonly TransactionKind[] = ['PAYMENT', 'RECHARGE', 'MESSAGE', 'REWARD', 'REDEMPTION']

/** Dimensions that one analysis is parted by; more cannot be read side by side. */
const MOST_GROUPS = 3

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

function Select({ label, value, options, onChoose }: SelectProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select className="input" value={value} onChange={event => onChoose(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ControlsProps {
  readonly analysis: Analysis
  /** The currencies that are found. */
  readonly currencies: readonly string[]
  readonly currency: string | undefined
}

export function Controls({ analysis, currencies, currency }: ControlsProps) {
  const { m, f } = useTranslation()
  const [, change] = useAddress()
  const { groups, kinds, from } = analysis
  const toggleGroup = (group: SummaryGroup) => {
    const next = groups.includes(group) ? groups.filter(one => one !== group) : [...groups, group]
    change({ group: next.length === 0 ? 'none' : next.slice(-MOST_GROUPS), period: undefined })
  }
  const toggleKind = (kind: TransactionKind) =>
    change({ kinds: kinds.includes(kind) ? kinds.filter(one => one !== kind) : [...kinds, kind] })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    change({
      merchant: String(form.get('merchant')).trim(),
      postedBy: String(form.get('postedBy')).trim(),
    })
  }
  const spans = commonSpans(pageConfig.timezone)
  const span =
    from === undefined && analysis.to === undefined ? EVER : commonSpanOf(spans, from, analysis.to)?.key
  const chooseSpan = (key: string) => {
    const chosen = spans.find(one => one.key === key)
    if (chosen) change({ from: chosen.from, to: chosen.to, period: undefined })
    else if (key === EVER) change({ from: EVER, to: undefined, period: undefined })
  }
  return (
    <div className="analyse-controls">
      <form className="analyse-controls" aria-label={m.analyse.question} onSubmit={submit}>
        <div className="analyse-row">
          <fieldset className="chips">
            <legend className="analyse-legend">{m.analyse.groupBy}</legend>
            {GROUPS.map(group => (
              <button
                key={group}
                type="button"
                className="chip"
                aria-pressed={groups.includes(group)}
                onClick={() => toggleGroup(group)}
              >
                {groups.indexOf(group) >= 0 && (
                  <span className="chip-place number">{f.number(groups.indexOf(group) + 1)}</span>
                )}
                {m.analyse.groups[group]}
              </button>
            ))}
          </fieldset>
          <fieldset className="chips">
            <legend className="analyse-legend">{m.explore.kind}</legend>
            {KINDS.map(kind => (
              <button
                key={kind}
                type="button"
                className="chip"
                aria-pressed={kinds.includes(kind)}
                onClick={() => toggleKind(kind)}
              >
                <span className={`kind-dot kind-${kind.toLowerCase()}`} aria-hidden="true" />
                {m.kinds[kind]}
              </button>
            ))}
          </fieldset>
        </div>
        <div className="analyse-row analyse-fields">
          <Select
            label={m.analyse.measure}
            value={analysis.measure}
            options={MEASURES.map(one => [one, m.analyse.measures[one]])}
            onChoose={measure => change({ measure })}
          />
          {isMoney(analysis.measure) && currencies.length > 0 && (
            <Select
              label={m.analyse.groups.CURRENCY}
              value={currency ?? ''}
              options={currencies.map(one => [one, one])}
              onChoose={chosen => change({ currency: chosen })}
            />
          )}
          <Select
            label={m.analyse.per}
            value={analysis.by}
            options={PERIODS.map(one => [one, m.analyse.periods[one]])}
            onChoose={by => change({ by, period: undefined })}
          />
          <Select
            label={m.spans.title}
            value={span ?? ''}
            options={[
              ...spans.map(({ key }) => [key, m.spans[key]] as const),
              [EVER, m.spans.ever],
              ['', m.spans.own],
            ]}
            onChoose={chooseSpan}
          />
          <DateField
            className="field"
            label={m.explore.from}
            value={from}
            max={analysis.to}
            onChange={day => change({ from: day ?? EVER, period: undefined })}
          />
          <DateField
            className="field"
            label={m.explore.to}
            value={analysis.to}
            min={from}
            onChange={to => change({ to, period: undefined })}
          />
          {(['merchant', 'postedBy'] as const).map(name => (
            <label key={name} className="field">
              <span>{name === 'merchant' ? m.explore.merchant : m.analyse.postedBy}</span>
              <input
                key={analysis[name] ?? ''}
                className="input"
                name={name}
                defaultValue={analysis[name]}
                dir="auto"
                maxLength={100}
                onBlur={event =>
                  event.target.value.trim() !== (analysis[name] ?? '') && event.target.form?.requestSubmit()
                }
              />
            </label>
          ))}
          <Select
            label={m.analyse.top}
            value={analysis.top}
            options={TOPS.map(one => [one, m.analyse.tops[one]])}
            onChoose={top => change({ top })}
          />
          <button type="submit" className="visually-hidden">
            {m.support.apply}
          </button>
        </div>
      </form>
      <div className="row">
        <SaveView page="/analyse" />
      </div>
    </div>
  )
}
