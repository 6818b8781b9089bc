/**
 * A whole timeline, page by page: the next one is read when it is asked for, and costs what the first one does. Few pages
 * are read at once, and clients take turns, so that exports leave the database and the process to what is asked beside them.
 */
import { withDeadline } from '#core/async/deadline.ts'
import type { FreeSlot } from '#core/async/fair-slots.ts'
import type { Reader } from '#core/data/db.ts'
import type { Keyset } from '#core/paging/keyset.ts'
import type { Owner } from '../owners.ts'
import type { TimelineQuery, TimelineRow } from '../timeline/entry.ts'
import { orderOf, readTimeline, readTimelines } from '../timeline/read.ts'

export interface ExportQuery {
  readonly query: TimelineQuery
  /** Absent for all that may be seen. */
  readonly owner: Owner | undefined
  /** Waits until the next page may be read; absent where nothing else is served. */
  readonly turn?: (signal: AbortSignal) => Promise<FreeSlot>
  /** How long a page may take, its turn included, in milliseconds. */
  readonly timeoutMs: number
}

/** A page is some hundred kilobytes: little to hold, and few statements for a million. */
export const EXPORT_PAGE = 1_000

const readPage = async (db: Reader, { owner, query }: ExportQuery, keyset: Keyset) => {
  if (!owner) return readTimeline<TimelineRow>(db, { ...query, keyset })
  const [page] = await readTimelines<TimelineRow>(db, { ...query, keyset }, owner.by, [owner.owner])
  return page!
}

const readInTurn = (db: Reader, asked: ExportQuery, keyset: Keyset) =>
  withDeadline(asked.timeoutMs, async signal => {
    const free = await asked.turn?.(signal)
    try {
      return await readPage(db, asked, keyset)
    } finally {
      free?.()
    }
  })

/** @throws ServiceError REQUEST_TIMEOUT_EXCEEDED when one page takes too long, and what the database throws. */
export async function* readAllPages(db: Reader, asked: ExportQuery): AsyncGenerator<readonly TimelineRow[]> {
  const { numberOf } = orderOf(asked.query.byAmount)
  let keyset: Keyset = { ...asked.query.keyset, size: EXPORT_PAGE }
  for (;;) {
    const { nodes, pageInfo } = await readInTurn(db, asked, keyset)
    if (nodes.length > 0) yield nodes
    if (!pageInfo.hasNextPage) return
    keyset = { ...keyset, after: numberOf(nodes.at(-1)!) }
  }
}
