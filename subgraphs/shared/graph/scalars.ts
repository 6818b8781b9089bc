/** The graph's scalars; kept ones where graphql-scalars has them, and `Decimal`, which is exact on the wire. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { CurrencyResolver, DateTimeISOResolver, PhoneNumberResolver } from 'graphql-scalars'
import { type Decimal, toDecimal, toJsonNumber } from '../values/decimal.ts'

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
  serialize: value => toJsonNumber(toDecimal(String(value))),
  parseValue: parse,
  parseLiteral: node => {
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING)
      return parse(node.value)
    throw new GraphQLError('Decimal must be a number or a string')
  },
})

export const scalars = {
  DateTime: DateTimeISOResolver,
  PhoneNumber: PhoneNumberResolver,
  Currency: CurrencyResolver,
  Decimal: DecimalScalar,
}
