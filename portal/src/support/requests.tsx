/** The request log: each request of a client as the server answered it, refused ones too. */
import { Link } from '@tanstack/react-router'
import { type FormEvent, useMemo } from 'react'
import { usePages } from '../graph/use-pages.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { PathText } from '../kit/code.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView } from '../kit/states.tsx'
import { type Column, More, Table } from '../kit/table.tsx'
import { oneOf, type SearchParams } from '../search-params.ts'
import { ClientName, CurlButton, HttpStatus, Instant, useAddress } from './parts.tsx'
import type { OfClientProps } from './refusals.tsx'
import { startOfSpan } from './span.ts'
import { RequestLogDocument, type RequestLogQuery } from './support.generated.ts'

type Row = NonNullable<RequestLogQuery['requests']>['nodes'][number]

/** Fields of the log by which it is narrowed, as they stand in the address. */
const FIELDS = ['status', 'reason', 'operation', 'correlator'] as const

/** Reads the filter of an address; a status that is none is passed over. */
export const readRequestFilter = (search: SearchParams) => {
  const status = Number(oneOf(search['status']))
  const texts = (['reason', 'operation', 'correlator'] as const).flatMap(name => {
    const text = oneOf(search[name])
    return text ? [[name, text] as const] : []
  })
  return {
    ...Object.fromEntries(texts),
    ...(Number.isInteger(status) && status >= 100 && status <= 999 && { status }),
  }
}

function Filters() {
  const { m } = useTranslation()
  const [search, change] = useAddress()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()])
    change(Object.fromEntries(typed))
  }
  const isNarrowed = FIELDS.some(name => search[name])
  return (
    <form className="support-filters" onSubmit={submit} aria-label={m.explore.filters}>
      {FIELDS.map(name => (
        <label key={name} className="field">
          <span>{m.support[name]}</span>
          <input
            key={oneOf(search[name]) ?? ''}
            className="input ltr"
            name={name}
            defaultValue={oneOf(search[name])}
            maxLength={256}
            inputMode={name === 'status' ? 'numeric' : undefined}
            spellCheck={false}
            autoComplete="off"
          />
        </label>
      ))}
      <div className="row">
        <Button type="submit">{m.support.apply}</Button>
        {isNarrowed && (
          <Button
            look="quiet"
            icon="close"
            onClick={() => change(Object.fromEntries(FIELDS.map(name => [name, undefined])))}
          >
            {m.explore.clearFilters}
          </Button>
        )}
      </div>
    </form>
  )
}

export function RequestsPanel({ client, namesClients, span }: OfClientProps) {
  const { m, f } = useTranslation()
  const [search] = useAddress()
  const from = useMemo(() => startOfSpan(span), [span])
  const filter = { ...readRequestFilter(search), from, ...(client && { client }) }
  const pages = usePages(RequestLogDocument, { filter }, ({ requests }) => requests)
  const columns: Column<Row>[] = [
    { key: 'at', label: m.support.at, cell: ({ at }) => <Instant at={at} /> },
    ...(namesClients
      ? [{ key: 'client', label: m.support.client, cell: (row: Row) => <ClientName client={row.client} /> }]
      : []),
    {
      key: 'operation',
      label: m.support.operation,
      isWide: true,
      cell: ({ operation, via, weight }) => (
        <>
          <code className="ltr break">{operation ?? '–'}</code>{' '}
          <span className="muted small">{m.support.ways[via]}</span>
          {weight > 1 && <span className="muted small number"> × {f.number(weight)}</span>}
        </>
      ),
    },
    {
      key: 'status',
      label: m.support.status,
      cell: ({ status, code }) => <HttpStatus status={status} isRefused={code !== null} />,
    },
    {
      key: 'reason',
      label: m.support.reason,
      cell: ({ reason, code, field }) =>
        code && (
          <>
            <code className="ltr break">{reason ?? code}</code>
            {field && <PathText path={field} className="muted small block" />}
          </>
        ),
    },
    {
      key: 'took',
      label: m.support.took,
      isNumber: true,
      cell: ({ durationMs }) => f.duration(Math.round(durationMs)),
    },
    {
      key: 'journey',
      label: m.support.leadsTo,
      cell: ({ transaction, correlator }) =>
        transaction ? (
          <Link to={`/explore/transactions/${transaction.id}`}>{m.support.journey}</Link>
        ) : (
          <code className="ltr break muted small" title={m.support.correlator}>
            {correlator}
          </code>
        ),
    },
  ]
  return (
    <>
      <Filters />
      <Panel
        title={m.support.requests}
        query={pages.first.query}
        aside={<CurlButton query={pages.first.query} />}
        csv={async () => [
          [
            'at',
            'client',
            'via',
            'operation',
            'status',
            'code',
            'reason',
            'field',
            'durationMs',
            'correlator',
            'weight',
            'transaction',
          ],
          ...(await pages.all()).map(one => [
            one.at,
            one.client?.id,
            one.via,
            one.operation,
            one.status,
            one.code,
            one.reason,
            one.field,
            one.durationMs,
            one.correlator,
            one.weight,
            one.transaction?.id,
          ]),
        ]}
      >
        <GraphView result={pages.first} rows={8}>
          {() =>
            pages.nodes.length === 0 ? (
              <Empty title={m.support.noRequests} />
            ) : (
              <>
                <Table
                  label={m.support.requests}
                  rows={pages.nodes}
                  columns={columns}
                  keyOf={({ id }) => id}
                />
                <More pages={pages} />
              </>
            )
          }
        </GraphView>
      </Panel>
    </>
  )
}
