/** What a timeline is asked for, once it is known that the database can be asked for it. */
import { isByAmount, type PageArgs, parseKeyset } from '#core/paging/keyset.ts'
import { type WithMoments, withInstants } from '#core/values/time.ts'
import type { TimelineQuery } from './entry.ts'
import { checkFilter, type TimelineFilter } from './filter.ts'
import { orderOf } from './read.ts'

export interface TimelineArgs extends PageArgs {
  readonly filter?: WithMoments<TimelineFilter> | null
}

/**
 * @param clientId the only client whose entries may be seen; undefined for all.
 * @param place what the names of the filter's fields have before them where it was given.
 * @throws ServiceError INVALID_ARGUMENT naming the argument that cannot be.
 */
export const timelineQuery = (
  clientId: string | undefined,
  { filter, ...page }: TimelineArgs,
  place = 'filter.',
): TimelineQuery => {
  const byAmount = isByAmount(page.orderBy)
  return {
    clientId,
    filter: checkFilter(withInstants(filter ?? {}), place),
    byAmount,
    keyset: parseKeyset(page, orderOf(byAmount).cursors.from),
  }
}
