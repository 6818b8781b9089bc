/** Statements of the sound history: of each partner one, with its event, and as the partner reads them. */
import { createHash } from 'node:crypto'
import type { Line } from '#prove/history/lines.ts'
import { kindOf } from '#prove/kinds.ts'
import type { Sample } from './sound.ts'

export const DAY = '2026-11-26'
/** An instant of that day. */
export const CREATED_AT = `${DAY} 03:00:00.000+00`

/** A sample with the number that its client's list has it under. */
export interface Numbered {
  readonly sample: Sample
  readonly id: string
  readonly number: number
}

const isPoints = ({ kind }: Sample) => kind === 'REWARD' || kind === 'REDEMPTION'
const outcomeOf = ({ kind, status }: Sample) => kindOf(kind).outcome[status]!

const sumOf = (sample: Sample) => ({
  currency: isPoints(sample) || !sample.worth ? null : 'OMR',
  kind: sample.kind,
  outcome: outcomeOf(sample),
  count: 1,
  amount: isPoints(sample) ? null : (sample.worth ?? null),
  points: isPoints(sample) ? sample.worth! : null,
})

const HEAD = 'number,kind,id,createdAt,clientCorrelatorId,referenceCode,outcome,amount,currency,points'

const lineOf = ({ sample, id, number }: Numbered) => {
  const { currency, amount, points } = sumOf(sample)
  const { kind, correlator } = sample
  return [number, kind, id, CREATED_AT, correlator, correlator, outcomeOf(sample), amount, currency, points]
    .map(value => value ?? '')
    .join()
}

const rangesOf = (own: readonly Numbered[]) =>
  [...Map.groupBy(own, ({ sample }) => sample.kind)].map(([kind, rows]) => ({
    kind,
    first: `${Math.min(...rows.map(({ number }) => number))}`,
    last: `${Math.max(...rows.map(({ number }) => number))}`,
  }))

export interface Statement {
  /** Rows of tables: the statement and its event. */
  readonly lines: Line[]
  /** Answers: the list of statements, and the rows of the day. */
  readonly list: object
  readonly csv: string
}

/** The statement of a partner. */
export function statementOf(
  client: string,
  own: readonly Numbered[],
  id: string,
  position: number,
  eventUntil: number,
): Statement {
  const csv = `${[HEAD, ...own.map(lineOf)].join('\n')}\n`
  const sha256 = createHash('sha256').update(csv).digest('hex')
  const sums = own.map(({ sample }) => sumOf(sample))
  const numbers = rangesOf(own)
  const row = {
    client_id: client,
    day: DAY,
    id,
    event_until: `${eventUntil}`,
    entries: `${own.length}`,
    sha256,
    numbers: JSON.stringify(numbers),
    sums: JSON.stringify(sums),
    corrections: '[]',
  }
  const event = {
    position: `${position}`,
    eventid: id,
    kind: 'STATEMENT',
    transaction_id: id,
    client_id: client,
  }
  const told = sums.map(({ currency, amount, points, ...sum }) => ({
    currency,
    sums: [{ ...sum, amount: amount && Number(amount), points: points && Number(points) }],
  }))
  const body = { date: DAY, id, sha256, entries: own.length, numbers, currencies: told }
  return {
    lines: [
      { t: 'row', table: 'activity.statement', row },
      { t: 'row', table: 'events.event', row: event },
    ],
    list: { statements: [{ ...body, reversals: [], lateResults: [] }], next: null },
    csv,
  }
}
