/** The timeline as a file: its entries page by page, in a format. */
import type { App } from '#core/context/app.ts'
import { type Kinds, kindNamed } from '../kinds.ts'
import type { TimelineRow } from '../timeline/entry.ts'
import { COLUMNS, type Exported, POSTED_BY } from './columns.ts'
import { type Format, write } from './formats.ts'
import { type ExportQuery, readAllPages } from './pages.ts'

export interface Export extends Pick<ExportQuery, 'query' | 'owner' | 'turn'> {
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
