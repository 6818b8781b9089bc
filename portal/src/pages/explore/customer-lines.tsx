/** Lines of a customer. Each that is a subscriber's links to its own page. */
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Panel } from '../../kit/panel.tsx'
import { type CustomerFactsFragment, CustomerOverviewDocument } from './customer.generated.ts'
import { numberPath } from './find.ts'

type Line = CustomerFactsFragment['lines'][number]

function LineItem({ line, chosen }: { readonly line: Line; readonly chosen: string | undefined }) {
  const { m, f } = useTranslation()
  const { type, number, active, subscriber } = line
  const text = (
    <>
      <span className="line-number ltr number">{number}</span>
      <span className="muted">
        {subscriber ? m.explore.lineKinds[subscriber.kind] : m.explore.lineTypes[type]}
      </span>
      {!active && <Badge tone="bad">{m.explore.inactive}</Badge>}
      <span className="line-balances">
        {subscriber?.prepaidBalance && (
          <span className="number ltr">{f.money(subscriber.prepaidBalance)}</span>
        )}
        {subscriber && subscriber.pointsBalance !== null && (
          <span className="number">{m.explore.points(subscriber.pointsBalance)}</span>
        )}
      </span>
    </>
  )
  return (
    <li>
      {subscriber ? (
        <Link to={numberPath(number)} className="line" data-chosen={number === chosen}>
          {text}
        </Link>
      ) : (
        <span className="line">{text}</span>
      )}
    </li>
  )
}

interface LinesProps {
  readonly lines: readonly Line[]
  readonly chosen: string | undefined
  readonly account: string
}

export function LinesPanel({ lines, chosen, account }: LinesProps) {
  const { m } = useTranslation()
  const csv = () => [
    ['type', 'number', 'active', 'kind', 'prepaidBalance', 'currency', 'pointsBalance'],
    ...lines.map(({ type, number, active, subscriber }) => [
      type,
      number,
      active,
      subscriber?.kind,
      subscriber?.prepaidBalance?.value,
      subscriber?.prepaidBalance?.currency,
      subscriber?.pointsBalance,
    ]),
  ]
  return (
    <Panel
      title={m.explore.lines}
      query={{ document: CustomerOverviewDocument, variables: { account } }}
      csv={csv}
      className="lines-panel"
    >
      <ul className="lines">
        {lines.map(line => (
          <LineItem key={line.number} line={line} chosen={chosen} />
        ))}
      </ul>
    </Panel>
  )
}
