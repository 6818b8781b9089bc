/**
 * REST lists: their query, and a page by index. Entries are numbered densely in the order of creation, so the n-th of a
 * client's list is the entry numbered n, the n-th since a day is that day's first number plus n, and totals are differences.
 * A phone number has few transactions, and no numbers of its own for them: a list that is narrowed to one is counted.
 */
import { visibleTo } from '#core/access/visibility.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { bookOf } from '#core/data/gapless-sequence.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { fitting, PAGE_BYTES } from '#core/paging/read-page.ts'
import { checkReference } from '#core/values/text.ts'
import { parseIsoDate, startOfDay, startOfNextDay } from '#core/values/time.ts'
import { MUST_BE_UTF8, NOT_UTF8, type Query } from '../../values/text.ts'
import { BYTES, SHOWN, type ShownRow } from '../columns.ts'
import { type TransactionKind, tableOf } from '../kind.ts'
import { conditionsOf } from './connection.ts'

/** The request for a list: the one transaction of a correlator, or a page. */
export type ListQuery =
  | { readonly clientCorrelatorId: string }
  | { readonly start: number; readonly perPage: number; readonly from?: Date; readonly to?: Date }

const DEFAULT_PER_PAGE = 50
const MAX_PER_PAGE = 1000
/** An index far beyond any list, and small enough that page * perPage + seek stays exact. */
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

/**
 * Reads the query parameters of a list (contract: list parameters; docs/decisions.md, "Lists"). Where
 * `clientCorrelatorId` is given, every other parameter is ignored.
 * @param timezone the operator's: days begin in it.
 * @throws ServiceError OUT_OF_RANGE naming the parameter, whatever is wrong with it.
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
  const fromDate = date(query, 'fromDate')
  const toDate = date(query, 'toDate')
  if (fromDate && toDate && fromDate > toDate) throw outOfRange('fromDate must not be after toDate')
  return {
    start,
    perPage,
    ...(fromDate && { from: startOfDay(fromDate, timezone) }),
    ...(toDate && { to: startOfNextDay(toDate, timezone) }),
  }
}

/** A page of a list, in the order of creation. */
export interface Page<Body = unknown> {
  readonly rows: ShownRow<Body>[]
  /** The number of all entries that match (`X-Total-Count`). */
  readonly total: number
  /** The `seek` of the next page (`Content-Last-Key`). */
  readonly lastKey: number
}

/** The list of one client, whose entries have numbers of their own; or of all, by the numbers of the sequence. */
interface Scope {
  readonly clientId: string
  readonly number: Prisma.Sql
  readonly mine: Prisma.Sql
}

const scopeOf = (clientId: string | undefined): Scope => {
  const mine = visibleTo({ clientId }, 't')
  return clientId === undefined
    ? { clientId: '', number: Prisma.sql`position`, mine }
    : { clientId, number: Prisma.sql`client_position`, mine }
}

/** The number of the last entry created before an instant. */
const lastBefore = (kind: TransactionKind, { number, mine }: Scope, instant: Date) => Prisma.sql`
  coalesce((SELECT ${number} FROM ${tableOf(kind)} t WHERE ${mine} AND created_at < ${instant}::timestamptz
    ORDER BY created_at DESC, ${number} DESC LIMIT 1), 0)`

/** The number of the last entry in the sequence of the list. */
const lastOf = (kind: TransactionKind, { clientId }: Scope) => Prisma.sql`
  coalesce((SELECT position FROM ${bookOf(kind)} WHERE name = ${kind.table} AND client_id = ${clientId}), 0)`

interface Bounds {
  readonly first: bigint
  readonly last: bigint
}

/**
 * Reads one page of a client's list; it ends early where its rows would be more than `PAGE_BYTES`.
 * @param clientId the client; undefined for the list of all.
 */
export async function readPage<Body>(
  db: Statements,
  kind: TransactionKind,
  clientId: string | undefined,
  query: ListQuery,
): Promise<Page<Body>> {
  const scope = scopeOf(clientId)
  const { mine, number } = scope
  if ('clientCorrelatorId' in query) {
    const rows = await db.$queryRaw<ShownRow<Body>[]>`
      SELECT ${SHOWN.columns} FROM ${tableOf(kind)} t
      WHERE ${mine} AND client_correlator_id = ${query.clientCorrelatorId} ORDER BY position`
    return { rows, total: rows.length, lastKey: rows.length }
  }
  const { start, perPage, from, to } = query
  const entries = Prisma.sql`
    SELECT ${SHOWN.columns}, t.${number} AS number, ${BYTES} FROM ${tableOf(kind)} t
    WHERE ${mine} AND t.${number} > bounds.first + ${start} AND t.${number} <= bounds.last
    ORDER BY t.${number} LIMIT ${perPage}`
  const rows = await db.$queryRaw<((ShownRow<Body> & Bounds) | (Bounds & { readonly id: null }))[]>`
    WITH bounds AS MATERIALIZED (
      SELECT ${from ? lastBefore(kind, scope, from) : Prisma.sql`0::bigint`} AS first,
        ${to ? lastBefore(kind, scope, to) : lastOf(kind, scope)} AS last)
    SELECT bounds.first, bounds.last, page.* FROM bounds LEFT JOIN LATERAL (
      ${fitting(entries, SHOWN.names, Prisma.sql`r.number`, PAGE_BYTES)}) page ON TRUE`
  const total = Math.max(0, Number(rows[0]!.last - rows[0]!.first))
  const found = rows.filter(row => row.id !== null)
  return { rows: found, total, lastKey: start + found.length }
}

/** Reads one page of the transactions of a number (digits with country code), for portals and analysts bound to it. */
export async function readNumberPage<Body>(
  db: Statements,
  kind: TransactionKind,
  mobileNumber: string,
  query: ListQuery,
): Promise<Page<Body>> {
  const isLookup = 'clientCorrelatorId' in query
  if (isLookup && query.clientCorrelatorId.includes('\0')) return { rows: [], total: 0, lastKey: 0 }
  const { start, perPage } = isLookup ? { start: 0, perPage: null } : query
  // A filter's end is inclusive; a list's end is the first instant that no longer counts.
  const narrowed = isLookup ? query : { from: query.from, to: query.to && new Date(query.to.getTime() - 1) }
  const where = conditionsOf({ kind, clientId: undefined, filter: { mobileNumber, ...narrowed } })
  const entries = Prisma.sql`
    SELECT ${SHOWN.columns}, t.position, ${BYTES} FROM ${tableOf(kind)} t WHERE ${where}
    ORDER BY t.position OFFSET ${start}::bigint LIMIT ${perPage}::bigint`
  const [[counted], rows] = await Promise.all([
    db.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS total FROM ${tableOf(kind)} t WHERE ${where}`,
    db.$queryRaw<ShownRow<Body>[]>(fitting(entries, SHOWN.names, Prisma.sql`r.position`, PAGE_BYTES)),
  ])
  return { rows, total: Number(counted!.total), lastKey: start + rows.length }
}
