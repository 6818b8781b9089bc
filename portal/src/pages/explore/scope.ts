/** Scope of a timeline: everybody's, a customer's, or a number's; each with its own queries. */

import type { SentQuery } from '../../graph/use-graph.ts'
import { sendToGraph } from '../../graph/use-graph.ts'
import { isOperator } from '../../session/session.ts'
import type { EntryPage } from './entry.ts'
import { type Filters, toTimelineFilter } from './filters.ts'
import {
  CustomerTimelineCountDocument,
  CustomerTimelineDocument,
  NumberTimelineCountDocument,
  NumberTimelineDocument,
  TimelineCountDocument,
  TimelineDocument,
  type TimelinePageFragment,
} from './timeline.generated.ts'

export type Scope =
  | { readonly of: 'all' }
  | { readonly of: 'customer'; readonly account: string }
  | {
      readonly of: 'number'
      readonly number: string
      /** Whether records of the account that name no number are in. */
      readonly include: 'NUMBER' | 'ACCOUNT'
    }

interface PageVariables {
  readonly filter: ReturnType<typeof toTimelineFilter>
  readonly orderBy: Filters['order']
  readonly first: number
  readonly after: string | null
  readonly namesPoster: boolean
}

/** The query of a page, to be shown and sent. */
export function pageQuery(scope: Scope, filters: Filters, first: number, after?: string): SentQuery {
  const page: PageVariables = {
    filter: toTimelineFilter(filters),
    orderBy: filters.order,
    first,
    after: after ?? null,
    namesPoster: isOperator(),
  }
  if (scope.of === 'customer')
    return { document: CustomerTimelineDocument, variables: { account: scope.account, ...page } }
  if (scope.of === 'number')
    return {
      document: NumberTimelineDocument,
      variables: { number: scope.number, include: scope.include, ...page },
    }
  return { document: TimelineDocument, variables: page }
}

interface TimelineHolder {
  readonly timeline?: TimelinePageFragment | null
}

type PageData = TimelineHolder & {
  readonly customer?: TimelineHolder | null
  readonly subscriber?: TimelineHolder | null
}

/** Reads one page. */
export async function readPage(
  scope: Scope,
  filters: Filters,
  first: number,
  after?: string,
): Promise<EntryPage> {
  const { document, variables } = pageQuery(scope, filters, first, after)
  const { data, faults } = await sendToGraph<PageData, object>(document, variables)
  const page = (data?.customer ?? data?.subscriber ?? data)?.timeline
  const { hasNextPage, endCursor } = page?.pageInfo ?? {}
  return { entries: page?.nodes ?? [], next: (hasNextPage && endCursor) || undefined, faults }
}

interface Counted {
  readonly timeline?: { readonly totalCount: number } | null
}

/** Counts what matches; undefined where that cannot be had. */
export async function countEntries(scope: Scope, filters: Filters): Promise<number | undefined> {
  const filter = toTimelineFilter(filters)
  if (scope.of === 'customer') {
    const { data } = await sendToGraph(CustomerTimelineCountDocument, { account: scope.account, filter })
    return data?.customer?.timeline?.totalCount
  }
  if (scope.of === 'number') {
    const { number, include } = scope
    const { data } = await sendToGraph(NumberTimelineCountDocument, { number, include, filter })
    return data?.subscriber?.timeline?.totalCount
  }
  const { data } = await sendToGraph(TimelineCountDocument, { filter })
  return (data as Counted | undefined)?.timeline?.totalCount
}
