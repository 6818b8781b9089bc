/** Newest events of a subscription, and the state of its connection, for components. */
import { useEffect, useState } from 'react'
import { createRequest } from 'urql'
import { graph } from './client.ts'
import type { GraphDocument } from './document.ts'
import { faultsOf, type GraphFault } from './errors.ts'
import { eventIn, type GraphEvent } from './resume.ts'

/** The event that the data of a subscription holds. */
type EventOf<Data> = Extract<Data[keyof Data], GraphEvent>

export type FollowState =
  | { readonly name: 'connecting' | 'live' }
  | { readonly name: 'resumed'; readonly at: number; readonly caughtUp: number }
  | { readonly name: 'ended'; readonly faults: readonly GraphFault[] }

export interface Following<Event> {
  /** The newest first. */
  readonly events: readonly Event[]
  readonly state: FollowState
}

/** Last key of a request. Negative keys are never urql's own, so no component joins another's stream and misses its beginning. */
let lastKey = 0

/**
 * Follows a subscription while the component is shown.
 * @param variables with `after`, the cursor after which it begins. A change of variables begins it anew.
 * @param isOn whether to follow at all.
 * @param keep number of newest events that are kept.
 */
export function useFollow<Data, Variables extends { after?: string | null }>(
  document: GraphDocument<Data, Variables>,
  variables: NoInfer<Variables>,
  { isOn = true, keep = 50 }: { isOn?: boolean; keep?: number } = {},
): Following<EventOf<Data>> {
  const [events, setEvents] = useState<readonly EventOf<Data>[]>([])
  const [state, setState] = useState<FollowState>({ name: 'connecting' })
  const text = JSON.stringify(variables)
  useEffect(() => {
    setEvents([])
    setState({ name: 'connecting' })
    if (!isOn) return
    let wasLost = false
    const watcher = {
      connected: () =>
        setState(wasLost ? { name: 'resumed', at: Date.now(), caughtUp: 0 } : { name: 'live' }),
      lost() {
        wasLost = true
        setState({ name: 'connecting' })
      },
      completed: () => setState({ name: 'ended', faults: [] }),
    }
    const request = { ...createRequest<Data, object>(document, JSON.parse(text)), key: --lastKey }
    const { unsubscribe } = graph.executeSubscription(request, { watcher }).subscribe(({ data, error }) => {
      const event = eventIn<EventOf<Data>>(data)
      if (!event) {
        if (error) setState({ name: 'ended', faults: faultsOf(error) })
        return
      }
      setEvents(before => [event, ...before].slice(0, keep))
      // An event from before the new connection was missed meanwhile, and is caught up now.
      setState(now =>
        now.name === 'resumed' && Date.parse(event.eventTime) < now.at
          ? { ...now, caughtUp: now.caughtUp + 1 }
          : now,
      )
    })
    return unsubscribe
  }, [document, text, isOn, keep])
  return { events, state }
}
