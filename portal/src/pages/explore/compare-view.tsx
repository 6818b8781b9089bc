/** View of two customers side by side, over the same months and on the same scale. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { type GraphResult, useGraph } from '../../graph/use-graph.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty, GraphView } from '../../kit/states.tsx'
import { oneOf, type SearchParams } from '../../search-params.ts'
import { CompareCustomerDocument, type CompareCustomerQuery } from './compare.generated.ts'
import { KINDS } from './filters.ts'
import { customerPath, find } from './find.ts'
import { Bars, lastMonths, roundUp, toBars } from './months-panel.tsx'

type Customer = NonNullable<CompareCustomerQuery['customer']>
type Side = 'a' | 'b'

const pointsOf = ({ lines }: Customer) =>
  lines.reduce((sum, { subscriber }) => sum + (subscriber?.pointsBalance ?? 0), 0)

/** Form that chooses the customer of one side, by a name, a number or anything else that the search finds. */
function ChooseCustomer({ side, account }: { readonly side: Side; readonly account: string | undefined }) {
  const { m } = useTranslation()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as SearchParams
  const [isMissing, setMissing] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('customer')).trim()
    if (!typed) return
    const { path, customers } = await find(typed)
    const [, , , name] = path?.split('/') ?? []
    const isAccount = path?.startsWith('/explore/customers/')
    const byAccount = isAccount && name ? decodeURIComponent(name) : customers[0]?.customerAccountNumber
    const byNumber = path?.startsWith('/explore/numbers/')
      ? await accountOf(decodeURIComponent(name!))
      : undefined
    const found = byAccount ?? byNumber
    setMissing(found === undefined)
    if (found) navigate({ to: '.', search: { ...search, [side]: found } })
  }
  return (
    <form className="choose" onSubmit={submit}>
      <label className="field">
        <span>{m.explore.compareSide[side]}</span>
        <span className="row choose-row">
          <input
            key={account}
            className="input"
            name="customer"
            defaultValue={account}
            placeholder={m.explore.comparePlaceholder}
            dir="auto"
            maxLength={64}
            aria-invalid={isMissing}
          />
          <Button type="submit">{m.explore.choose}</Button>
        </span>
      </label>
      <p className="small choose-fault" role="status">
        {isMissing && m.explore.noCustomerFound}
      </p>
    </form>
  )
}

/** Finds the account of a mobile number. */
const accountOf = async (number: string): Promise<string | undefined> => {
  const { sendToGraph } = await import('../../graph/use-graph.ts')
  const { FindSubscriberDocument } = await import('./find.generated.ts')
  const { data } = await sendToGraph(FindSubscriberDocument, { number })
  return data?.subscriber?.customer?.customerAccountNumber
}

interface TableProps {
  readonly a: Customer
  readonly b: Customer
}

const amountsOf = (customer: Customer, kind: string) =>
  customer.kinds?.find(row => row.kind === kind)?.amounts ?? []

function CompareTable({ a, b }: TableProps) {
  const { m, f } = useTranslation()
  const money = (value: number) => f.money({ value, currency: 'OMR' })
  const rowOf = (customer: Customer, kind: string) => customer.kinds?.find(row => row.kind === kind)
  const cell = (customer: Customer, kind: string) => {
    const row = rowOf(customer, kind)
    if (!row) return <span className="muted">0</span>
    return (
      <>
        <span className="number">{f.number(row.count)}</span>
        {row.failed > 0 && <Badge tone="bad">{m.explore.failedCount(row.failed)}</Badge>}
        <span className="muted number ltr">
          {amountsOf(customer, kind).map(f.money).join(', ') ||
            (row.points ? m.explore.points(row.points) : '')}
        </span>
      </>
    )
  }
  const rows: [string, (customer: Customer) => ReactNode][] = [
    [m.explore.dues, one => <span className="number ltr">{money(one.totalDues)}</span>],
    [m.explore.pointsBalance, one => <span className="number">{f.number(pointsOf(one))}</span>],
    [m.explore.lines, one => <span className="number">{f.number(one.lines.length)}</span>],
    [m.explore.category, one => one.acctCategory],
    [
      m.explore.lastTransaction,
      one => (one.timeline?.nodes[0] ? f.relative(one.timeline.nodes[0].occurredAt) : '–'),
    ],
    ...KINDS.map((kind): [string, (customer: Customer) => ReactNode] => [
      m.kinds[kind] ?? kind,
      one => cell(one, kind),
    ]),
  ]
  return (
    <table className="compare">
      <thead>
        <tr>
          <td />
          {[a, b].map(one => (
            <th key={one.customerAccountNumber} scope="col">
              <Link to={customerPath(one.customerAccountNumber)}>
                <bdi>{one.customerName ?? one.customerAccountNumber}</bdi>
              </Link>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, show]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{show(a)}</td>
            <td>{show(b)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function CompareBoth({
  a,
  b,
  query,
}: TableProps & { readonly query: GraphResult<CompareCustomerQuery>['query'] }) {
  const { m } = useTranslation()
  const navigate = useNavigate()
  const months = lastMonths()
  const bars = [a, b].map(one => toBars(months, one.months ?? []))
  const top = roundUp(Math.max(...bars.flat().map(({ count }) => count)))
  const csv = () => [
    ['kind', a.customerAccountNumber, b.customerAccountNumber],
    ...KINDS.map(kind => [
      kind,
      a.kinds?.find(row => row.kind === kind)?.count ?? 0,
      b.kinds?.find(row => row.kind === kind)?.count ?? 0,
    ]),
  ]
  return (
    <>
      <Panel title={m.explore.compareTitle} query={query} csv={csv}>
        <CompareTable a={a} b={b} />
      </Panel>
      <div className="compare-months">
        {[a, b].map((one, index) => (
          <Panel key={one.customerAccountNumber} title={one.customerName ?? one.customerAccountNumber}>
            <div className="months-body">
              <Bars
                bars={bars[index]!}
                top={top}
                isChosen={() => false}
                onChoose={month =>
                  navigate({ to: customerPath(one.customerAccountNumber), search: { from: month } })
                }
              />
            </div>
          </Panel>
        ))}
      </div>
    </>
  )
}

export function CompareView() {
  const { m } = useTranslation()
  const search = useSearch({ strict: false }) as SearchParams
  const [a, b] = [oneOf(search['a']), oneOf(search['b'])]
  const [from] = lastMonths()
  const one = useGraph(CompareCustomerDocument, { account: a ?? '', from: from! }, { isOn: a !== undefined })
  const other = useGraph(
    CompareCustomerDocument,
    { account: b ?? '', from: from! },
    { isOn: b !== undefined },
  )
  return (
    <div className="stack">
      <header>
        <p className="crumbs">
          <Link to="/explore">{m.explore.title}</Link>
          <Icon name="next" />
          <span>{m.explore.compare}</span>
        </p>
        <h1>{m.explore.compareTitle}</h1>
      </header>
      <div className="compare-choose">
        <ChooseCustomer side="a" account={a} />
        <ChooseCustomer side="b" account={b} />
      </div>
      {a && b ? (
        <GraphView result={one} rows={6}>
          {first => (
            <GraphView result={other} rows={6}>
              {second =>
                first.customer && second.customer ? (
                  <CompareBoth a={first.customer} b={second.customer} query={one.query} />
                ) : (
                  <Empty title={m.explore.noCustomerFound} />
                )
              }
            </GraphView>
          )}
        </GraphView>
      ) : (
        <Empty title={m.explore.compareEmpty} />
      )}
    </div>
  )
}
