/** DataLoaders of one request: timelines and summaries of many holders cost as many statements as of one. */
import type { App } from '../shared/app.ts'
import type { GraphContext } from '../shared/graph/loaders.ts'
import type { Connection } from '../shared/transactions/slice.ts'
import { byHolder } from './holders.ts'
import { readSummaries, type SummaryQuery } from './summary/read.ts'
import type { SummaryRow } from './summary/rows.ts'
import { countTimelines, readTimelines, type TimelineQuery, type TimelineRow } from './timeline/read.ts'

const createLoaders = ({ db }: App) => ({
  timeline: byHolder<TimelineQuery, Connection<TimelineRow>>((query, column, holders) =>
    readTimelines(db, query, column, holders),
  ),
  count: byHolder<TimelineQuery, number>((query, column, holders) =>
    countTimelines(db, query, column, holders),
  ),
  summary: byHolder<SummaryQuery, SummaryRow[]>((query, column, holders) =>
    readSummaries(db, query, column, holders),
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
