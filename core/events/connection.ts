/** The event log as a Relay connection, with the same cursors that subscriptions resume from. */
import { Prisma, type Reader } from '../data/db.ts'
import { type CountedConnection, type Keyset, type PageArgs, parsePageArgs } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { checkPosition, fromEventCursor, toEventCursor } from './cursor.ts'
import { EVENT_COLUMNS, type EventFilter, type EventRow, eventConditions } from './event.ts'
import type { EventFilterInput } from './filter.ts'
import { readBounds } from './read.ts'

export interface EventArgs extends PageArgs {
  readonly filter?: EventFilterInput | null
}

/** A page of events with its total. */
export type EventConnection = CountedConnection<EventRow>

/** The positions between which the page lies. */
const rangeOf = ({ after, before, descending }: Keyset) => (descending ? [before, after] : [after, before])

const POSITION = Prisma.raw('e.position')

/** A page that begins where the log no longer reaches would look complete and not be. */
const checkLow = async (db: Reader, keyset: Keyset) => {
  const [low] = rangeOf(keyset)
  if (low === undefined) return
  checkPosition(keyset.descending ? 'before' : 'after', low, await readBounds(db))
}

/**
 * Reads one page; one event more than asked for says that there is a further page.
 * @throws ServiceError INVALID_ARGUMENT for sizes out of range, and cursors that are expired or foreign.
 */
export async function readEventConnection(
  db: Reader,
  filter: EventFilter,
  args: EventArgs,
): Promise<EventConnection> {
  const keyset = parsePageArgs(args, fromEventCursor)
  await checkLow(db, keyset)
  return readKeysetPage<EventRow>(db, {
    columns: EVENT_COLUMNS,
    from: Prisma.sql`events.event e`,
    where: eventConditions(filter),
    keyset,
    number: POSITION,
    cursorOf: event => toEventCursor(event.position),
  })
}
