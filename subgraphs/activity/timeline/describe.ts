/** One line for a person who reads down a timeline. */
import { Decimal, toDecimal } from '../../shared/values/decimal.ts'
import { currencyDecimals } from '../../shared/values/money.ts'
import { showPhone } from '../../shared/values/phone.ts'
import type { TimelineRow } from './read.ts'

/** Shorter ones are short codes, which have no country. */
const SHORTEST_NUMBER = 7

const showNumber = (number: string | null) =>
  number === null || number.length < SHORTEST_NUMBER ? (number ?? '') : showPhone(number)

const showMoney = ({ amount, currency }: TimelineRow) =>
  amount && currency
    ? `${toDecimal(String(amount)).toFixed(currencyDecimals(currency))} ${currency}`
    : 'money'

const showPoints = ({ points }: TimelineRow) => {
  const number = points ? toDecimal(String(points)) : new Decimal(0)
  return number.equals(1) ? '1 point' : `${number} points`
}

const PHRASES: Readonly<Record<string, (row: TimelineRow) => string>> = {
  PAYMENT: row => `Payment of ${showMoney(row)} on account ${row.accountNumber}`,
  RECHARGE: row => `Recharge of ${showMoney(row)} for ${showNumber(row.mobileNumber)}`,
  REWARD: row => `Reward of ${showPoints(row)} to ${showNumber(row.mobileNumber)}`,
  REDEMPTION: row => `Redemption of ${showPoints(row)} by ${showNumber(row.mobileNumber)}`,
}

/** What the entry is, and what the client said it is for. The text of a message is nobody else's business. */
export const describeEntry = (row: TimelineRow): string => {
  if (row.kind === 'MESSAGE') return `SMS from ${row.text} to ${showNumber(row.mobileNumber)}`
  const phrase = PHRASES[row.kind]!(row)
  return row.text ? `${phrase}: ${row.text}` : phrase
}
