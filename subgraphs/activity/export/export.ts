/**
 * Timeline as a file, page by page: the next page is read when it is requested, and costs as much as the first. Few pages
 * are read at once, and clients take turns, so that exports leave the database and the process to other requests.
 */
import { withDeadline } from '#core/async/deadline.ts'
import type { FreeSlot } from '#core/async/fair-slots.ts'
import type { Platform } from '#core/context/app.ts'
import type { Statements } from '#core/data/db.ts'
import { type Format, write } from '#core/http/row-files.ts'
import type { Keyset } from '#core/paging/keyset.ts'
import { type Kinds, kindNamed, type Owner } from '../kinds.ts'
import { type TimelineRow, timelineOrder } from '../timeline/entry.ts'
import type { TimelineQuery } from '../timeline/filter.ts'
import { readTimeline, readTimelines } from '../timeline/read.ts'
import { EXPORT_COLUMNS, type Exported, POSTED_BY } from './columns.ts'

interface ExportQuery {
  readonly query: TimelineQuery
  /** Owner of the entries; undefined for all that may be seen. */
  readonly owner: Owner | undefined
  /** Waits until the next page may be read; absent where nothing else is served. */
  readonly turn?: (signal: AbortSignal) => Promise<FreeSlot>
  /** Longest time for a page, its wait included, in milliseconds. */
  readonly timeoutMs: number
}

/** Entries of a page: a few hundred kilobytes in memory, a thousand statements for a million entries. */
const EXPORT_PAGE = 1_000

const readPage = async (db: Statements, { owner, query }: ExportQuery, keyset: Keyset) => {
  if (!owner) return readTimeline<TimelineRow>(db, { ...query, keyset })
  const [page] = await readTimelines<TimelineRow>(db, { ...query, keyset }, owner.by, [owner.owner])
  return page!
}

const readInTurn = (db: Statements, request: ExportQuery, keyset: Keyset) =>
  withDeadline(request.timeoutMs, async signal => {
    const free = await request.turn?.(signal)
    try {
      return await readPage(db, request, keyset)
    } finally {
      free?.()
    }
  })

/** Reads all pages. @throws ServiceError REQUEST_TIMEOUT_EXCEEDED where a page takes too long. */
async function* readAllPages(db: Statements, request: ExportQuery): AsyncGenerator<readonly TimelineRow[]> {
  const { numberOf } = timelineOrder(request.query.byAmount)
  let keyset: Keyset = { ...request.query.keyset, size: EXPORT_PAGE }
  for (;;) {
    const { nodes, pageInfo } = await readInTurn(db, request, keyset)
    if (nodes.length > 0) yield nodes
    if (!pageInfo.hasNextPage) return
    keyset = { ...keyset, after: numberOf(nodes.at(-1)!) }
  }
}

interface Export extends Pick<ExportQuery, 'query' | 'owner' | 'turn'> {
  /** True to name the client that posted each entry. */
  readonly showsClient: boolean
}

async function* withKinds(
  pages: AsyncIterable<readonly TimelineRow[]>,
  kinds: Kinds,
): AsyncGenerator<readonly Exported[]> {
  for await (const page of pages) yield page.map(row => ({ row, kind: kindNamed(kinds, row.kind) }))
}

/** Writes the file; each text is read when it is requested. */
export const exportTimeline = (
  { db, config }: Pick<Platform, 'db' | 'config'>,
  kinds: Kinds,
  format: Format,
  { showsClient, ...request }: Export,
): AsyncGenerator<string> => {
  const pages = readAllPages(db, { ...request, timeoutMs: config.requestTimeoutMs })
  return write(format, showsClient ? [...EXPORT_COLUMNS, POSTED_BY] : EXPORT_COLUMNS, withKinds(pages, kinds))
}
