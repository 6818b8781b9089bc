/** What clients are not told where the schema is not theirs to read (`INTROSPECTION=0`, `TRUSTED_ONLY=1`). */
import {
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  type ValidationRule,
} from 'graphql'

/** A subgraph's document says all that introspection does. */
const noServiceDocument: ValidationRule = context => ({
  Field(node) {
    if (node.name.value === '_service' && context.getParentType() === context.getSchema().getQueryType())
      context.reportError(new GraphQLError('The schema may not be read', { nodes: node }))
  },
})

const RULES_WHERE_HIDDEN = [...specifiedRules, NoSchemaIntrospectionCustomRule, noServiceDocument]

/** The rules of GraphQL, and that nothing reads the schema where clients may not. */
export const rulesOf = ({ introspection }: { readonly introspection: boolean }): readonly ValidationRule[] =>
  introspection ? specifiedRules : RULES_WHERE_HIDDEN

const WORD = /[A-Za-z_]\w*/g

/** The fault of an enumeration lists all values between these words. */
const [ALLOWED, GIVEN] = [' must be one of ', ', not ']

const withoutValues = (message: string): string => {
  const [from, to] = [message.indexOf(ALLOWED), message.lastIndexOf(GIVEN)]
  if (from < 0) return message
  return `${message.slice(0, from)} must be a value that is allowed${to > from ? message.slice(to) : ''}`
}

/**
 * Takes the names of a schema's types, and the values of its enumerations, out of what graphql-js and the scalars say of an
 * operation.
 */
export const withoutTypes = (message: string, schema: GraphQLSchema): string => {
  const types = schema.getTypeMap()
  return withoutValues(message).replace(WORD, word => (Object.hasOwn(types, word) ? '…' : word))
}
