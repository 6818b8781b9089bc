/** The partners with their limits, and what is left of their quotas. */
import { Link } from '@tanstack/react-router'
import { useGraph } from '../../graph/use-graph.ts'
import { usePages } from '../../graph/use-pages.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty, GraphView } from '../../kit/states.tsx'
import { type Column, More, Table } from '../../kit/table.tsx'
import { oneOf } from '../../search-params.ts'
import { type ClientLimits, QuotaLeft } from '../../support/limits.tsx'
import { CurlButton, useAddress } from '../../support/parts.tsx'
import { LimitsDocument, PartnersDocument } from '../../support/support.generated.ts'

/** The partner that the views are narrowed to. */
export function PartnerChoice() {
  const { m } = useTranslation()
  const [search, change] = useAddress()
  const { data } = useGraph(PartnersDocument, {})
  const chosen = oneOf(search['partner']) ?? ''
  const partners = data?.partners?.nodes ?? []
  const isListed = chosen === '' || partners.some(({ id }) => id === chosen)
  return (
    <span className="row">
      <label className="field-inline">
        <span>{m.support.client}</span>
        <select className="input" value={chosen} onChange={event => change({ partner: event.target.value })}>
          <option value="">{m.desk.allPartners}</option>
          {!isListed && <option value={chosen}>{chosen}</option>}
          {partners.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {chosen && <Link to={`/desk/partners/${encodeURIComponent(chosen)}`}>{m.desk.whatItSees}</Link>}
    </span>
  )
}

export function ClientsPanel() {
  const { m, f } = useTranslation()
  const pages = usePages(PartnersDocument, {}, ({ partners }) => partners)
  const ids = pages.nodes.map(({ id }) => id).slice(-200)
  const limits = useGraph(LimitsDocument, { clients: ids }, { isOn: ids.length > 0, keepPrevious: true })
  const byId = new Map(limits.data?.clientLimits?.map(one => [one.client.id, one]))
  type Row = (typeof pages.nodes)[number]
  const amount = (value: number | null | undefined) =>
    value === undefined ? '…' : value === null ? m.support.unlimited : f.number(value)
  const quota = (row: Row, name: ClientLimits['quotas'][number]['name']) => {
    const one = byId.get(row.id)?.quotas.find(each => each.name === name)
    return one && <QuotaLeft quota={one} />
  }
  const columns: Column<Row>[] = [
    {
      key: 'name',
      label: m.support.client,
      isWide: true,
      cell: ({ id, name, active }) => (
        <>
          <Link to={`/desk/partners/${encodeURIComponent(id)}/limits`}>
            <bdi>{name}</bdi>
          </Link>{' '}
          {!active && <Badge tone="bad">{m.desk.disabled}</Badge>}
          <code className="ltr block small muted">{id}</code>
        </>
      ),
    },
    {
      key: 'currencies',
      label: m.support.currencies,
      cell: ({ id }) => byId.get(id)?.currencies.join(', '),
    },
    {
      key: 'max',
      label: m.support.maxAmount,
      isNumber: true,
      cell: ({ id }) => amount(byId.get(id)?.maxAmount),
    },
    {
      key: 'month',
      label: m.support.monthlyAmount,
      isNumber: true,
      cell: ({ id }) => amount(byId.get(id)?.monthlyAmount),
    },
    {
      key: 'requests',
      label: m.support.quotas.REQUESTS_IN_FLIGHT,
      cell: row => quota(row, 'REQUESTS_IN_FLIGHT'),
    },
    { key: 'cost', label: m.support.quotas.COST_PER_MINUTE, cell: row => quota(row, 'COST_PER_MINUTE') },
    { key: 'streams', label: m.support.quotas.OPEN_STREAMS, cell: row => quota(row, 'OPEN_STREAMS') },
  ]
  return (
    <Panel
      title={m.desk.clients}
      query={limits.query}
      aside={<CurlButton query={limits.query} />}
      csv={() => [
        ['id', 'name', 'active', 'currencies', 'maxAmount', 'monthlyAmount', 'maxPoints', 'monthlyPoints'],
        ...(limits.data?.clientLimits ?? []).map(one => [
          one.client.id,
          one.client.name,
          one.client.active,
          one.currencies.join(' '),
          one.maxAmount,
          one.monthlyAmount,
          one.maxPoints,
          one.monthlyPoints,
        ]),
      ]}
    >
      <GraphView result={pages.first} rows={6}>
        {() =>
          pages.nodes.length === 0 ? (
            <Empty title={m.desk.noClients} />
          ) : (
            <>
              <Table label={m.desk.clients} rows={pages.nodes} columns={columns} keyOf={({ id }) => id} />
              <More pages={pages} />
              <p className="panel-note muted small">{m.support.quotasText}</p>
            </>
          )
        }
      </GraphView>
    </Panel>
  )
}
