/** View of a customer, or of a mobile number with its customer: dues, balances, lines, and the timeline. */
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useGraph } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Empty, GraphView } from '../../kit/states.tsx'
import { oneOf, type SearchParams } from '../../search-params.ts'
import {
  type CustomerFactsFragment,
  CustomerOverviewDocument,
  NumberOverviewDocument,
} from './customer.generated.ts'
import { LinesPanel } from './customer-lines.tsx'
import { customerPath } from './find.ts'
import { Story } from './overview.tsx'
import type { Scope } from './scope.ts'

/** The operator's currency of dues (contract document 1, "Customer"). */
const DUES_CURRENCY = 'OMR'

interface FactProps {
  readonly label: string
  readonly children: ReactNode
}

function Fact({ label, children }: FactProps) {
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface FactsProps {
  readonly customer: CustomerFactsFragment
  readonly number?: string
}

function CustomerFacts({ customer, number }: FactsProps) {
  const { m, f } = useTranslation()
  const { totalDues, lines, customerAccountNumber: account } = customer
  const points = lines.reduce((sum, { subscriber }) => sum + (subscriber?.pointsBalance ?? 0), 0)
  const prepaid = lines.flatMap(({ subscriber }) => subscriber?.prepaidBalance ?? [])
  const address = [customer.custAddr1, customer.custAddr2, customer.custAddr3].filter(Boolean).join(', ')
  const isActive = customer.customerStatus === 'ACTIVE' && !customer.closed
  return (
    <>
      <header className="who">
        <div>
          <p className="crumbs">
            <Link to="/explore">{m.explore.title}</Link>
            <Icon name="next" />
            {number ? (
              <Link to={customerPath(account)} className="ltr">
                {account}
              </Link>
            ) : (
              <span className="ltr">{account}</span>
            )}
          </p>
          <h1>
            <bdi>{customer.customerName ?? account}</bdi>
            <Badge tone={isActive ? 'good' : 'warn'}>
              {customer.closed
                ? m.explore.closed
                : (m.explore.statuses[customer.customerStatus ?? ''] ?? m.explore.statusNone)}
            </Badge>
          </h1>
          <p className="muted">
            <bdi>{[customer.acctCategory, address].filter(Boolean).join(' · ')}</bdi>
          </p>
        </div>
        <Link to="/explore/compare" search={{ a: account }} className="button button-plain">
          {m.explore.compare}
        </Link>
      </header>
      <dl className="facts">
        <Fact label={totalDues < 0 ? m.explore.credit : m.explore.dues}>
          <span className={totalDues > 0 ? 'number ltr fact-due' : 'number ltr'}>
            {f.money({ value: Math.abs(totalDues), currency: DUES_CURRENCY })}
          </span>
        </Fact>
        {prepaid.length > 0 && (
          <Fact label={m.explore.prepaidBalance}>
            {prepaid.map((balance, index) => (
              <span key={index} className="number ltr fact-part">
                {f.money(balance)}
              </span>
            ))}
          </Fact>
        )}
        <Fact label={m.explore.pointsBalance}>
          <span className="number">{f.number(points)}</span>
        </Fact>
        <Fact label={m.explore.lines}>
          <span className="number">{f.number(lines.length)}</span>
        </Fact>
        {customer.collectionIndicator && (
          <Fact label={m.explore.collection}>
            <span className="fact-text">{customer.collectionIndicator.toLowerCase()}</span>
          </Fact>
        )}
      </dl>
      <LinesPanel lines={lines} chosen={number} account={account} />
    </>
  )
}

/** Shows a text in the window's title. */
const useTitle = (text: string | undefined) => {
  const { m } = useTranslation()
  useEffect(() => {
    if (text) document.title = `${text} – ${m.app.name}`
  }, [text, m])
}

export function CustomerView({ account }: { readonly account: string }) {
  const { m } = useTranslation()
  const result = useGraph(CustomerOverviewDocument, { account })
  const scope = useMemo((): Scope => ({ of: 'customer', account }), [account])
  useTitle(result.data?.customer?.customerName ?? undefined)
  return (
    <GraphView result={result} rows={6} unknown={m.explore.noCustomer(account)}>
      {({ customer }) =>
        customer ? (
          <div className="stack">
            <CustomerFacts customer={customer} />
            <Story scope={scope} title={m.explore.everything} />
          </div>
        ) : (
          <Empty title={m.explore.noCustomer(account)} />
        )
      }
    </GraphView>
  )
}

export function NumberView({ number }: { readonly number: string }) {
  const { m, f } = useTranslation()
  const { include } = useSearch({ strict: false }) as SearchParams
  const isAlone = oneOf(include) === 'NUMBER'
  const result = useGraph(NumberOverviewDocument, { number })
  const scope = useMemo(
    (): Scope => ({ of: 'number', number, include: isAlone ? 'NUMBER' : 'ACCOUNT' }),
    [number, isAlone],
  )
  useTitle(number)
  return (
    <GraphView result={result} rows={6} unknown={m.explore.noNumber(number)}>
      {({ subscriber }) => {
        if (!subscriber) return <Empty title={m.explore.noNumber(number)} />
        const { customer, prepaidBalance, pointsBalance } = subscriber
        return (
          <div className="stack">
            {customer ? (
              <CustomerFacts customer={customer} number={subscriber.mobileNumber} />
            ) : (
              <>
                <header className="who">
                  <h1 className="ltr">{subscriber.mobileNumber}</h1>
                </header>
                <dl className="facts">
                  <Fact label={m.explore.line}>{m.explore.lineKinds[subscriber.kind]}</Fact>
                  {prepaidBalance && <Fact label={m.explore.prepaidBalance}>{f.money(prepaidBalance)}</Fact>}
                  {pointsBalance !== null && (
                    <Fact label={m.explore.pointsBalance}>{f.number(pointsBalance)}</Fact>
                  )}
                </dl>
              </>
            )}
            <fieldset className="chips">
              <legend className="visually-hidden">{m.explore.scope}</legend>
              <Link to="." search={{}} className="chip" data-chosen={!isAlone}>
                {m.explore.withAccount}
              </Link>
              <Link to="." search={{ include: 'NUMBER' }} className="chip" data-chosen={isAlone}>
                {m.explore.numberAlone(subscriber.mobileNumber)}
              </Link>
            </fieldset>
            <Story scope={scope} title={isAlone ? subscriber.mobileNumber : m.explore.everything} />
          </div>
        )
      }}
    </GraphView>
  )
}
