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
import { openSignIn, signInOpen } from '../../shell/sign-in-open.ts'
import { AnswerPanel } from './answer-panel.tsx'
import {
  chooseDraft,
  closeDraft,
  type Draft,
  drafts,
  editDraft,
  nameOf,
  openDraft,
  openShared,
} from './drafts.ts'
import { operationNames, operationType, readVariables } from './run.ts'
import { isUnderWay, type Runs, useRuns } from './use-runs.ts'

// Editor and schema are more than all else here: the page stands before they are there.
const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))
const SchemaPanel = lazy(async () => ({ default: (await import('./schema-panel.tsx')).SchemaPanel }))

const narrow = matchMedia('(max-width: 900px)')

/** The type of a tab's operation, where it is no query, and the number of events that came meanwhile. */
function TabMarks({ draft, runs }: { readonly draft: Draft; readonly runs: Runs }) {
  const { m, f } = useTranslation()
  const type = operationType(draft.query)
  const state = runs.stateOf(draft.id)
  const isLive = state.name === 'following' && isUnderWay(state)
  return (
    <span className="ide-tab-marks" aria-hidden="true">
      {(type === 'mutation' || type === 'subscription') && (
        <small className="ide-tab-type">{m.graphql.types[type]}</small>
      )}
      {isLive && (
        <span className="ide-tab-live" title={m.graphql.received(state.received)}>
          {f.number(state.received)}
        </span>
      )}
    </span>
  )
}

function DraftTabs({ runs }: { readonly runs: Runs }) {
  const { m } = useTranslation()
  const { all, chosen } = useStore(drafts)
  return (
    <nav className="ide-tabs" aria-label={m.graphql.drafts}>
      <ul>
        {all.map((draft, index) => (
          <li key={draft.id} className="ide-tab" data-chosen={index === chosen}>
            <button
              type="button"
              className="ide-tab-name ltr"
              aria-current={index === chosen ? 'true' : undefined}
              onClick={() => chooseDraft(index)}
            >
              {nameOf(draft)}
              <TabMarks draft={draft} runs={runs} />
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
  const runs = useRuns(all.map(({ id }) => id))
  const state = runs.stateOf(draft.id)
  const [name, setName] = useState<string>()
  const [explains, setExplains] = useState(false)
  const [showsSchema, setShowsSchema] = useState(false)
  const answer = useRef<HTMLDivElement>(null)
  const { isCopied, copy } = useCopy()
  useEffect(() => openShared(hash), [hash])
  const names = operationNames(draft.query)
  const waitsForSignIn = useRef(false)
  const begin = () => {
    // While a sign-in is under way the request waits for it.
    if (sessionState !== 'signed-in' && sessionState !== 'signing-in') {
      waitsForSignIn.current = true
      return openSignIn()
    }
    try {
      const variables = readVariables(draft.variables)
      const operationName = names.includes(name ?? '') ? name : names[0]
      const operation = { query: draft.query, variables, ...(operationName && { operationName }) }
      runs.begin(draft.id, operation, explains)
    } catch (error) {
      runs.end(draft.id)
      runs.refuse(draft.id, m.graphql.badVariables((error as Error).message))
    }
    if (narrow.matches) answer.current?.scrollIntoView({ block: 'start' })
  }
  const asksForSignIn = useStore(signInOpen)
  useEffect(() => {
    if (sessionState === 'signing-in') return
    // Who pressed "Run" and then signed in wants the answer; what writes is left to a second press.
    if (
      sessionState === 'signed-in' &&
      waitsForSignIn.current &&
      operationType(draft.query, name) !== 'mutation'
    )
      begin()
    if (sessionState === 'signed-in' || !asksForSignIn) waitsForSignIn.current = false
  }, [sessionState, asksForSignIn])
  return (
    <div className="ide" data-schema={showsSchema}>
      <h1 className="visually-hidden">{m.nav.graphql}</h1>
      <div className="ide-head">
        <DraftTabs runs={runs} />
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
          {isUnderWay(state) ? (
            <Button icon="close" onClick={() => runs.end(draft.id)}>
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
