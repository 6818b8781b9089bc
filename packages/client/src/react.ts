/** Hooks for React: events as they happen, in a component. */
import { useEffect, useRef, useState } from 'react'
import type { Client } from './client.ts'
import type { FollowedEvent } from './follow/event.ts'
import { type FollowOptions, type FollowState, follow } from './follow/follow.ts'

/** State of a hook; `failed` is final, and has the reason. */
export type FollowingState = FollowState | { readonly name: 'failed'; readonly error: Error }

export interface FollowHookOptions<Event extends FollowedEvent>
  extends Omit<FollowOptions, 'signal' | 'onState'> {
  /** Called for each event before it is acknowledged. Where it rejects, following fails, and the event comes again. */
  readonly onEvent?: (event: Event) => unknown
  /** Most events that are kept for showing, the newest; 100 unless set. */
  readonly keep?: number
  /** False follows nothing, as before somebody has signed in. */
  readonly enabled?: boolean
}

export interface FollowHook<Event extends FollowedEvent> {
  /** The newest first. */
  readonly events: readonly Event[]
  readonly state: FollowingState
}

const KEEP = 100

/**
 * Follows events while the component is shown. Each is acknowledged once `onEvent` has resolved. Another client, way, name,
 * filter or selection begins anew; `onEvent` and `store` may be other ones with each rendering.
 */
export function useFollow<Event extends FollowedEvent = FollowedEvent>(
  client: Client,
  options: FollowHookOptions<Event> = {},
): FollowHook<Event> {
  const { onEvent, keep = KEEP, enabled = true, ...followed } = options
  const latest = useRef({ onEvent, followed })
  latest.current = { onEvent, followed }
  const [events, setEvents] = useState<readonly Event[]>([])
  const [state, setState] = useState<FollowingState>({ name: 'connecting' })
  const { way, name, filter, selection, from } = followed
  const identity = JSON.stringify([way, name, filter, selection, from])

  // `identity` stands for what is followed, since a filter is another object with each rendering.
  useEffect(() => {
    if (!enabled) return
    const stop = new AbortController()
    const { signal } = stop
    const show = (next: FollowingState) => signal.aborted || setState(next)
    const run = async () => {
      const source = follow<Event>(client, { ...latest.current.followed, signal, onState: show })
      for await (const { event, ack } of source) {
        await latest.current.onEvent?.(event)
        await ack()
        if (!signal.aborted) setEvents(before => [event, ...before].slice(0, keep))
      }
    }
    setEvents([])
    setState({ name: 'connecting' })
    run().catch(error => show({ name: 'failed', error }))
    return () => stop.abort()
  }, [client, identity, keep, enabled])

  return { events, state }
}

/** The newest event that is followed; undefined until there is one. */
export function useLatestEvent<Event extends FollowedEvent = FollowedEvent>(
  client: Client,
  options: FollowHookOptions<Event> = {},
): Event | undefined {
  return useFollow<Event>(client, { ...options, keep: 1 }).events[0]
}
