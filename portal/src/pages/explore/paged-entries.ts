/**
 * A timeline that is read page by page as it is scrolled, and forgotten page by page: however far one scrolls, as many
 * pages are kept, and of the rest the cursors alone, by which they are read again.
 */
import type { GraphFault } from '../../graph/errors.ts'
import type { Entry, EntryPage } from './entry.ts'

/** Entries of a page. A short first page is shown at once. */
export const PAGE_SIZE = 200
const FIRST_SIZE = 30
/** Pages that are kept. */
export const KEPT_PAGES = 8

export interface EntriesState {
  /** How many entries are known to be there, kept or not. */
  readonly length: number
  readonly isComplete: boolean
  readonly isLoading: boolean
  readonly faults: readonly GraphFault[]
  /** Changes with everything else, so that a view shows it. */
  readonly version: number
}

export interface PagedEntries {
  state(): EntriesState
  /** The entry at a place; undefined while it is not at hand. */
  at(index: number): Entry | undefined
  /** Reads what a view of these places needs, beyond its end as well. */
  want(from: number, to: number): void
  /** How many entries are held in memory. */
  held(): number
  retry(): void
  subscribe(listener: () => void): () => void
  stop(): void
}

type ReadEntries = (first: number, after: string | undefined) => Promise<EntryPage>

const pageOf = (index: number) => (index < FIRST_SIZE ? 0 : 1 + Math.floor((index - FIRST_SIZE) / PAGE_SIZE))
const placeIn = (index: number) => (index < FIRST_SIZE ? index : (index - FIRST_SIZE) % PAGE_SIZE)
const sizeOf = (page: number) => (page === 0 ? FIRST_SIZE : PAGE_SIZE)

/** Begins to read. */
export function createPagedEntries(read: ReadEntries): PagedEntries {
  /** The cursor after which each page begins that is known. */
  const cursors: (string | undefined)[] = [undefined]
  const pages = new Map<number, readonly Entry[]>()
  const reading = new Set<number>()
  const listeners = new Set<() => void>()
  let isStopped = false
  let current: EntriesState = { length: 0, isComplete: false, isLoading: true, faults: [], version: 0 }

  const change = (changes: Partial<EntriesState>) => {
    current = { ...current, ...changes, version: current.version + 1 }
    for (const listener of listeners) listener()
  }

  /** Keeps the pages nearest to the one that was read. */
  const forget = (near: number) => {
    while (pages.size > KEPT_PAGES) {
      const farthest = [...pages.keys()].reduce((far, one) =>
        Math.abs(one - near) > Math.abs(far - near) ? one : far,
      )
      pages.delete(farthest)
    }
  }

  const readInto = async (page: number) => {
    if (isStopped || reading.has(page) || pages.has(page) || page >= cursors.length) return
    reading.add(page)
    change({ isLoading: true, faults: [] })
    const { entries, next, faults } = await read(sizeOf(page), cursors[page])
    reading.delete(page)
    if (isStopped) return
    const isNewest = page === cursors.length - 1
    // A page that could not be had at all is asked for again by the person.
    if (entries.length === 0 && faults.length > 0) return change({ isLoading: reading.size > 0, faults })
    pages.set(page, entries)
    forget(page)
    if (!isNewest) return change({ isLoading: reading.size > 0 })
    const before = page === 0 ? 0 : FIRST_SIZE + (page - 1) * PAGE_SIZE
    if (next !== undefined) cursors.push(next)
    change({
      length: before + entries.length,
      isComplete: next === undefined,
      isLoading: reading.size > 0,
      faults,
    })
  }

  void readInto(0)
  return {
    state: () => current,
    at: index => pages.get(pageOf(index))?.[placeIn(index)],
    want(from, to) {
      if (current.faults.length > 0) return
      for (let page = pageOf(Math.max(0, from)); page <= pageOf(to); page++) void readInto(page)
    },
    held: () => [...pages.values()].reduce((sum, { length }) => sum + length, 0),
    retry() {
      change({ faults: [] })
      void readInto(cursors.length - 1)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop() {
      isStopped = true
      listeners.clear()
    },
  }
}
