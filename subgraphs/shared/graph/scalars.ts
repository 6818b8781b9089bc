/** The graph's scalars; kept ones where graphql-scalars has them, and `Decimal`, which is exact on the wire. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { CurrencyResolver, DateTimeISOResolver } from 'graphql-scalars'
import { type Decimal, toDecimal, toNearestNumber } from '../values/decimal.ts'

const parse = (value: unknown): Decimal => {
  if (typeof value !== 'number' && typeof value !== 'string')
    throw new GraphQLError('Decimal must be a number or a string')
  try {
    return toDecimal(value)
  } catch {
    throw new GraphQLError(`Decimal cannot be ${JSON.stringify(value)}`)
  }
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

/** ITU-T E.164 with its plus: without one, a national number could be read as another country's. */
const E164 = /^\+[1-9]\d{6,14}$/

const phoneNumber = (value: unknown): string => {
  if (typeof value === 'string' && E164.test(value)) return value
  throw new GraphQLError('PhoneNumber must be a plus and digits with country code, such as +96891000001')
}

/** Stricter than the one of graphql-scalars, which takes spaces, brackets, and numbers without a country code. */
const PhoneNumberScalar = new GraphQLScalarType<string, string>({
  name: 'PhoneNumber',
  serialize: phoneNumber,
  parseValue: phoneNumber,
  parseLiteral: node => phoneNumber(node.kind === Kind.STRING ? node.value : undefined),
})

export const scalars = {
  DateTime: DateTimeISOResolver,
  PhoneNumber: PhoneNumberScalar,
  Currency: CurrencyResolver,
  Decimal: DecimalScalar,
}
