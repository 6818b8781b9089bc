/** One query for a component: its data, its faults, and the query itself for `kit/panel.tsx` to show. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { createRequest } from 'urql'
import { useStore } from '../kit/store.ts'
import { session } from '../session/session.ts'
import { graph } from './client.ts'
import type { GraphDocument } from './document.ts'
import { faultsOf, type GraphFault } from './errors.ts'

/** A query as it was sent. */
export interface SentQuery {
  readonly document: string
  readonly variables: object
}

export interface GraphResult<Data> {
  /** Data of the answer; part of it may be missing, with a fault that has its path. */
  readonly data: Data | undefined
  readonly faults: readonly GraphFault[]
  readonly isLoading: boolean
  readonly isSignedIn: boolean
  readonly query: SentQuery
  /** Asks again. */
  reload(): void
}

interface Answer<Data> {
  readonly key: string
  readonly data: Data | undefined
  readonly faults: readonly GraphFault[]
}

/** Sends a query or mutation. */
export async function sendToGraph<Data, Variables extends object>(
  document: GraphDocument<Data, Variables>,
  variables: NoInfer<Variables>,
): Promise<{ data: Data | undefined; faults: readonly GraphFault[] }> {
  const request = createRequest<Data, object>(document, variables)
  const isMutation = /^\s*mutation\b/m.test(document)
  const results = isMutation ? graph.executeMutation<Data>(request) : graph.executeQuery<Data>(request)
  const { data, error } = await results.toPromise()
  return { data: data ?? undefined, faults: faultsOf(error) }
}

/**
 * Asks the graph, and again when the variables, the person, or `reload` say so. The last answer stays while the next one is
 * on its way if `keepPrevious`.
 * @param isOn whether to ask at all.
 */
export function useGraph<Data, Variables extends object>(
  document: GraphDocument<Data, Variables>,
  variables: NoInfer<Variables>,
  { isOn = true, keepPrevious = false }: { isOn?: boolean; keepPrevious?: boolean } = {},
): GraphResult<Data> {
  const state = useStore(session)
  const isSignedIn = state.name === 'signed-in'
  const [answer, setAnswer] = useState<Answer<Data>>()
  const [round, setRound] = useState(0)
  const text = JSON.stringify(variables)
  const who = isSignedIn ? state.who : ''
  const key = `${who} ${text}`
  const asks = isOn && isSignedIn
  const variablesNow = useRef(variables)
  variablesNow.current = variables
  useEffect(() => {
    if (!asks) return
    let isCurrent = true
    sendToGraph(document, variablesNow.current).then(({ data, faults }) => {
      if (isCurrent) setAnswer({ key, data, faults })
    })
    return () => {
      isCurrent = false
    }
  }, [document, key, asks, round])
  const reload = useCallback(() => setRound(before => before + 1), [])
  const isCurrent = answer?.key === key
  const shown = isCurrent || keepPrevious ? answer : undefined
  return {
    data: asks ? shown?.data : undefined,
    faults: (asks && isCurrent && answer?.faults) || [],
    isLoading: asks && !isCurrent,
    isSignedIn,
    query: { document, variables },
    reload,
  }
}
