/** The runs of the operations in the tabs: each its own, so that a subscription goes on while another tab posts. */
import { useEffect, useRef, useState } from 'react'
import { type Operation, type RunState, run } from './run.ts'

/** Runs by the ids of their drafts. */
export interface Runs {
  stateOf(id: number): RunState
  /** Begins a run in the place of the one before. */
  begin(id: number, operation: Operation, explains: boolean): void
  /** Says why there is no run. */
  refuse(id: number, reason: string): void
  end(id: number): void
}

const NONE: RunState = { name: 'none' }

/** Whether a run is under way. */
export const isUnderWay = (state: RunState): boolean =>
  state.name === 'running' || (state.name === 'following' && state.phase !== 'ended')

/** Keeps the runs of these drafts; those of a draft that is closed end, and all when the page is left. */
export function useRuns(ids: readonly number[]): Runs {
  const [states, setStates] = useState<ReadonlyMap<number, RunState>>(new Map())
  const stops = useRef(new Map<number, () => void>())
  const set = (id: number, state: RunState) => setStates(before => new Map(before).set(id, state))
  const end = (id: number) => {
    stops.current.get(id)?.()
    stops.current.delete(id)
  }
  useEffect(() => {
    for (const id of stops.current.keys()) if (!ids.includes(id)) end(id)
  }, [ids.join()])
  useEffect(
    () => () => {
      for (const stop of stops.current.values()) stop()
    },
    [],
  )
  return {
    stateOf: id => states.get(id) ?? NONE,
    begin(id, operation, explains) {
      end(id)
      stops.current.set(
        id,
        run(operation, explains, state => set(id, state)),
      )
    },
    refuse: (id, reason) => set(id, { name: 'failed', reason }),
    end,
  }
}
