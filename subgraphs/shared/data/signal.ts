/**
 * Tells those who follow the tables that something was committed in this process, so that they look at once. What
 * other processes commit they find by looking now and then: a signal makes following prompt, never correct.
 */

export interface Signal {
  /** Something was committed. */
  emit(): void
  /** Calls `listener` at each commit, until the returned function is called. */
  listen(listener: () => void): () => void
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>()
  return {
    emit() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
