/**
 * Making of daily statements. A day that is over is read in one snapshot, so that rows, sums and outcomes belong together;
 * statements, their events and the progress are one commit. So each day has its statements once, however often and wherever
 * it is tried, and after an outage the days that were missed are made up for.
 */
import { createHash } from 'node:crypto'
import type { App } from '#core/context/app.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { lockSequence } from '#core/data/gapless-sequence.ts'
import { appendAccountEvents } from '#core/events/account.ts'
import { readBounds } from '#core/events/read.ts'
import { tableOf } from '#core/transactions/kind.ts'
import { newId } from '#core/values/id.ts'
import { localDay, startOfDay, startOfNextDay } from '#core/values/time.ts'
import type { Kinds } from '../kinds.ts'
import { readCorrections, type StoredCorrection } from './corrections.ts'
import {
  CSV_HEAD,
  csvOf,
  kindsInOrder,
  type NumberRange,
  readNumbers,
  readStatementRows,
  type StatementDay,
} from './rows.ts'
import { type StoredSum, Sums } from './sums.ts'

/** Time after the end of a day before its statements are made, in milliseconds: most of what was posted has ended by then. */
const GRACE_MS = 60_000
/** Days that the first start makes statements of, without events: who begins to use them has something to look at. */
const FIRST_DAYS = 7
const DAY_MS = 86_400_000
/** Longest time for the statements of a day, in milliseconds. */
const TIMEOUT_MS = 1_800_000

/** Parts of a process that make statements. */
type Parts = Pick<App, 'db' | 'config' | 'log' | 'eventsWritten'>

interface Made {
  readonly clientId: string
  readonly id: string
  readonly entries: bigint
  readonly sha256: string
  readonly numbers: readonly { kind: string; first: string; last: string }[]
  readonly sums: readonly StoredSum[]
  readonly corrections: readonly StoredCorrection[]
}

/** Finds the clients that posted on the day. */
const readClients = async (tx: Statements, kinds: Kinds, start: Date, end: Date): Promise<string[]> => {
  const selects = kinds.map(
    kind => Prisma.sql`
      SELECT DISTINCT t.client_id AS id FROM ${tableOf(kind)} t
      WHERE t.created_at >= ${start}::timestamptz AND t.created_at < ${end}::timestamptz`,
  )
  const rows = await tx.$queryRaw<{ id: string }[]>`${Prisma.join(selects, ' UNION ')}`
  return rows.map(({ id }) => id)
}

const makeOne = async (
  tx: Statements,
  kinds: Kinds,
  day: StatementDay,
  corrections: readonly StoredCorrection[],
  progress: () => void,
): Promise<Made> => {
  const numbers: NumberRange[] = []
  for (const kind of kindsInOrder(kinds)) {
    const range = await readNumbers(tx, kind, day)
    if (range) numbers.push(range)
  }
  const [hash, sums] = [createHash('sha256').update(CSV_HEAD), new Sums()]
  let entries = 0n
  for await (const rows of readStatementRows(tx, kinds, day, numbers)) {
    hash.update(csvOf(rows))
    for (const row of rows) sums.add(row)
    entries += BigInt(rows.length)
    progress()
  }
  return {
    clientId: day.clientId,
    id: newId(),
    entries,
    sha256: hash.digest('hex'),
    numbers: numbers.map(({ kind, first, last }) => ({ kind, first: `${first}`, last: `${last}` })),
    sums: sums.stored,
    corrections,
  }
}

/** A day with the part of the event log that its corrections come from. */
interface DayToMake {
  readonly day: string
  readonly eventsAfter: bigint | undefined
  /** Whether no statement was made before. */
  readonly isFirst: boolean
}

interface DayRead {
  readonly made: readonly Made[]
  readonly eventUntil: bigint
}

/** Waits for what is being written: every row of a day that is over is committed after this. @returns the clock. */
const passBarrier = (app: Parts, kinds: Kinds): Promise<Date> =>
  app.db.$transaction(async tx => {
    let now = new Date(0)
    for (const kind of kindsInOrder(kinds)) {
      const head = await lockSequence(tx, kind)
      if (head.now > now) now = head.now
    }
    return now
  })

const TURN = 'partner-graph statements'

/** Reads a day in one snapshot; undefined where another process is at it. */
const readDay = (app: Parts, kinds: Kinds, { day, eventsAfter }: DayToMake, progress: () => void) =>
  app.db.$transaction(
    async (tx): Promise<DayRead | undefined> => {
      await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`
      const [turn] = await tx.$queryRaw<
        [{ mine: boolean }]
      >`SELECT pg_try_advisory_xact_lock(hashtext(${TURN})) AS mine`
      if (!turn.mine) return undefined
      const { timezone } = app.config
      const [start, end] = [startOfDay(day, timezone), startOfNextDay(day, timezone)]
      const { head: eventUntil } = await readBounds(tx)
      const range = [eventsAfter ?? eventUntil, eventUntil] as const
      const corrections = await readCorrections(tx, kinds, range, start, timezone)
      const clients = new Set([...(await readClients(tx, kinds, start, end)), ...corrections.keys()])
      const made: Made[] = []
      for (const clientId of [...clients].toSorted()) {
        const one = { clientId, start, end, eventUntil }
        made.push(await makeOne(tx, kinds, one, corrections.get(clientId) ?? [], progress))
      }
      return { made, eventUntil }
    },
    { timeout: TIMEOUT_MS, plans: 'anew' },
  )

/** Writes the statements of a day, unless another process has done so meanwhile. @returns whether it did. */
const writeDay = (app: Parts, day: string, { made, eventUntil }: DayRead, announced: boolean) =>
  app.db.$transaction(
    async tx => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${TURN}))`
      const [progress] = await tx.$queryRaw<{ day: string }[]>`
        SELECT day::text AS day FROM activity.statement_progress FOR UPDATE`
      if (progress && progress.day >= day) return false
      await tx.$executeRaw`
        INSERT INTO activity.statement (client_id, day, id, made_at, event_until, timezone, entries, sha256, numbers, sums, corrections)
        SELECT s."clientId", ${day}::date, s.id, date_trunc('milliseconds', clock_timestamp()), ${eventUntil}::bigint,
          ${app.config.timezone}, s.entries, s.sha256, s.numbers, s.sums, s.corrections
        FROM jsonb_to_recordset(${JSON.stringify(made.map(one => ({ ...one, entries: `${one.entries}` })))}::jsonb) AS s (
          "clientId" text, id uuid, entries bigint, sha256 text, numbers jsonb, sums jsonb, corrections jsonb)`
      await tx.$executeRaw`
        INSERT INTO activity.statement_progress (is_only, day, event_until) VALUES (TRUE, ${day}::date, ${eventUntil}::bigint)
        ON CONFLICT (is_only) DO UPDATE SET day = excluded.day, event_until = excluded.event_until`
      if (announced)
        await appendAccountEvents(
          tx,
          made.map(({ clientId, id, entries, sha256 }) => ({
            kind: 'STATEMENT',
            eventType: 'STATEMENT_READY',
            clientId,
            id,
            description: `The statement of ${day} is ready`,
            detail: { date: day, entries: Number(entries), sha256, path: `/partner/v1/statements/${day}` },
          })),
        )
      return true
    },
    { timeout: TIMEOUT_MS },
  )

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)

/** Finds the next day to make; undefined where there is none yet. */
const nextDay = async (app: Parts, kinds: Kinds): Promise<DayToMake | undefined> => {
  const [progress] = await app.db.$queryRaw<{ day: string; eventUntil: bigint }[]>`
    SELECT day::text AS day, event_until AS "eventUntil" FROM activity.statement_progress`
  const over = (now: Date) => daysBefore(localDay(new Date(now.getTime() - GRACE_MS), app.config.timezone), 1)
  // Asked of this process's clock first, so that sequences are not locked each time for nothing.
  if (progress && dayAfter(progress.day) > over(new Date())) return undefined
  const last = over(await passBarrier(app, kinds))
  const day = progress ? dayAfter(progress.day) : daysBefore(last, FIRST_DAYS - 1)
  if (day > last) return undefined
  return { day, eventsAfter: progress?.eventUntil, isFirst: progress === undefined }
}

/**
 * Makes the statements of all days that are over and have none, day by day.
 * @param isStopping whether to leave the rest to the next round.
 * @param progress called after each step.
 */
export async function makeStatements(
  app: Parts,
  kinds: Kinds,
  isStopping: () => boolean = () => false,
  progress: () => void = () => undefined,
): Promise<void> {
  // Days from before the first start are past: nobody waits for their statements.
  let announced = true
  while (!isStopping()) {
    const day = await nextDay(app, kinds)
    if (!day) return
    if (day.isFirst) announced = false
    const read = await readDay(app, kinds, day, progress)
    if (!read) return
    const isMade = await writeDay(app, day.day, read, announced)
    progress()
    if (!isMade) continue
    app.log.info({ day: day.day, statements: read.made.length }, 'daily statements are made')
    if (announced && read.made.length > 0) app.eventsWritten.emit()
  }
}
