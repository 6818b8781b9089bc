/** A store of cursors for the life of the process: for tests, and for pages that begin anew. */
import type { CursorStore } from '../follow/acks.ts'

/** Makes a store that begins empty, or with cursors by name. */
export function memoryCursorStore(cursors: Readonly<Record<string, string>> = {}): CursorStore {
  const kept = new Map(Object.entries(cursors))
  return {
    get: async name => kept.get(name),
    set: async (name, cursor) => void kept.set(name, cursor),
  }
}
