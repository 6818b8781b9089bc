/**
 * Tells those who read tables on that something was committed, so that they read at once. What no notification told
 * of they find by polling: a notification makes reading prompt, never correct.
 */

/** Whether this process committed, or another one did. */
export type Origin = 'here' | 'elsewhere'

export interface CommitNotifier {
  /** Something was committed; by this process unless said otherwise. */
  emit(origin?: Origin): void
  /** Calls `listener` at each commit, until the returned function is called. */
  listen(listener: (origin: Origin) => void): () => void
}

export function createCommitNotifier(): CommitNotifier {
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
