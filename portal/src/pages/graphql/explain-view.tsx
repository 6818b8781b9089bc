/** The plan of an execution and its timing, as `extensions.explain` says them. */
import { useTranslation } from '../../i18n/i18n.tsx'
import { Code } from '../../kit/code.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Table, tablesOf } from './table.ts'

interface ExplainViewProps {
  /** Account of the execution by the server; undefined where it gave none. */
  readonly explain: unknown
  readonly wasAsked: boolean
  /** Time in milliseconds from the request to the end of its answer. */
  readonly ms: number
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && !value.includes('\n'))

/** A fetch of the plan as the server tells of it (docs/portal.md, "Cost and explanation"). */
interface Fetch {
  readonly subgraph?: string
  readonly path?: readonly unknown[]
  readonly operation?: string
  readonly entities?: number
  readonly ms?: number
  readonly statements?: readonly unknown[]
}

/** Rows of which each may be opened: text of the operation, and its statements. */
function FetchView({ fetch }: { readonly fetch: Fetch }) {
  const { m } = useTranslation()
  const { subgraph, path = [], operation = '', entities, ms, statements = [] } = fetch
  const [table] = tablesOf({ statements })
  return (
    <details className="explain-fetch">
      <summary>
        <strong>{subgraph}</strong> <span className="muted">{path.join('.')}</span>{' '}
        <span className="number">
          {ms} ms · {m.graphql.statements(statements.length)}
          {entities !== undefined && ` · ${m.graphql.entities(entities)}`}
        </span>
      </summary>
      <Code label={m.graphql.operation} text={operation} />
      {statements.length > 0 && table && (
        <Grid label={m.graphql.statements(statements.length)} table={table} />
      )}
    </details>
  )
}

function Grid({ label, table }: { readonly label: string; readonly table: Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section would need a heading of its own.
    <div className="answer-table" role="region" aria-label={label} tabIndex={0} dir="ltr">
      <table>
        <thead>
          <tr>
            {table.columns.map(column => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={table.columns[at]} title={String(cell ?? '')}>
                  {String(cell ?? '–')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A value as it is best read. */
function Part({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (name === 'fetches' && Array.isArray(value))
    return (
      <div dir="ltr">
        {value.map((fetch: Fetch, index) => (
          <FetchView key={index} fetch={fetch} />
        ))}
      </div>
    )
  return <Code label={name} text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
}

export function ExplainView({ explain, wasAsked, ms }: ExplainViewProps) {
  const { m, f } = useTranslation()
  if (typeof explain !== 'object' || explain === null)
    return (
      <Empty title={wasAsked ? m.graphql.noPlan : m.graphql.askForPlan}>
        <p>{m.graphql.roundTrip(f.number(Math.round(ms)))}</p>
      </Empty>
    )
  const entries = Object.entries(explain)
  const facts = entries.filter(([, value]) => isPlain(value))
  const parts = entries.filter(([, value]) => !isPlain(value))
  return (
    <div className="explain">
      <dl className="explain-facts" dir="ltr">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{String(value)}</dd>
          </div>
        ))}
        <div>
          <dt>{m.graphql.inBrowser}</dt>
          <dd className="number">{Math.round(ms)} ms</dd>
        </div>
      </dl>
      {parts.map(([name, value]) => (
        <section key={name}>
          <h3 className="ltr">{name}</h3>
          <Part name={name} value={value} />
        </section>
      ))}
    </div>
  )
}
