/** What a summary is asked for, once it is known that the database can be asked for it. */
import { visibleClient } from '#core/access/visibility.ts'
import type { Config } from '#core/config/config.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { checkReference } from '#core/values/text.ts'
import { localDay, type Moment, withInstants } from '#core/values/time.ts'
import { type Kinds, pointsKinds } from '../kinds.ts'
import { heldName } from '../names.ts'
import type { SummaryGroup } from './rows.ts'
import { type Span, spanOf } from './span.ts'

export type Period = 'DAY' | 'WEEK' | 'MONTH' | 'ALL'

/** The graph's `SummaryOrder`. */
export interface SummaryOrder {
  readonly field: 'COUNT' | 'AMOUNT' | 'POINTS' | 'FAILED' | 'PERIOD'
  readonly direction?: 'ASC' | 'DESC'
}

export interface SummaryArgs {
  readonly from?: Moment | null
  readonly to?: Moment | null
  readonly by: Period
  readonly groupBy?: readonly SummaryGroup[] | null
  readonly kinds?: readonly string[] | null
  readonly merchant?: string | null
  readonly postedBy?: string | null
  readonly orderBy?: SummaryOrder | null
  readonly first?: number | null
}

export interface SummaryQuery {
  /** The only client whose transactions may be seen; undefined for all. */
  readonly clientId: string | undefined
  /** Only what this client posted. */
  readonly postedBy: string | undefined
  readonly kinds: readonly string[] | undefined
  readonly merchant: string | undefined
  readonly span: Span
  /** The day from which on it is asked for; undefined from the beginning. */
  readonly since: string | undefined
  readonly by: Period
  readonly groupBy: readonly SummaryGroup[]
  readonly orderBy: SummaryOrder
  readonly first: number | undefined
  /** The days of the sums are this time zone's. */
  readonly timezone: string
  /** The kinds that move points. */
  readonly pointsKinds: readonly string[]
}

/** A year of days told apart by kind and outcome has 5,475; more would stop everyone else while they are added up. */
export const MAX_ROWS = 10_000

const BY_PERIOD: SummaryOrder = { field: 'PERIOD', direction: 'ASC' }

const checkArgs = ({ postedBy, merchant, first }: SummaryArgs): void => {
  if (postedBy != null) checkReference('postedBy', postedBy)
  if (merchant != null) checkReference('merchant', merchant)
  if (first != null && (first < 0 || first > MAX_ROWS))
    throw invalidField('first', first < 0 ? 'TOO_SMALL' : 'TOO_GREAT', `must be from 0 to ${MAX_ROWS}`)
}

/** @throws ServiceError INVALID_ARGUMENT naming the argument that cannot be. */
export const summaryQuery = (
  { timezone }: Pick<Config, 'timezone'>,
  kinds: Kinds,
  { caller }: GraphContext,
  args: SummaryArgs,
): SummaryQuery => {
  checkArgs(args)
  const { from, to, by, groupBy, postedBy, merchant, orderBy, first } = withInstants(args)
  return {
    clientId: visibleClient(caller),
    postedBy: postedBy ?? undefined,
    kinds: args.kinds ?? undefined,
    merchant: merchant == null ? undefined : heldName(merchant),
    span: spanOf(from, to, timezone),
    since: from ? localDay(from, timezone) : undefined,
    by,
    groupBy: [...new Set(groupBy ?? [])],
    orderBy: orderBy ?? BY_PERIOD,
    first: first ?? undefined,
    timezone,
    pointsKinds: pointsKinds(kinds),
  }
}
