/** Requests as clients read them: `Query.requests`, narrowed and paged by their ids, which are in order of time. */
import { type Caller, requireUnbound } from '../access/principal.ts'
import { visibleClient, visibleTo } from '../access/visibility.ts'
import { firstIdOf } from '../data/day-partitions.ts'
import { Prisma, type Statements } from '../data/db.ts'
import { invalidField } from '../errors/catalogue.ts'
import type { Way } from '../observability/request-facts.ts'
import { type CountedConnection, createCursors, type PageArgs, parsePageArgs } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { isId } from '../values/id.ts'
import { checkReference } from '../values/text.ts'
import { type WithMoments, withInstants } from '../values/time.ts'

/** A request as the log has it. */
export interface RequestRow {
  readonly id: string
  readonly at: Date
  readonly clientId: string | null
  readonly via: Exclude<Way, 'FETCH'>
  readonly operation: string | null
  readonly status: number
  readonly code: string | null
  readonly reason: string | null
  readonly field: string | null
  readonly durationMs: number
  readonly transactionId: string | null
  readonly correlator: string
  readonly weight: number
}

/** Columns under the names of `RequestRow`, of a table called `r`. */
export const REQUEST_COLUMNS = Prisma.raw(`
  r.id, r.at, r.client_id AS "clientId", r.via, r.operation, r.status, r.code, r.reason, r.field,
  r.duration_ms AS "durationMs", r.transaction_id AS "transactionId", r.correlator, r.weight`)

/** The graph's `RequestFilter`; fields that are given must all hold. */
export interface RequestFilter {
  readonly client?: string | null
  readonly via?: RequestRow['via'] | null
  readonly operation?: string | null
  readonly status?: number | null
  readonly refused?: boolean | null
  readonly code?: string | null
  readonly reason?: string | null
  readonly correlator?: string | null
  readonly from?: Date | null
  readonly to?: Date | null
}

/** A page of requests with its total. */
export type RequestPage = CountedConnection<RequestRow>

export interface RequestArgs extends Omit<PageArgs, 'orderBy'> {
  readonly filter?: WithMoments<RequestFilter> | null
}

const CURSORS = createCursors<string>('q1:', {
  write: id => id,
  read: id => (isId(id) ? id : undefined),
})

const MAX_STATUS = 999

const checkStatus = (status: number) => {
  if (status < 100 || status > MAX_STATUS)
    throw invalidField('filter.status', 'OUT_OF_RANGE', 'must be an HTTP status, from 100 to 999')
}

/** Conditions of a span of time; both of its ends belong to it. An id begins with its millisecond. */
export const within = (from: Date | null | undefined, to: Date | null | undefined): Prisma.Sql[] => [
  ...(from == null ? [] : [Prisma.sql`r.id >= ${firstIdOf(from.getTime())}::uuid`]),
  ...(to == null ? [] : [Prisma.sql`r.id < ${firstIdOf(to.getTime() + 1)}::uuid`]),
]

const TEXTS = {
  client: Prisma.raw('r.client_id'),
  operation: Prisma.raw('r.operation'),
  code: Prisma.raw('r.code'),
  reason: Prisma.raw('r.reason'),
  correlator: Prisma.raw('r.correlator'),
}

/** A refusal has a code: an index holds them alone. */
const IS_REFUSED = Prisma.sql`r.code IS NOT NULL`

const conditionsOf = ({ via, status, refused, from, to, ...texts }: RequestFilter): Prisma.Sql[] => {
  const conditions = within(from, to)
  for (const [name, column] of Object.entries(TEXTS)) {
    const text = texts[name as keyof typeof TEXTS]
    if (text == null) continue
    checkReference(`filter.${name}`, text)
    conditions.push(Prisma.sql`${column} = ${text}`)
  }
  if (via != null) conditions.push(Prisma.sql`r.via = ${via}`)
  if (status != null) {
    checkStatus(status)
    conditions.push(Prisma.sql`r.status = ${status}::smallint`)
  }
  if (refused === false) conditions.push(Prisma.sql`r.code IS NULL`)
  if (refused || (status ?? 0) >= 400 || texts.code != null || texts.reason != null)
    conditions.push(IS_REFUSED)
  return conditions
}

/**
 * Condition on the requests that a caller may see: a partner its own, portals and analysts all.
 * @throws ServiceError PERMISSION_DENIED for a token that is bound to a number, which speaks for no client.
 */
export const visibleRequests = (caller: Caller, operation: string): Prisma.Sql => {
  requireUnbound(caller.principal, operation)
  return visibleTo({ clientId: visibleClient(caller) }, 'r')
}

/** Reads a page of the requests that the caller may see, the newest first. @throws ServiceError INVALID_ARGUMENT. */
export const listRequests = async (
  db: Statements,
  caller: Caller,
  { filter, ...page }: RequestArgs,
): Promise<RequestPage> =>
  readKeysetPage<RequestRow>(db, {
    columns: REQUEST_COLUMNS,
    from: Prisma.raw('activity.request r'),
    where: Prisma.join(
      [visibleRequests(caller, 'requests'), ...conditionsOf(withInstants(filter ?? {}))],
      ' AND ',
    ),
    number: Prisma.raw('r.id'),
    keyset: parsePageArgs(page, CURSORS.from),
    cursorOf: ({ id }) => CURSORS.to(id),
  })
