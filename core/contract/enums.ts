/** Enumerations of the graph that say of a wrong value what it was and what it may be. */
import { GraphQLEnumType, GraphQLError, type GraphQLSchema, Kind } from 'graphql'
import { shown } from '../values/text.ts'

/** Other texts would have to be escaped, and are no value of any enumeration. */
const SHOWABLE = /^[\w .-]{1,64}$/

/** `PaymentMethod must be one of cash, credit_card, debit_card, not "cheque"`. */
const refusalOf = (type: GraphQLEnumType, value: unknown): string => {
  const allowed = type.getValues().map(({ name }) => name)
  const isShown = typeof value === 'string' && SHOWABLE.test(value)
  return `${type.name} must be one of ${allowed.join(', ')}, not ${isShown ? shown(value) : 'this'}`
}

const teach = (type: GraphQLEnumType): void => {
  const [parseValue, parseLiteral] = [type.parseValue.bind(type), type.parseLiteral.bind(type)]
  type.parseValue = value => {
    try {
      return parseValue(value)
    } catch {
      throw new GraphQLError(refusalOf(type, value))
    }
  }
  type.parseLiteral = (node, variables) => {
    try {
      return parseLiteral(node, variables)
    } catch {
      const value = node.kind === Kind.ENUM || node.kind === Kind.STRING ? node.value : undefined
      throw new GraphQLError(refusalOf(type, value), { nodes: node })
    }
  }
}

/** Teaches the enumerations of a schema, but for those of introspection, which every schema shares. */
export const teachEnums = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap()))
    if (type instanceof GraphQLEnumType && !type.name.startsWith('__')) teach(type)
  return schema
}
