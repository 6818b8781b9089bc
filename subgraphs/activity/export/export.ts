/**
 * Timeline as a file, page by page: the next page is read when it is requested, and costs as much as the first. Few pages
 * are read at once, and clients take turns, so that exports leave the database and the process to other requests.
 */
import { withDeadline } from '#core/async/deadline.ts'
import type { FreeSlot } from '#core/async/fair-slots.ts'
import type { App } from '#core/context/app.ts'
import type { Reader } from '#core/data/db.ts'
import type { Keyset } from '#core/paging/keyset.ts'
import { type Kinds, kindNamed } from '../kinds.ts'
import type { Owner } from '../owners.ts'
import type { TimelineQuery, TimelineRow } from '../timeline/entry.ts'
import { orderOf } from '../timeline/order.ts'
import { readTimeline, readTimelines } from '../timeline/read.ts'
import { COLUMNS, type Exported, type Format, POSTED_BY, write } from './formats.ts'

interface ExportQuery {
  readonly query: TimelineQuery
  /** Absent for all that may be seen. */
  readonly owner: Owner | undefined
  /** Waits until the next page may be read; absent where nothing else is served. */
  readonly turn?: (signal: AbortSignal) => Promise<FreeSlot>
  /** How long a page may take, its turn included, in milliseconds. */
  readonly timeoutMs: number
}

/** A page is some hundred kilobytes: little to hold, and few statements for a million. */
const EXPORT_PAGE = 1_000

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
async function* readAllPages(db: Reader, asked: ExportQuery): AsyncGenerator<readonly TimelineRow[]> {
  const { numberOf } = orderOf(asked.query.byAmount)
  let keyset: Keyset = { ...asked.query.keyset, size: EXPORT_PAGE }
  for (;;) {
    const { nodes, pageInfo } = await readInTurn(db, asked, keyset)
    if (nodes.length > 0) yield nodes
    if (!pageInfo.hasNextPage) return
    keyset = { ...keyset, after: numberOf(nodes.at(-1)!) }
  }
}

interface Export extends Pick<ExportQuery, 'query' | 'owner' | 'turn'> {
  /** Whether it says who posted what. */
  readonly showsClient: boolean
}

async function* withKinds(
  pages: AsyncIterable<readonly TimelineRow[]>,
  kinds: Kinds,
): AsyncGenerator<readonly Exported[]> {
  for await (const page of pages) yield page.map(row => ({ row, kind: kindNamed(kinds, row.kind) }))
}

/** The texts of the file, of which each is read when it is asked for. */
export const exportTimeline = (
  { reader, config }: Pick<App, 'reader' | 'config'>,
  kinds: Kinds,
  format: Format,
  { showsClient, ...asked }: Export,
): AsyncGenerator<string> => {
  const pages = readAllPages(reader, { ...asked, timeoutMs: config.requestTimeoutMs })
  return write(format, showsClient ? [...COLUMNS, POSTED_BY] : COLUMNS, withKinds(pages, kinds))
}
