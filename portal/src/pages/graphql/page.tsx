/** The page for those who write operations: editors, the answer in several forms, and the schema. */
import './graphql.css'
import { useLocation } from '@tanstack/react-router'
import type { GraphQLSchema } from 'graphql'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { shareHash } from '../../graph/document.ts'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { useCopy } from '../../kit/copy.ts'
import { Icon } from '../../kit/icon.tsx'
import { Loading } from '../../kit/states.tsx'
import { useStore } from '../../kit/store.ts'
import { session } from '../../session/session.ts'
import { openSignIn } from '../../shell/sign-in-open.ts'
import { AnswerPanel } from './answer-panel.tsx'
import { chooseDraft, closeDraft, drafts, editDraft, nameOf, openDraft, openShared } from './drafts.ts'
import { operationNames, type RunState, readVariables, run } from './run.ts'

// Editor and schema are more than all else here: the page stands before they are there.
const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))
const SchemaPanel = lazy(async () => ({ default: (await import('./schema-panel.tsx')).SchemaPanel }))

const narrow = matchMedia('(max-width: 900px)')

function DraftTabs() {
  const { m } = useTranslation()
  const { all, chosen } = useStore(drafts)
  return (
    <nav className="ide-tabs" aria-label={m.graphql.drafts}>
      <ul>
        {all.map((draft, index) => (
          <li key={index} className="ide-tab" data-chosen={index === chosen}>
            <button
              type="button"
              className="ide-tab-name ltr"
              aria-current={index === chosen ? 'true' : undefined}
              onClick={() => chooseDraft(index)}
            >
              {nameOf(draft)}
            </button>
            {index === chosen && (
              <button
                type="button"
                className="ide-tab-close"
                aria-label={`${m.actions.close}: ${nameOf(draft)}`}
                onClick={() => closeDraft(index)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
        <li>
          <button type="button" className="ide-tab-name" onClick={() => openDraft()}>
            + {m.graphql.newDraft}
          </button>
        </li>
      </ul>
    </nav>
  )
}

/** The schema as clients of this server see it; undefined until it is there. */
function useSchema(): { readonly schema?: GraphQLSchema; readonly fault?: string } {
  const [found, setFound] = useState<{ readonly schema?: GraphQLSchema; readonly fault?: string }>({})
  useEffect(() => {
    import('./schema-panel.tsx')
      .then(({ loadSchema }) => loadSchema())
      .then(
        schema => setFound({ schema }),
        (error: Error) => setFound({ fault: error.message }),
      )
  }, [])
  return found
}

export default function GraphqlPage() {
  const { m } = useTranslation()
  const { hash } = useLocation()
  const { all, chosen } = useStore(drafts)
  const { name: sessionState } = useStore(session)
  const draft = all[chosen]!
  const { schema, fault } = useSchema()
  const [state, setState] = useState<RunState>({ name: 'none' })
  const [name, setName] = useState<string>()
  const [explains, setExplains] = useState(false)
  const [showsSchema, setShowsSchema] = useState(false)
  const stop = useRef<() => void>(undefined)
  const answer = useRef<HTMLDivElement>(null)
  const { isCopied, copy } = useCopy()
  useEffect(() => openShared(hash), [hash])
  useEffect(() => () => stop.current?.(), [])
  const names = operationNames(draft.query)
  const isRunning = state.name === 'running' || (state.name === 'following' && state.phase !== 'ended')
  const end = () => {
    stop.current?.()
    stop.current = undefined
  }
  const begin = () => {
    // While a sign-in is under way the request waits for it.
    if (sessionState !== 'signed-in' && sessionState !== 'signing-in') return openSignIn()
    end()
    try {
      const variables = readVariables(draft.variables)
      const operationName = names.includes(name ?? '') ? name : names[0]
      const operation = { query: draft.query, variables, ...(operationName && { operationName }) }
      stop.current = run(operation, explains, setState)
    } catch (error) {
      setState({ name: 'failed', reason: m.graphql.badVariables((error as Error).message) })
    }
    if (narrow.matches) answer.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <div className="ide" data-schema={showsSchema}>
      <h1 className="visually-hidden">{m.nav.graphql}</h1>
      <div className="ide-head">
        <DraftTabs />
        <div className="row ide-actions">
          {names.length > 1 && (
            <select
              className="input ide-operation ltr"
              aria-label={m.graphql.operation}
              value={names.includes(name ?? '') ? name : names[0]}
              onChange={event => setName(event.target.value)}
            >
              {names.map(one => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
          <label className="ide-explain">
            <input type="checkbox" checked={explains} onChange={event => setExplains(event.target.checked)} />
            {m.graphql.explain}
          </label>
          <IconButton
            icon={isCopied ? 'check' : 'link'}
            label={isCopied ? m.actions.copied : m.graphql.share}
            onClick={() => copy(`${location.origin}/graphql#${shareHash(draft)}`)}
          />
          <Button icon="code" aria-pressed={showsSchema} onClick={() => setShowsSchema(!showsSchema)}>
            {m.graphql.schema}
          </Button>
          {isRunning ? (
            <Button icon="close" onClick={end}>
              {m.graphql.stop}
            </Button>
          ) : (
            <Button look="main" icon="next" onClick={begin} title={m.graphql.runHint}>
              {m.graphql.run}
            </Button>
          )}
        </div>
      </div>
      <section className="ide-pane ide-query" aria-label={m.graphql.operation}>
        <Suspense fallback={<Loading rows={8} />}>
          <Editor
            key={`query ${chosen} ${all.length}`}
            label={m.graphql.operation}
            text={draft.query}
            language="graphql"
            schema={schema}
            onChange={query => editDraft({ query })}
            onRun={begin}
          />
        </Suspense>
      </section>
      <section className="ide-pane ide-variables" aria-labelledby="ide-variables">
        <h2 id="ide-variables" className="ide-label">
          {m.actions.variables}
          {draft.variables.includes('{new}') && <small>{m.graphql.fresh}</small>}
        </h2>
        <Suspense fallback={<Loading />}>
          <Editor
            key={`variables ${chosen} ${all.length}`}
            label={m.actions.variables}
            text={draft.variables}
            language="json"
            onChange={variables => editDraft({ variables })}
            onRun={begin}
          />
        </Suspense>
      </section>
      <div className="ide-pane ide-answer" ref={answer}>
        <AnswerPanel state={state} explains={explains} name={nameOf(draft)} />
      </div>
      {showsSchema && (
        <aside className="ide-pane ide-schema" aria-label={m.graphql.schema}>
          <Suspense fallback={<Loading rows={8} />}>
            <SchemaPanel schema={schema} fault={fault} />
          </Suspense>
        </aside>
      )}
    </div>
  )
}
