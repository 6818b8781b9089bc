/** Scalars of the graph: those of graphql-scalars where it has them, and `Decimal`, exact on the wire. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { CurrencyResolver, DateTimeISOResolver } from 'graphql-scalars'
import { Decimal, toDecimal, toNearestNumber } from '../values/money.ts'
import { findPhone, showPhone } from '../values/phone.ts'
import { CalendarDay, type Moment, parseIsoDate } from '../values/time.ts'

/** Significant digits that a JSON number carries exactly. */
export const MAX_DIGITS = 15
/** Characters of a number: far more than 15 digits with sign, point, zeros and exponent need. */
const MAX_TEXT = 64

const BAD_DECIMAL = `Decimal must be a number with at most ${MAX_DIGITS} significant digits, in the range of JSON numbers`

/** Whether a double can hold a number; the service decides whether the amount can be posted. */
const fits = (value: Decimal) => {
  const number = value.toNumber()
  return value.precision() <= MAX_DIGITS && Number.isFinite(number) && (number === 0) === value.isZero()
}

/** Parses a number; a text that is too long counts as a number with too many digits if it begins as a number. */
const decimalIn = (text: string): Decimal | undefined => {
  if (text.length > MAX_TEXT) return /^[+-]?\d/.test(text) ? new Decimal(Number.NaN) : undefined
  try {
    return toDecimal(text)
  } catch {
    return undefined
  }
}

/** Parses a Decimal. The errors of all scalars quote no value, so they need no redaction. */
const parse = (value: unknown): Decimal => {
  if (typeof value !== 'number' && typeof value !== 'string')
    throw new GraphQLError('Decimal must be a number or a string')
  const decimal = decimalIn(String(value))
  if (!decimal) throw new GraphQLError('Decimal must be a number or its text')
  if (!fits(decimal)) throw new GraphQLError(BAD_DECIMAL)
  return decimal
}

/** Whether a value is a decimal already, as in rows and balances: read again as text it would be the same number. */
const isFiniteDecimal = (value: unknown): value is Decimal => Decimal.isDecimal(value) && value.isFinite()

/** Decimals as the database writes them. */
const PLAIN = /^-?\d+(\.\d+)?$/

/** The nearest number of a decimal. A plain text is read as a number at once, which is what comes of its decimal. */
const serialize = (value: unknown): number => {
  if (typeof value === 'string' && PLAIN.test(value)) return Number(value) + 0
  return toNearestNumber(isFiniteDecimal(value) ? value : toDecimal(String(value)))
}

/** Money and points: serialized as a JSON number that round-trips, parsed from a number or a string. */
export const DecimalScalar = new GraphQLScalarType<Decimal, number>({
  name: 'Decimal',
  serialize,
  parseValue: parse,
  parseLiteral: node => {
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING)
      return parse(node.value)
    throw new GraphQLError('Decimal must be a number or a string')
  },
})

/** Country code and time zone of the operator, for values without them. */
export interface Locale {
  readonly countryCode: string
  readonly timezone: string
}

/** Number of ITU-T E.164 with a plus, of any country; whether it is assigned there is not checked. */
const E164 = /^\+[1-9]\d{6,14}$/

const BAD_PHONE =
  'PhoneNumber must be digits with country code, such as +96891000001 or 96891000001, or a national number'

/** Makes the scalar of phone numbers: that of graphql-scalars takes spaces and brackets, and no national numbers. */
const phoneNumber = (countryCode: string) => {
  const parse = (value: unknown): string => {
    if (typeof value !== 'string') throw new GraphQLError(BAD_PHONE)
    if (E164.test(value)) return value
    const digits = value.startsWith('+') ? undefined : findPhone(value, countryCode)
    if (digits) return showPhone(digits)
    throw new GraphQLError(BAD_PHONE)
  }
  return new GraphQLScalarType<string, string>({
    name: 'PhoneNumber',
    serialize: parse,
    parseValue: parse,
    parseLiteral: node => parse(node.kind === Kind.STRING ? node.value : undefined),
  })
}

/** Makes a scalar whose errors describe a right value and do not quote the wrong one. */
const redacted = <In, Out>(
  name: string,
  scalar: GraphQLScalarType<In, Out>,
  rule: string,
  holds: (value: In) => boolean = () => true,
): GraphQLScalarType<In, Out> => {
  const parseOnly = (read: () => In): In => {
    try {
      const value = read()
      if (holds(value)) return value
    } catch {}
    throw new GraphQLError(`${name} must be ${rule}`)
  }
  return new GraphQLScalarType<In, Out>({
    ...scalar.toConfig(),
    name,
    parseValue: value => parseOnly(() => scalar.parseValue(value)),
    parseLiteral: (node, variables) => parseOnly(() => scalar.parseLiteral(node, variables)),
  })
}

/** Whether a year has four digits, as in RFC 3339 §1; most systems have no year 0. */
const isOfFourDigits = (instant: Date) => {
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9_999
}

const Instant = redacted(
  'DateTime',
  DateTimeISOResolver,
  'a date-time of RFC 3339 in the years 0001 to 9999, such as 2026-11-22T10:00:00Z, or in a filter a date',
  isOfFourDigits,
)

/** Makes the scalar of instants. A date stays a date until the filter decides which end of a span it is (`values/time.ts`). */
const dateTime = (timezone: string) => {
  const dayOf = (value: unknown) => {
    const day = typeof value === 'string' ? parseIsoDate(value) : undefined
    return day === undefined ? undefined : new CalendarDay(day, timezone)
  }
  return new GraphQLScalarType<Moment, unknown>({
    ...Instant.toConfig(),
    parseValue: value => dayOf(value) ?? Instant.parseValue(value),
    parseLiteral: (node, variables) =>
      dayOf(node.kind === Kind.STRING ? node.value : undefined) ?? Instant.parseLiteral(node, variables),
  })
}

/** Makes a scalar whose errors have the place of the literal, which graphql-js does not add to a GraphQLError. */
const located = <In, Out>(scalar: GraphQLScalarType<In, Out>): GraphQLScalarType<In, Out> =>
  new GraphQLScalarType<In, Out>({
    ...scalar.toConfig(),
    parseLiteral(node, variables) {
      try {
        return scalar.parseLiteral(node, variables)
      } catch (error) {
        throw new GraphQLError((error as Error).message, { nodes: node })
      }
    },
  })

/** Makes the scalars of every schema, by their names. */
export const createScalars = ({ countryCode, timezone }: Locale) => ({
  DateTime: located(dateTime(timezone)),
  PhoneNumber: located(phoneNumber(countryCode)),
  Currency: located(redacted('Currency', CurrencyResolver, 'a currency code of ISO 4217 such as OMR')),
  Decimal: located(DecimalScalar),
})
