/** DataLoaders of one request: timelines and summaries of many owners cost as many statements as of one. */
import type { App } from '#core/context/app.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import type { Connection } from '#core/paging/keyset.ts'
import { byOwner } from './owners.ts'
import type { SummaryQuery } from './summary/query.ts'
import { readSummaries } from './summary/read.ts'
import type { SummaryRow } from './summary/rows.ts'
import { countTimelines } from './timeline/count.ts'
import type { SelectedEntry, TimelineQuery } from './timeline/entry.ts'
import { readTimelines } from './timeline/read.ts'

const createLoaders = ({ reader }: App) => ({
  timeline: byOwner<TimelineQuery<SelectedEntry>, Connection<SelectedEntry>>((query, by, owners) =>
    readTimelines(reader, query, by, owners),
  ),
  count: byOwner<TimelineQuery<SelectedEntry>, number>((query, by, owners) =>
    countTimelines(reader, query, by, owners),
  ),
  summary: byOwner<SummaryQuery, SummaryRow[]>((query, by, owners) =>
    readSummaries(reader, query, by, owners),
  ),
})

export type ActivityLoaders = ReturnType<typeof createLoaders>

/** The function that gives each request loaders of its own. */
export const createLoadersOf = (app: App): ((context: GraphContext) => ActivityLoaders) => {
  const known = new WeakMap<GraphContext, ActivityLoaders>()
  return context => {
    const loaders = known.get(context) ?? createLoaders(app)
    known.set(context, loaders)
    return loaders
  }
}
