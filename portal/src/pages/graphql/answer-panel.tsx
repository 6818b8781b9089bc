/** The answer of a run: as JSON, as a table, as a list of events, and with the plan and timing of its execution. */
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/code.tsx'
import { saveCsv, useCopy } from '../../kit/copy.ts'
import { Empty, Loading, SignedOut, State } from '../../kit/states.tsx'
import { useStore } from '../../kit/store.ts'
import { session } from '../../session/session.ts'
import { ExplainView } from './explain-view.tsx'
import type { Received, RunState } from './run.ts'
import { eventTable, type Table, tablesOf } from './table.ts'

type View = 'json' | 'table' | 'events' | 'plan'

/** The answer without what has a view of its own. */
const shownOf = (state: RunState): unknown => {
  if (state.name === 'following') return state.events.map(({ result }) => result)
  if (state.name !== 'answered') return undefined
  const { extensions = {}, ...rest } = state.result
  const { explain: _, ...others } = extensions
  return { ...rest, ...(Object.keys(others).length > 0 && { extensions: others }) }
}

const tablesIn = (state: RunState): Table[] => {
  if (state.name === 'answered') return tablesOf(state.result.data)
  if (state.name !== 'following' || state.events.length === 0) return []
  return [eventTable(state.events.map(({ result }) => result.data))]
}

/** Length of a text from which on colours would cost more than they help. */
const LONG = 300_000

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g

/** JSON in colours: names, texts, and all other values. */
function colourJson(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: token, 1: string, 2: colon, index } of text.matchAll(TOKEN)) {
    parts.push(text.slice(end, index))
    end = index + (string ?? token).length
    const kind = string === undefined ? 'number' : colon ? 'property' : 'string'
    parts.push(
      <span key={index} className={`json-${kind}`}>
        {string ?? token}
      </span>,
    )
  }
  return [...parts, text.slice(end)]
}

function JsonView({ text }: { readonly text: string }) {
  const { m } = useTranslation()
  const coloured = useMemo(() => (text.length > LONG ? text : colourJson(text)), [text])
  return <Code label={m.graphql.views.json} text={coloured} />
}

function TableView({ tables, name }: { readonly tables: readonly Table[]; readonly name: string }) {
  const { m } = useTranslation()
  const [path, setPath] = useState('')
  const table = tables.find(one => one.path === path) ?? tables[0]
  if (!table) return <Empty title={m.graphql.noTable} />
  return (
    <>
      <div className="row answer-tools">
        {tables.length > 1 ? (
          <select
            className="input ide-operation ltr"
            aria-label={m.graphql.list}
            value={table.path}
            onChange={event => setPath(event.target.value)}
          >
            {tables.map(one => (
              <option key={one.path} value={one.path}>
                {one.path} ({one.rows.length})
              </option>
            ))}
          </select>
        ) : (
          <span className="muted ltr">{table.path}</span>
        )}
        <Button icon="download" onClick={() => saveCsv(name, [table.columns, ...table.rows])}>
          {m.actions.exportCsv}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section would need a heading of its own. */}
      <div className="answer-table" role="region" aria-label={m.graphql.views.table} tabIndex={0} dir="ltr">
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
                  <td
                    key={table.columns[at]}
                    className={typeof cell === 'number' ? 'number answer-number' : ''}
                  >
                    {cell === null || cell === undefined ? <span className="muted">–</span> : String(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The field of an event that says in words what happened, if it was asked for. */
const wordsOf = ({ data }: Received['result']): string => {
  const event = Object.values(data ?? {})[0] as Readonly<Record<string, unknown>> | null | undefined
  const words = ['eventType', 'kind', 'description'].map(name => event?.[name]).filter(Boolean)
  return words.join(' · ')
}

function EventsView({ events }: { readonly events: readonly Received[] }) {
  const { m, f } = useTranslation()
  if (events.length === 0) return <Empty title={m.graphql.noEvents} />
  return (
    <ol className="answer-events">
      {events.map(({ at, result }, index) => (
        <li key={events.length - index}>
          <details>
            <summary>
              <span className="number muted">{f.seconds(new Date(at).toISOString())}</span>{' '}
              <span className="ltr">{wordsOf(result)}</span>
              {result.errors && <Badge tone="bad">{m.graphql.errors(result.errors.length)}</Badge>}
            </summary>
            <Code label={m.graphql.views.json} text={JSON.stringify(result, null, 2)} />
          </details>
        </li>
      ))}
    </ol>
  )
}

function Summary({ state }: { readonly state: RunState }) {
  const { m, f } = useTranslation()
  if (state.name === 'answered') {
    const { status, ms, bytes, result } = state
    return (
      <>
        <Badge tone={result.errors ? 'bad' : 'good'}>
          {result.errors ? m.graphql.errors(result.errors.length) : String(status)}
        </Badge>
        <span className="number">{m.graphql.took(f.number(Math.round(ms)), f.number(bytes))}</span>
      </>
    )
  }
  if (state.name !== 'following') return null
  const { phase, received } = state
  return (
    <>
      <Badge tone={phase === 'live' ? 'good' : 'calm'}>{m.live[phase]}</Badge>
      <span className="number">{m.graphql.received(received)}</span>
    </>
  )
}

interface AnswerPanelProps {
  readonly state: RunState
  /** Whether the next run asks for its plan. */
  readonly explains: boolean
  /** Name of the operation, for files. */
  readonly name: string
}

export function AnswerPanel({ state, explains, name }: AnswerPanelProps) {
  const { m } = useTranslation()
  const isSignedIn = useStore(session).name === 'signed-in'
  const [wanted, setWanted] = useState<{ answer: View; events: View }>({ answer: 'json', events: 'events' })
  const { isCopied, copy } = useCopy()
  const isFollowing = state.name === 'following'
  const views: readonly View[] = isFollowing ? ['events', 'table', 'json'] : ['json', 'table', 'plan']
  const form = isFollowing ? 'events' : 'answer'
  const view = wanted[form]
  const text = JSON.stringify(shownOf(state), null, 2)
  const body = () => {
    if (!isSignedIn) return <SignedOut />
    if (state.name === 'none') return <Empty title={m.graphql.notRun} />
    if (state.name === 'running') return <Loading rows={6} />
    if (state.name === 'failed') return <State icon="alert" tone="bad" title={state.reason} />
    if (view === 'table') return <TableView tables={tablesIn(state)} name={name} />
    if (view === 'events' && isFollowing) return <EventsView events={state.events} />
    if (view === 'plan' && state.name === 'answered')
      return <ExplainView explain={state.result.extensions?.['explain']} wasAsked={explains} ms={state.ms} />
    return <JsonView text={text ?? ''} />
  }
  return (
    <section className="answer" aria-label={m.graphql.answer}>
      <div className="row answer-head">
        <fieldset className="answer-views">
          <legend className="visually-hidden">{m.graphql.answer}</legend>
          {views.map(one => (
            <button
              key={one}
              type="button"
              aria-pressed={one === view}
              onClick={() => setWanted({ ...wanted, [form]: one })}
            >
              {m.graphql.views[one]}
            </button>
          ))}
        </fieldset>
        <div className="row answer-summary" role="status">
          <Summary state={state} />
        </div>
        {text && (
          <Button look="quiet" icon={isCopied ? 'check' : 'copy'} onClick={() => copy(text)}>
            {isCopied ? m.actions.copied : m.actions.copy}
          </Button>
        )}
      </div>
      {isFollowing && state.reason && (
        <p className="notice notice-bad" role="status">
          <span>
            {state.reason}
            {state.gap && <> {m.graphql.gap}</>}
          </span>
        </p>
      )}
      <div className="answer-body">{body()}</div>
    </section>
  )
}
