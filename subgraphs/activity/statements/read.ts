/** Statements as clients read them: a list, the statement of a day, and its rows as CSV. */
import { Readable } from 'node:stream'
import { type Caller, requireUnbound } from '#core/access/principal.ts'
import { recordReach } from '#core/access/visibility.ts'
import type { App } from '#core/context/app.ts'
import { Prisma } from '#core/data/db.ts'
import { invalidField, notFound } from '#core/errors/catalogue.ts'
import { readBounds } from '#core/events/read.ts'
import { toDecimal, toJsonNumber } from '#core/values/money.ts'
import { checkReference, type Query } from '#core/values/text.ts'
import { formatOffset, parseIsoDate, startOfDay, startOfNextDay } from '#core/values/time.ts'
import type { Kinds } from '../kinds.ts'
import { limitOf, textParameter, wordOf } from '../partner/parameters.ts'
import type { StoredCorrection } from './corrections.ts'
import { CSV_HEAD, csvOf, type NumberRange, readStatementRows } from './rows.ts'
import type { StoredSum } from './sums.ts'

interface Stored {
  readonly clientId: string
  readonly day: string
  readonly id: string
  readonly madeAt: Date
  readonly eventUntil: bigint
  readonly timezone: string
  readonly entries: bigint
  readonly sha256: string
  readonly numbers: readonly { kind: string; first: string; last: string }[]
  readonly sums: readonly StoredSum[]
  readonly corrections: readonly StoredCorrection[]
}

const COLUMNS = Prisma.raw(`
  s.client_id AS "clientId", s.day::text AS day, s.id, s.made_at AS "madeAt", s.event_until AS "eventUntil", s.timezone,
  s.entries, s.sha256, s.numbers, s.sums, s.corrections`)

const exact = (text: string | null): number | null => (text === null ? null : toJsonNumber(toDecimal(text)))

const currenciesOf = (sums: readonly StoredSum[], named: string | undefined) => {
  const kept = named === undefined ? sums : sums.filter(({ currency }) => currency === named)
  return [...Map.groupBy(kept, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    sums: own.map(({ currency: _, amount, points, ...sum }) => ({
      ...sum,
      amount: exact(amount),
      points: exact(points),
    })),
  }))
}

const correctionBody = (time: (date: Date) => string, one: StoredCorrection) => ({
  ...one,
  number: Number(one.number),
  amount: exact(one.amount),
  points: exact(one.points),
  at: time(new Date(one.at)),
})

const toBody = (stored: Stored, currency?: string) => {
  const time = (date: Date) => formatOffset(date, stored.timezone)
  const reversed = ({ outcome }: StoredCorrection) => outcome === 'REVERSED'
  return {
    date: stored.day,
    id: stored.id,
    partner: stored.clientId,
    timezone: stored.timezone,
    madeAt: time(stored.madeAt),
    entries: Number(stored.entries),
    sha256: stored.sha256,
    numbers: stored.numbers.map(({ kind, ...range }) => {
      const [first, last] = [Number(range.first), Number(range.last)]
      return { kind, first, last, count: last - first + 1 }
    }),
    currencies: currenciesOf(stored.sums, currency),
    reversals: stored.corrections.filter(reversed).map(one => correctionBody(time, one)),
    lateResults: stored.corrections.filter(one => !reversed(one)).map(one => correctionBody(time, one)),
  }
}

/** The partner whose statements are read. @throws ServiceError INVALID_ARGUMENT where a portal names none. */
const partnerOf = ({ principal }: Caller, query: Query): string => {
  const named = textParameter(query, 'partner')
  if (named !== undefined) checkReference('partner', named)
  if (principal.role !== 'partner') {
    if (named !== undefined) return named
    throw invalidField('partner', 'REQUIRED', `must be given by a client of role ${principal.role}`)
  }
  if (named !== undefined && named !== principal.clientId) throw notFound(`Partner ${named}`)
  return principal.clientId
}

const wantsCsv = (query: Query, accept: string | undefined): boolean => {
  const format = wordOf(query, 'format', ['json', 'csv'])
  return format === undefined ? /^\s*text\/csv\b/.test(accept ?? '') : format === 'csv'
}

/** Makes the functions of the two paths. */
export const createStatementReads = (app: App, kinds: Kinds) => {
  const { db } = app
  /** The rows as they were when the statement was made; the log must still have what has changed since. */
  async function* textsOf(stored: Stored) {
    const { clientId, day, timezone, eventUntil } = stored
    const of = { clientId, start: startOfDay(day, timezone), end: startOfNextDay(day, timezone), eventUntil }
    const numbers: NumberRange[] = stored.numbers.map(({ kind, first, last }) => ({
      kind,
      first: BigInt(first),
      last: BigInt(last),
    }))
    yield CSV_HEAD
    for await (const rows of readStatementRows(db, kinds, of, numbers)) yield csvOf(rows)
  }
  const csv = async (stored: Stored) => {
    const { start } = await readBounds(db)
    if (stored.eventUntil < start)
      throw notFound(
        `The rows of the statement of ${stored.day} are no longer kept; its sums are. As CSV it was`,
      )
    const headers = {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="statement-${stored.day}.csv"`,
    }
    return { status: 200, body: Readable.from(textsOf(stored)), headers }
  }
  return {
    /** A page of statements, the newest first unless asked otherwise. @throws ServiceError INVALID_ARGUMENT. */
    async list(caller: Caller, query: Query) {
      requireUnbound(caller.principal, 'listStatements')
      const clientId = partnerOf(caller, query)
      const descending = wordOf(query, 'order', ['desc', 'asc']) !== 'asc'
      const text = textParameter(query, 'after')
      const after = text === undefined ? undefined : parseIsoDate(text)
      if (text !== undefined && after === undefined)
        throw invalidField('after', 'BAD_CURSOR', 'must be the next of an answer, unchanged')
      const limit = limitOf(query)
      const beyond = descending
        ? Prisma.sql`s.day < ${after ?? null}::date`
        : Prisma.sql`s.day > ${after ?? null}::date`
      const inOrder = descending ? Prisma.sql`ORDER BY s.day DESC` : Prisma.sql`ORDER BY s.day`
      const rows = await db.$queryRaw<Stored[]>`
        SELECT ${COLUMNS} FROM activity.statement s WHERE s.client_id = ${clientId}
          AND (${after ?? null}::date IS NULL OR ${beyond}) ${inOrder} LIMIT ${limit + 1}`
      const shown = rows.slice(0, limit)
      return {
        statements: shown.map(row => toBody(row)),
        next: rows.length > limit ? shown.at(-1)!.day : null,
      }
    },
    /** The statement of a day. @throws ServiceError NOT_FOUND where there is none. */
    async get(caller: Caller, date: string, query: Query, accept: string | undefined) {
      requireUnbound(caller.principal, 'getStatement')
      const clientId = partnerOf(caller, query)
      const currency = textParameter(query, 'currency')
      const asCsv = wantsCsv(query, accept)
      const day = parseIsoDate(date)
      const [stored] =
        day === undefined
          ? []
          : await db.$queryRaw<Stored[]>`
              SELECT ${COLUMNS} FROM activity.statement s WHERE s.client_id = ${clientId} AND s.day = ${day}::date`
      if (!stored) throw notFound(`Statement ${date.slice(0, 64)}`)
      recordReach(caller)
      return asCsv ? csv(stored) : { status: 200, body: toBody(stored, currency) }
    },
  }
}
