/** The fields of the import, and what each may hold. */
import { LINE_KINDS } from './directory.ts'

/** Why a value is refused; the caller knows where it stands. */
export class InvalidField extends Error {}

/** What is stored; null for nothing. */
export type Value = string | number | boolean | null

/** Turns what stands in the file into what is stored; throws Wrong. */
export type Rule = (value: unknown) => Value

const MAX_TEXT = 256
const MAX_NUMBER = 64
/** Control characters would not survive terminals and CSV; U+FFFD is what other encodings than UTF-8 turn into. */
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
