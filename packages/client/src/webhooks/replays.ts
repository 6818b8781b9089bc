/** Memory of events that were handled: a webhook may come more than once, and somebody may send a copy of one. */

/** Store of the ids of handled events. Several processes of a receiver share one of their own, such as a table. */
export interface ReplayStore {
  /** Whether the event was handled. */
  has(eventid: string): Promise<boolean>
  /** Keeps the id once the event was handled. */
  add(eventid: string): Promise<void>
}

const DAY_MS = 86_400_000

export interface MemoryReplayOptions {
  /** Most ids that are kept; the oldest goes first. 100,000 unless set. */
  readonly max?: number
  /** Time for which an id is kept in milliseconds; three days unless set, beyond the last of eight attempts. */
  readonly keepMs?: number
  readonly now?: () => number
}

/** Makes a store for a receiver of one process. After its restart an event may be handled once more. */
export function memoryReplayStore({
  max = 100_000,
  keepMs = 3 * DAY_MS,
  now = Date.now,
}: MemoryReplayOptions = {}): ReplayStore {
  const handled = new Map<string, number>()
  return {
    async has(eventid) {
      const at = handled.get(eventid)
      return at !== undefined && now() - at < keepMs
    },
    async add(eventid) {
      handled.delete(eventid)
      handled.set(eventid, now())
      for (const [oldest, at] of handled) {
        if (handled.size <= max && now() - at < keepMs) return
        handled.delete(oldest)
      }
    },
  }
}
