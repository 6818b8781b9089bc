/** Limits of a client, and what is left of them: of its quotas now, and of its monthly limits for one customer. */
import { type FormEvent, useState } from 'react'
import { useGraph } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { KindMark } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView } from '../kit/states.tsx'
import { Table } from '../kit/table.tsx'
import { pageConfig } from '../page-config.ts'
import { asPhoneNumber, westernDigits } from '../pages/explore/typed-number.ts'
import { CurlButton } from './parts.tsx'
import { LimitsDocument, type LimitsQuery, MonthlyLeftDocument } from './support.generated.ts'

export type ClientLimits = NonNullable<LimitsQuery['clientLimits']>[number]

interface MeterProps {
  readonly left: number
  readonly of: number
  readonly text: string
}

/** How much is left, as a bar and in words. */
export function Meter({ left, of, text }: MeterProps) {
  const part = of === 0 ? 0 : Math.min(1, left / of)
  return (
    <span className="meter">
      <span className={part < 0.1 ? 'meter-bar meter-low' : 'meter-bar'} aria-hidden="true">
        <span style={{ inlineSize: `${100 * part}%` }} />
      </span>
      <span className="number small">{text}</span>
    </span>
  )
}

/** The rest of a limit on use. */
export function QuotaLeft({ quota }: { readonly quota: ClientLimits['quotas'][number] }) {
  const { m, f } = useTranslation()
  const { limit, left } = quota
  if (left === null) return <span className="number small muted">{f.number(limit)}</span>
  const text = m.support.leftOf(f.number(Math.min(left, limit)), f.number(limit))
  return <Meter left={left} of={limit} text={text} />
}

function PostingLimits({ limits }: { readonly limits: ClientLimits }) {
  const { m, f } = useTranslation()
  const { currencies, maxAmount, monthlyAmount, maxPoints, monthlyPoints } = limits
  const facts: [string, string][] = [
    [m.support.currencies, currencies.join(', ')],
    [m.support.maxAmount, maxAmount === null ? m.support.unlimited : f.number(maxAmount)],
    [m.support.monthlyAmount, monthlyAmount === null ? m.support.unlimited : f.number(monthlyAmount)],
    [m.support.maxPoints, maxPoints === null ? m.support.unlimited : f.number(maxPoints)],
    [m.support.monthlyPoints, monthlyPoints === null ? m.support.unlimited : f.number(monthlyPoints)],
  ]
  return (
    <dl className="limit-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Account or number as it was typed. */
const customerOf = (typed: string) => {
  const number = asPhoneNumber(typed)
  return number === undefined
    ? { account: westernDigits(typed).trim(), number: null }
    : { account: null, number }
}

function MonthlyPanel({ client }: LimitsProps) {
  const { m, f } = useTranslation()
  const [typed, setTyped] = useState('')
  const variables = { clients: client ? [client] : null, ...customerOf(typed) }
  const result = useGraph(MonthlyLeftDocument, variables, { isOn: typed !== '' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTyped(String(new FormData(event.currentTarget).get('customer')).trim())
  }
  return (
    <Panel title={m.support.monthlyTitle} query={result.query} aside={<CurlButton query={result.query} />}>
      <form className="panel-body row fields" onSubmit={submit}>
        <label className="field field-grow">
          <span>{m.support.customer}</span>
          <input
            className="input"
            name="customer"
            required
            dir="auto"
            maxLength={30}
            placeholder={`100001 · +${pageConfig.countryCode} 9100 0002`}
          />
        </label>
        <Button type="submit">{m.support.show}</Button>
      </form>
      {typed !== '' && (
        <GraphView result={result}>
          {({ clientLimits }) => {
            const rows = clientLimits?.[0]?.monthlyUse ?? []
            if (rows.length === 0) return <Empty title={m.support.noMonthlyLimit} />
            const show = (value: number, currency: string | null) =>
              currency ? f.money({ value, currency }) : m.explore.points(value)
            return (
              <Table
                label={m.support.monthlyTitle}
                rows={rows}
                keyOf={({ kind, currency }) => `${kind} ${currency}`}
                columns={[
                  { key: 'kind', label: m.explore.kind, cell: ({ kind }) => <KindMark kind={kind} /> },
                  {
                    key: 'left',
                    label: m.support.left,
                    isWide: true,
                    cell: ({ left, limit, currency }) => (
                      <Meter
                        left={left}
                        of={limit}
                        text={m.support.leftOf(show(left, currency), show(limit, currency))}
                      />
                    ),
                  },
                  {
                    key: 'used',
                    label: m.support.used,
                    isNumber: true,
                    cell: ({ used, currency }) => <span className="ltr">{show(used, currency)}</span>,
                  },
                ]}
              />
            )
          }}
        </GraphView>
      )}
    </Panel>
  )
}

interface LimitsProps {
  /** The client; undefined for the one that is signed in. */
  readonly client: string | undefined
}

export function LimitsPanels({ client }: LimitsProps) {
  const { m } = useTranslation()
  const result = useGraph(LimitsDocument, { clients: client ? [client] : null })
  return (
    <>
      <div className="support-two">
        <Panel
          title={m.support.postingLimits}
          query={result.query}
          aside={<CurlButton query={result.query} />}
        >
          <GraphView result={result}>
            {({ clientLimits }) => clientLimits?.[0] && <PostingLimits limits={clientLimits[0]} />}
          </GraphView>
        </Panel>
        <Panel title={m.support.useLimits} query={result.query}>
          <GraphView result={result}>
            {({ clientLimits }) => (
              <dl className="limit-facts">
                {clientLimits?.[0]?.quotas.map(quota => (
                  <div key={quota.name}>
                    <dt>{m.support.quotas[quota.name]}</dt>
                    <dd>
                      <QuotaLeft quota={quota} />
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </GraphView>
          <p className="panel-note muted small">{m.support.quotasText}</p>
        </Panel>
      </div>
      <MonthlyPanel client={client} />
    </>
  )
}
