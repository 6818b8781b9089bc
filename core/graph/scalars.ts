/** The graph's scalars; kept ones where graphql-scalars has them, and `Decimal`, which is exact on the wire. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { CurrencyResolver, DateTimeISOResolver } from 'graphql-scalars'
import { Decimal, toDecimal, toNearestNumber } from '../values/decimal.ts'
import { findPhone, showPhone } from '../values/phone.ts'
import { CalendarDay, type Moment, parseIsoDate } from '../values/time.ts'

/** What a JSON number carries exactly. */
export const MAX_DIGITS = 15
/** A sign, a point, zeros before and after, an exponent: far more than any number of 15 digits needs. */
const MAX_TEXT = 64

const BAD_DECIMAL = `Decimal must be a number with at most ${MAX_DIGITS} significant digits, in the range of JSON numbers`

/** Neither too large nor too small for a double: whether the amount can be posted is said by whoever posts it. */
const fits = (value: Decimal) => {
  const number = value.toNumber()
  return value.precision() <= MAX_DIGITS && Number.isFinite(number) && (number === 0) === value.isZero()
}

/** What is too long for a number of so many digits is told as one of too many, if a number it is. */
const decimalIn = (text: string): Decimal | undefined => {
  if (text.length > MAX_TEXT) return /^[+-]?\d/.test(text) ? new Decimal(Number.NaN) : undefined
  try {
    return toDecimal(text)
  } catch {
    return undefined
  }
}

/** Its errors quote nothing, here and below: whoever formats them need not know the words of each scalar. */
const parse = (value: unknown): Decimal => {
  if (typeof value !== 'number' && typeof value !== 'string')
    throw new GraphQLError('Decimal must be a number or a string')
  const decimal = decimalIn(String(value))
  if (!decimal) throw new GraphQLError('Decimal must be a number or its text')
  if (!fits(decimal)) throw new GraphQLError(BAD_DECIMAL)
  return decimal
}

/** Money and points: out as a JSON number that round-trips, in from a number or a string. */
export const DecimalScalar = new GraphQLScalarType<Decimal, number>({
  name: 'Decimal',
  serialize: value => toNearestNumber(toDecimal(String(value))),
  parseValue: parse,
  parseLiteral: node => {
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING)
      return parse(node.value)
    throw new GraphQLError('Decimal must be a number or a string')
  },
})

/** The operator's country code and time zone, in which a client may leave them out. */
export interface Locale {
  readonly countryCode: string
  readonly timezone: string
}

/** ITU-T E.164: with its plus a number is any country's, and whether it is possible there is not looked at. */
const E164 = /^\+[1-9]\d{6,14}$/

const BAD_PHONE =
  'PhoneNumber must be digits with country code, such as +96891000001 or 96891000001, or a national number'

/** Stricter than the one of graphql-scalars, which takes spaces and brackets, and reads no national numbers. */
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

/** A scalar of graphql-scalars that says of a wrong value what a right one is, and not what the value was. */
const quiet = <In, Out>(
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

/** RFC 3339 §1: the years 0 to 9999; year 0 is none in the calendar of most systems. */
const isOfFourDigits = (instant: Date) => {
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9_999
}

const Instant = quiet(
  'DateTime',
  DateTimeISOResolver,
  'a date-time of RFC 3339 in the years 0001 to 9999, such as 2026-11-22T10:00:00Z, or in a filter a date',
  isOfFourDigits,
)

/** A date stays one until it is known which end of a span it is (`values/time.ts`). */
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

/** A scalar whose refusals of literals say where they stand: graphql-js adds that to no GraphQLError. */
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

/** The scalars of every schema, by their names. */
export const createScalars = ({ countryCode, timezone }: Locale) => ({
  DateTime: located(dateTime(timezone)),
  PhoneNumber: located(phoneNumber(countryCode)),
  Currency: located(quiet('Currency', CurrencyResolver, 'a currency code of ISO 4217 such as OMR')),
  Decimal: located(DecimalScalar),
})
