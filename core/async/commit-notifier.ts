/**
 * Notifies readers of a table that something was committed, so that they read at once. A commit without a notification is
 * found by polling: notifications make reading prompt, never correct.
 */

/** Whether this process committed, or another one did. */
export type Origin = 'local' | 'remote'

export interface CommitNotifier {
  /** Reports a commit; by this process unless said otherwise. */
  emit(origin?: Origin): void
  /** Calls `listener` at each commit, until the returned function is called. */
  listen(listener: (origin: Origin) => void): () => void
}

export function createCommitNotifier(): CommitNotifier {
  const listeners = new Set<(origin: Origin) => void>()
  return {
    emit(origin = 'local') {
      for (const listener of listeners) listener(origin)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
