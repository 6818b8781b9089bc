/**
 * The gateway's schema knows scalars by their names alone, and takes any value for one. It is taught to refuse what the
 * subgraphs would refuse, in their words, in the client's own operation, and goes on passing to them what the client sent.
 */
import { type GraphQLSchema, isScalarType, valueFromASTUntyped } from 'graphql'
import { teachEnums } from '#core/contract/subgraph-schema.ts'
import { createScalars, type Locale } from '#core/graph/scalars.ts'

/** Teaches a schema. Values keep the form that they have on the wire, since subgraphs read them again. */
export const teachScalars = (schema: GraphQLSchema, locale: Locale): GraphQLSchema => {
  for (const [name, scalar] of Object.entries(createScalars(locale))) {
    const type = schema.getType(name)
    if (!isScalarType(type)) continue
    type.parseValue = value => {
      scalar.parseValue(value)
      return value
    }
    type.parseLiteral = (node, variables) => {
      scalar.parseLiteral(node, variables)
      return valueFromASTUntyped(node, variables)
    }
  }
  return teachEnums(schema)
}
