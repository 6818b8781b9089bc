/** Hooks for React that show events as they happen. */
import { useEffect, useRef, useState } from 'react'
import type { Client } from './client.ts'
import type { FollowedEvent } from './follow/event.ts'
import { type FollowOptions, type FollowState, follow } from './follow/follow.ts'

/** State of a hook. `failed` is final, and has the reason. */
export type FollowingState = FollowState | { readonly name: 'failed'; readonly error: Error }

export interface FollowHookOptions<Event extends FollowedEvent>
  extends Omit<FollowOptions, 'signal' | 'onState'> {
  /** Called for each event before it is acknowledged. If it rejects, following fails, and the event comes again with the next start. */
  readonly onEvent?: (event: Event) => unknown
  /** Number of newest events that are kept to be shown; 100 unless set. */
  readonly keep?: number
  /** Whether to follow at all; true unless set. A page sets false until somebody has signed in. */
  readonly enabled?: boolean
}

export interface FollowHook<Event extends FollowedEvent> {
  /** Events, the newest first. */
  readonly events: readonly Event[]
  readonly state: FollowingState
}

const KEEP = 100

/**
 * Follows events while the component is shown. Each is acknowledged once `onEvent` has resolved. A change of client, way, name,
 * filter, selection, `from`, `keep` or `enabled` begins anew. `onEvent` may be another function with each rendering; a changed
 * `store` is used from the next beginning.
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
    const controller = new AbortController()
    const { signal } = controller
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
    return () => controller.abort()
  }, [client, identity, keep, enabled])

  return { events, state }
}

/** Follows events like `useFollow`. @returns the newest one; undefined until there is one. */
export function useLatestEvent<Event extends FollowedEvent = FollowedEvent>(
  client: Client,
  options: FollowHookOptions<Event> = {},
): Event | undefined {
  return useFollow<Event>(client, { ...options, keep: 1 }).events[0]
}
