/** One line for a person who reads down a timeline. */
import type { TransactionKind } from '#core/transactions/kind.ts'
import { Decimal, toDecimal } from '#core/values/decimal.ts'
import { currencyDecimals } from '#core/values/money.ts'
import { showPhone } from '#core/values/phone.ts'
import type { TimelineRow } from './entry.ts'

/** What a line speaks of. */
export const DESCRIBED = [
  'kind',
  'text',
  'accountNumber',
  'mobileNumber',
  'amount',
  'currency',
  'points',
] as const

type Described = Pick<TimelineRow, (typeof DESCRIBED)[number]>

/** Shorter ones are short codes, which have no country. */
const SHORTEST_NUMBER = 7

/** A number as the graph shows it; a short code as it is. */
export const showNumber = (number: string | null) =>
  number === null || number.length < SHORTEST_NUMBER ? (number ?? '') : showPhone(number)

const showMoney = ({ amount, currency }: Described) =>
  amount && currency
    ? `${toDecimal(String(amount)).toFixed(currencyDecimals(currency))} ${currency}`
    : 'money'

const showPoints = ({ points }: Described) => {
  const number = points ? toDecimal(String(points)) : new Decimal(0)
  return number.equals(1) ? '1 point' : `${number} points`
}

/** What a phrase can speak of, by its name in braces. */
const PARTS: Readonly<Record<string, (row: Described) => string>> = {
  money: showMoney,
  points: showPoints,
  account: row => `${row.accountNumber}`,
  number: row => showNumber(row.mobileNumber),
  text: row => row.text,
}

const PART = /\{(\w+)\}/g

/** @throws Error for a phrase that speaks of something else. */
export const checkPhrase = (kind: string, phrase: string): void => {
  const unknown = [...phrase.matchAll(PART)].find(([, name]) => !(name! in PARTS))
  if (unknown) throw new Error(`The phrase of ${kind} has an unknown part: ${unknown[0]}`)
}

/** What the entry is, and what the client said it is for. */
export const describeEntry = ({ timeline: { phrase } }: TransactionKind, row: Described): string => {
  const line = phrase.replace(PART, (_, name: string) => PARTS[name]!(row))
  return row.text && !phrase.includes('{text}') ? `${line}: ${row.text}` : line
}
