/** The fields of the import and their rules; a row's values are read by them, and each fault is reported by its place. */

import { ServiceError } from '../errors/catalogue.ts'
import { parsePhone } from '../values/phone.ts'
import { LINE_KINDS } from './directory.ts'
import type { AccountRow, IssueList, LineRow } from './rows.ts'

/** The reason why a value is refused; the caller knows where it stands. */
class InvalidField extends Error {}

/** A value as it is stored; null for nothing. */
export type Value = string | number | boolean | null

/** Turns a value of the file into the stored one. @throws InvalidField saying what is wrong with it. */
type Rule = (value: unknown) => Value

const MAX_TEXT = 256
const MAX_NUMBER = 64
/**
 * Characters that are refused: control characters would not survive terminals and CSV; U+FFFD stands for text of
 * another encoding than UTF-8.
 */
const UNREADABLE = /[\p{Cc}\uFFFD]/u

const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

const fail = (why: string): never => {
  throw new InvalidField(why)
}

const optional =
  (rule: Rule): Rule =>
  value =>
    isAbsent(value) ? null : rule(value)

const required =
  (rule: Rule): Rule =>
  value =>
    isAbsent(value) ? fail('is required') : rule(value)

const text =
  (max: number) =>
  (value: unknown): string => {
    if (typeof value !== 'string') return fail('must be a text')
    const trimmed = value.trim()
    if (trimmed === '') return fail('must not be blank')
    if (trimmed.length > max) return fail(`must not be longer than ${max} characters`)
    if (UNREADABLE.test(trimmed) || !trimmed.isWellFormed()) return fail('must be readable UTF-8 text')
    return trimmed
  }

const oneOf =
  <T extends string | number>(...allowed: T[]): Rule =>
  value =>
    allowed.find(each => each === value || String(each) === value) ??
    fail(`must be one of ${allowed.join(', ')}`)

const decimal =
  (pattern: RegExp, what: string): Rule =>
  value => {
    const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
    return pattern.test(digits) ? digits : fail(`must be ${what}`)
  }

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const flag: Rule = value => FLAGS.get(String(value).toLowerCase()) ?? fail('must be true or false')

const amount = decimal(
  /^-?\d{1,12}(\.\d{1,3})?$/,
  'a decimal number with at most 12 digits before and 3 after the point',
)
const points = decimal(
  /^\d{1,12}(\.\d{1,2})?$/,
  'a decimal number of 0 or more, with at most 2 digits after the point',
)

export const ACCOUNT_FIELDS = {
  customerAccountNumber: required(text(MAX_NUMBER)),
  customerName: optional(text(MAX_TEXT)),
  customerStatus: optional(oneOf('ACTIVE', 'PENDING', 'NEW')),
  customerType: optional(oneOf(9, 11, 12, 14, 200, 203)),
  acctCategory: optional(text(MAX_TEXT)),
  collectionIndicator: optional(oneOf('ACCOUNT IN COLLECTIONS', 'ACCOUNT NOT IN COLLECTIONS')),
  custAddr1: optional(text(MAX_TEXT)),
  custAddr2: optional(text(MAX_TEXT)),
  custAddr3: optional(text(MAX_TEXT)),
  totalDues: optional(amount),
  closed: optional(flag),
} satisfies Record<string, Rule>

export const LINE_FIELDS = {
  kind: required(oneOf(...LINE_KINDS)),
  number: required(text(MAX_NUMBER)),
  active: value => (isAbsent(value) ? true : flag(value)),
  prepaidBalance: optional(amount),
  pointsBalance: optional(points),
} satisfies Record<string, Rule>

type Fields = Record<string, Rule>

const readValue = (row: AccountRow | LineRow, name: string, rule: Rule, issues: IssueList): Value => {
  try {
    return rule(row.values[name])
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error
    issues.add(`${row.at(name)} ${error.message}`)
    return null
  }
}

/** Reads the values of a row's fields; null for what is absent or wrong. An unknown field is a fault too. */
export function readFields<F extends Fields>(row: AccountRow | LineRow, fields: F, issues: IssueList) {
  for (const name of Object.keys(row.values)) {
    if (!Object.hasOwn(fields, name)) issues.add(`${row.at(name)} is not a field of the directory`)
  }
  const values: Record<string, Value> = {}
  for (const name of Object.keys(fields)) values[name] = readValue(row, name, fields[name]!, issues)
  return values as { [Name in keyof F]: Value }
}

/** Reads a phone or fixed line number as digits with country code; null when it cannot be one. */
export function readPhone(row: LineRow, text: string, countryCode: string, issues: IssueList): string | null {
  try {
    return parsePhone(row.at('number'), text, countryCode)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    issues.add(error.message)
    return null
  }
}
