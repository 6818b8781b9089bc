/** The query of a REST list (contract: list parameters; docs/decisions.md, "Lists"): every fault is OUT_OF_RANGE. */
import { ServiceError } from '../errors/catalogue.ts'
import { MUST_BE_UTF8, NOT_UTF8, type Query } from '../values/query.ts'
import { checkReference } from '../values/text.ts'
import { parseIsoDate, startOfDay, startOfNextDay } from '../values/time.ts'

/** What a list is asked for: the one transaction of a correlator, or a page. */
export type ListQuery =
  | { readonly clientCorrelatorId: string }
  | { readonly start: number; readonly perPage: number; readonly from?: Date; readonly to?: Date }

const DEFAULT_PER_PAGE = 50
const MAX_PER_PAGE = 1000
/** Far beyond any list, and small enough that page * perPage + seek stays exact. */
const MAX_INDEX = 1e12

const outOfRange = (message: string) => new ServiceError('OUT_OF_RANGE', message)

const single = (query: Query, name: string): string | undefined => {
  const value = query[name]
  if (value === NOT_UTF8) throw outOfRange(`${name} ${MUST_BE_UTF8}`)
  if (typeof value === 'object') throw outOfRange(`${name} must be given once`)
  return value
}

const integer = (query: Query, name: string, fallback: number, min: number, max: number): number => {
  const text = single(query, name)
  if (text === undefined) return fallback
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw outOfRange(`${name} must be a whole number from ${min} to ${max}`)
}

const date = (query: Query, name: string): string | undefined => {
  const text = single(query, name)
  if (text === undefined) return undefined
  const day = parseIsoDate(text)
  if (day === undefined) throw outOfRange(`${name} must be a date such as 2026-01-31`)
  return day
}

const dates = (query: Query, timezone: string) => {
  const from = date(query, 'fromDate')
  const to = date(query, 'toDate')
  if (from && to && from > to) throw outOfRange('fromDate must not be after toDate')
  return { from: from && startOfDay(from, timezone), to: to && startOfNextDay(to, timezone) } as {
    from?: Date
    to?: Date
  }
}

/**
 * Reads the query parameters of a list.
 * @throws ServiceError OUT_OF_RANGE naming the parameter. Where `clientCorrelatorId` is given, every other parameter is
 * ignored.
 */
export function parseListQuery(query: Query, timezone: string): ListQuery {
  const clientCorrelatorId = single(query, 'clientCorrelatorId')
  if (clientCorrelatorId !== undefined) {
    checkReference('clientCorrelatorId', clientCorrelatorId, outOfRange)
    return { clientCorrelatorId }
  }
  const perPage = integer(query, 'perPage', DEFAULT_PER_PAGE, 1, MAX_PER_PAGE)
  const page = integer(query, 'page', 0, 0, MAX_INDEX)
  const seek = integer(query, 'seek', 0, 0, MAX_INDEX)
  const start = page * perPage + seek
  if (start > Number.MAX_SAFE_INTEGER) throw outOfRange('page must be smaller')
  return { start, perPage, ...dates(query, timezone) }
}
