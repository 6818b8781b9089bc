/** Entries of a timeline, page by page. */
import type { GraphFault } from '../../graph/errors.ts'
import type { TimelinePageFragment } from './timeline.generated.ts'

export type Entry = TimelinePageFragment['nodes'][number]

export interface EntryPage {
  readonly entries: readonly Entry[]
  /** The cursor after which the next page begins; undefined at the end. */
  readonly next: string | undefined
  readonly faults: readonly GraphFault[]
}
