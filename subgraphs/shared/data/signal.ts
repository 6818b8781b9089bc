/**
 * Tells those who follow the tables that something was committed, so that they look at once. Whatever no signal told
 * of they find by looking now and then: a signal makes following prompt, never correct.
 */

/** Whether this process committed, or another one did. */
export type Origin = 'here' | 'elsewhere'

export interface Signal {
  /** Something was committed; by this process unless said otherwise. */
  emit(origin?: Origin): void
  /** Calls `listener` at each commit, until the returned function is called. */
  listen(listener: (origin: Origin) => void): () => void
}

export function createSignal(): Signal {
  const listeners = new Set<(origin: Origin) => void>()
  return {
    emit(origin = 'here') {
      for (const listener of listeners) listener(origin)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
