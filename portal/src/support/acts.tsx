/** The log of acts: who did what to whom. */
import { usePages } from '../graph/use-pages.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty, GraphView } from '../kit/states.tsx'
import { More, Table } from '../kit/table.tsx'
import { oneOf } from '../search-params.ts'
import { CurlButton, Instant, useAddress } from './parts.tsx'
import { ActsDocument, type AuditAction } from './support.generated.ts'

interface ActsProps {
  readonly title: string
  /** Client, transaction or delivery; without it those of all. */
  readonly target?: string
}

/** Facts of an act as a person reads them. */
const factsOf = (details: string): string =>
  Object.entries(JSON.parse(details) as Record<string, unknown>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' · ')

export function ActsPanel({ title, target }: ActsProps) {
  const { m } = useTranslation()
  const [search, change] = useAddress()
  const actions = Object.keys(m.support.acts) as AuditAction[]
  const action = target ? undefined : actions.find(one => one === oneOf(search['action']))
  const filter = { ...(action && { action }), ...(target && { target }) }
  const pages = usePages(ActsDocument, { filter }, ({ auditLog }) => auditLog)
  return (
    <>
      {!target && (
        <label className="field-inline">
          <span>{m.support.act}</span>
          <select
            className="input"
            value={action ?? ''}
            onChange={event => change({ action: event.target.value })}
          >
            <option value="">{m.support.all}</option>
            {actions.map(one => (
              <option key={one} value={one}>
                {m.support.acts[one]}
              </option>
            ))}
          </select>
        </label>
      )}
      <Panel
        title={title}
        query={pages.first.query}
        aside={<CurlButton query={pages.first.query} />}
        csv={async () => [
          ['at', 'actor', 'user', 'action', 'target', 'details', 'correlator'],
          ...(await pages.all()).map(one => [
            one.at,
            one.actor,
            one.user,
            one.action,
            one.target,
            one.details,
            one.correlator,
          ]),
        ]}
      >
        <GraphView result={pages.first} rows={6}>
          {() =>
            pages.nodes.length === 0 ? (
              <Empty title={m.support.noActs} />
            ) : (
              <>
                <Table
                  label={title}
                  rows={pages.nodes}
                  keyOf={({ at, correlator }, index) => `${at} ${correlator} ${index}`}
                  columns={[
                    { key: 'at', label: m.support.at, cell: ({ at }) => <Instant at={at} /> },
                    {
                      key: 'who',
                      label: m.support.who,
                      cell: ({ actor, user }) => (
                        <>
                          <bdi className="ltr">{actor}</bdi>
                          {user && <bdi className="block small muted">{user}</bdi>}
                        </>
                      ),
                    },
                    {
                      key: 'act',
                      label: m.support.act,
                      cell: row => m.support.acts[row.action] ?? row.action,
                    },
                    {
                      key: 'target',
                      label: m.support.target,
                      isWide: true,
                      cell: ({ target: to, details }) => (
                        <>
                          {to && <code className="ltr break">{to}</code>}
                          <span className="ltr block small muted break">{factsOf(details)}</span>
                        </>
                      ),
                    },
                  ]}
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
