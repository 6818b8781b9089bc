/** Description of an entry: one line for a person who reads a timeline. */
import type { TransactionKind } from '#core/transactions/kind.ts'
import { Decimal, toDecimal } from '#core/values/decimal.ts'
import { currencyDecimals } from '#core/values/money.ts'
import { showPhone } from '#core/values/phone.ts'
import type { TimelineRow } from './entry.ts'

/** Columns of an entry that a description uses. */
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

/** Fewest digits of a phone number; shorter ones are short codes, which have no country code. */
const SHORTEST_NUMBER = 7

/** Number as the graph shows it; a short code as it is. */
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

/** Values of a phrase, by the name in braces. */
const PARTS: Readonly<Record<string, (row: Described) => string>> = {
  money: showMoney,
  points: showPoints,
  account: row => `${row.accountNumber}`,
  number: row => showNumber(row.mobileNumber),
  text: row => row.text,
}

const PART = /\{(\w+)\}/g

/** Checks a phrase. @throws Error for a name in braces that has no value. */
export const checkPhrase = (kind: string, phrase: string): void => {
  const unknown = [...phrase.matchAll(PART)].find(([, name]) => !(name! in PARTS))
  if (unknown) throw new Error(`The phrase of ${kind} has an unknown part: ${unknown[0]}`)
}

/** Describes an entry by its kind's phrase and the client's own text. */
export const describeEntry = ({ timeline: { phrase } }: TransactionKind, row: Described): string => {
  const line = phrase.replace(PART, (_, name: string) => PARTS[name]!(row))
  return row.text && !phrase.includes('{text}') ? `${line}: ${row.text}` : line
}
