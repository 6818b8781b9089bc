/** Checks of daily statements: numbers, sums, outcomes and corrections are those of the tables, and rows are what was digested. */
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { Decimal } from 'decimal.js'
import type { History, Row, Transaction } from '../history/history.ts'
import { localDayOf } from '../kinds.ts'
import { type Check, group, same, sum } from './check.ts'

interface Sum {
  readonly currency: string | null
  readonly kind: string
  readonly outcome: string
  readonly count: number
  readonly amount: string | number | null
  readonly points: string | number | null
}

interface Numbers {
  readonly kind: string
  readonly first: string | number
  readonly last: string | number
}

interface Correction {
  readonly id: string
  readonly corrects: string
  readonly outcome: string
}

/** A statement as a partner is told it. */
interface Told {
  readonly date: string
  readonly sha256: string
  readonly entries: number
  readonly numbers: readonly Numbers[]
  readonly currencies: readonly { currency: string | null; sums: readonly Omit<Sum, 'currency'>[] }[]
  readonly reversals: readonly Correction[]
  readonly lateResults: readonly Correction[]
}

const dayOf = ({ row }: Transaction): string => localDayOf(row['created_at']!)
const keyOf = (client: string, day: string): string => `${client} ${day}`
const statementKey = (row: Row): string => keyOf(row['client_id']!, row['day']!)

/** Facts of days and outcomes as the tables have them. */
class Facts {
  readonly statements: readonly Row[]
  readonly byDay: Map<string, Transaction[]>
  readonly #events: Map<string, Row[]>

  constructor(history: History) {
    this.statements = history.rows('activity.statement')
    this.byDay = group(history.transactions, one => keyOf(one.client, dayOf(one)))
    const sorted = history
      .rows('events.event')
      .toSorted((a, b) => Number(a['position']) - Number(b['position']))
    this.#events = group(sorted, row => row['transaction_id']!)
  }

  /** Events of a transaction behind one position and up to another. */
  eventsOf(id: string, after: number, until: number): Row[] {
    return (this.#events.get(id) ?? []).filter(
      row => Number(row['position']) > after && Number(row['position']) <= until,
    )
  }

  /** Outcome after an event of the log: what has not changed since is as the table has it. */
  outcomeAt({ id, kind, status }: Transaction, position: number): string {
    const last = this.eventsOf(id, -1, position).at(-1)?.['operation_status']
    const hasChanged = this.eventsOf(id, position, Number.POSITIVE_INFINITY).length > 0
    return kind.outcome[last ?? (hasChanged ? kind.initial : status)]!
  }
}

const sumText = ({ currency, kind, outcome, count, amount, points }: Sum): string =>
  `${currency ?? 'none'} ${kind} ${outcome} ${count} ${amount === null ? 'none' : new Decimal(amount)} ${points === null ? 'none' : new Decimal(points)}`

const total = (values: readonly (string | null | undefined)[]): string | null => {
  const given = values.filter(value => value !== null && value !== undefined)
  return given.length > 0 ? sum(given).toString() : null
}

const sumsOf = (facts: Facts, own: readonly Transaction[], until: number): string[] =>
  [
    ...group(own, one => `${one.row['currency']} ${one.kind.name} ${facts.outcomeAt(one, until)}`).values(),
  ].map(rows =>
    sumText({
      currency: rows[0]!.row['currency'] ?? null,
      kind: rows[0]!.kind.name,
      outcome: facts.outcomeAt(rows[0]!, until),
      count: rows.length,
      amount: total(rows.map(({ row }) => row['amount'])),
      points: total(rows.map(({ row }) => row['points'])),
    }),
  )

const numbersOf = (own: readonly Transaction[]): string[] =>
  [...group(own, one => one.kind.name)].map(([kind, rows]) => {
    const positions = rows.map(({ clientPosition }) => clientPosition)
    return `${kind} ${Math.min(...positions)} ${Math.max(...positions)}`
  })

const numbersText = ({ kind, first, last }: Numbers): string => `${kind} ${first} ${last}`

const text = (parts: readonly string[]): string => parts.toSorted().join('; ')

/** The rows of a statement, as its CSV has them. */
const linesOf = (facts: Facts, own: readonly Transaction[], until: number): string[] =>
  own.map(one =>
    [
      one.clientPosition,
      one.kind.name,
      one.id,
      facts.outcomeAt(one, until),
      one.worth === null ? 'none' : new Decimal(one.worth),
    ].join(' '),
  )

const csvLines = (body: string): string[] =>
  (parse(body, { columns: true }) as Record<string, string>[]).map(row =>
    [
      row['number'],
      row['kind'],
      row['id'],
      row['outcome'],
      row['amount'] || row['points'] ? new Decimal((row['amount'] || row['points'])!) : 'none',
    ].join(' '),
  )

/** Finds what contradicts one statement. */
function* wrongIn(facts: Facts, statement: Row): Generator<string> {
  const name = `the statement of ${statementKey(statement)}`
  const own = facts.byDay.get(statementKey(statement)) ?? []
  const until = Number(statement['event_until'])
  if (Number(statement['entries']) !== own.length)
    yield `${name} counts ${statement['entries']}, and the tables ${own.length}`
  const numbers = text((JSON.parse(statement['numbers']!) as Numbers[]).map(numbersText))
  if (numbers !== text(numbersOf(own))) yield `${name} has ${numbers}, and the tables ${text(numbersOf(own))}`
  const sums = text((JSON.parse(statement['sums']!) as Sum[]).map(sumText))
  const wanted = text(sumsOf(facts, own, until))
  if (sums !== wanted) yield `${name} sums up ${sums}, and the tables ${wanted}`
}

/** Changes after the statement of a day stand in exactly one later one. */
function* wrongCorrections(facts: Facts, lastEvent: number): Generator<string> {
  for (const [client, own] of group(facts.statements, row => row['client_id']!)) {
    const found = group(
      own.flatMap(row => JSON.parse(row['corrections']!) as Correction[]),
      ({ id }) => id,
    )
    for (const statement of own)
      for (const one of facts.byDay.get(statementKey(statement)) ?? []) {
        const later = facts.eventsOf(one.id, Number(statement['event_until']), lastEvent)
        const wanted = later.map(row => `${statement['day']} ${one.kind.outcome[row['operation_status']!]}`)
        const told = (found.get(one.id) ?? []).map(({ corrects, outcome }) => `${corrects} ${outcome}`)
        if (text(told) !== text(wanted))
          yield `${client}: ${one.id} is corrected by ${text(told) || 'nothing'}, and should be by ${text(wanted) || 'nothing'}`
      }
  }
}

/** Answers about statements, beside what is stored. */
function* wrongAnswers(history: History, facts: Facts): Generator<string> {
  const stored = new Map(facts.statements.map(row => [statementKey(row), row]))
  for (const { call, answer } of history.of('final-statements')) {
    const told = (answer?.body as { statements?: readonly Told[] } | undefined)?.statements
    if (!told) yield `${call.client} was told no statements (call #${call.n})`
    const mine = facts.statements.filter(row => row['client_id'] === call.client)
    if (told && told.length !== mine.length)
      yield `${call.client} was told ${told.length} statements of ${mine.length} (call #${call.n})`
    for (const one of told ?? []) {
      const row = stored.get(keyOf(call.client, one.date))
      const sums = one.currencies.flatMap(({ currency, sums }) =>
        sums.map(each => sumText({ currency, ...each })),
      )
      const kept = row && text((JSON.parse(row['sums']!) as Sum[]).map(sumText))
      const corrections = [...one.reversals, ...one.lateResults].length
      if (
        row?.['sha256'] !== one.sha256 ||
        !same(row['entries']!, one.entries) ||
        kept !== text(sums) ||
        corrections !== (JSON.parse(row['corrections']!) as Correction[]).length
      )
        yield `${call.client} was told of ${one.date} what is not stored (call #${call.n})`
    }
  }
  for (const { call, answer } of history.of('final-statement')) {
    const key = keyOf(call.client, String(call.about!['day']))
    const row = stored.get(key)
    const body = String(answer?.body)
    if (answer?.status !== 200 || !row) {
      yield `the rows of ${key} were not given (call #${call.n})`
      continue
    }
    if (createHash('sha256').update(body).digest('hex') !== row['sha256'])
      yield `the rows of ${key} have another digest than the statement (call #${call.n})`
    const wanted = text(linesOf(facts, facts.byDay.get(key) ?? [], Number(row['event_until'])))
    if (text(csvLines(body)) !== wanted)
      yield `the rows of ${key} are not those of the tables (call #${call.n})`
  }
}

/** Statements that are missing up to the last day that was made, and events that are. */
function* missing(history: History, facts: Facts): Generator<string> {
  const [progress] = history.rows('activity.statement_progress')
  if (!progress) return
  const there = new Set(facts.statements.map(statementKey))
  const firstDay = facts.statements.map(row => row['day']!).toSorted()[0]
  for (const [key, [one]] of facts.byDay) {
    const day = dayOf(one!)
    if (firstDay !== undefined && day >= firstDay && day <= progress['day']! && !there.has(key))
      yield `there is no statement of ${key}`
  }
  const today = localDayOf(new Date(history.run.at).toISOString())
  if (history.of('final-statements').length > 0 && progress['day']! < today)
    yield `statements are made up to ${progress['day']}, and the run was on ${today}`
  const events = group(
    history.rows('events.event').filter(row => row['kind'] === 'STATEMENT'),
    row => row['transaction_id']!,
  )
  for (const row of facts.statements) {
    const count = events.get(row['id']!)?.length ?? 0
    if (count > 1 || (count === 0 && row['day']! >= today))
      yield `the statement of ${statementKey(row)} has ${count} events`
    events.delete(row['id']!)
  }
  for (const id of events.keys()) yield `there is an event of the statement ${id}, which is not there`
}

export const STATEMENT_CHECKS: readonly Check[] = [
  {
    name: 'statements-equal-tables',
    claim:
      'each day of a client has one statement, whose numbers, sums, corrections and rows are those of the tables, to the last digit',
    *find(history) {
      const facts = new Facts(history)
      for (const statement of facts.statements) yield* wrongIn(facts, statement)
      yield* wrongCorrections(
        facts,
        Number(history.rows('activity.statement_progress')[0]?.['event_until'] ?? 0),
      )
      yield* wrongAnswers(history, facts)
      yield* missing(history, facts)
    },
  },
]
