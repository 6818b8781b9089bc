/** Coerces an operation's variables: their types are looked up once, and graphql-js reports their faults. */
import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  getVariableValues,
  isEnumType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql'
import { redactVariables } from '#core/graph/redact.ts'
import type { CoercedVariables } from './arguments.ts'

/** Marks a value that does not fit; graphql-js finds out why. */
class Wrong extends Error {}

/** @throws Wrong, or the error of a scalar. */
type Coerce = (value: unknown) => unknown

const refuse = (): never => {
  throw new Wrong()
}

/** Whether a type takes no object or list; its error would quote all of it. */
const isPlain = (type: GraphQLLeafType) => isEnumType(type) || isSpecifiedScalarType(type)

const compileLeaf = (type: GraphQLLeafType): Coerce => {
  const refusesObjects = isPlain(type)
  return value => {
    if (refusesObjects && typeof value === 'object') return refuse()
    const parsed = type.parseValue(value)
    return parsed === undefined ? refuse() : parsed
  }
}

const compileNullable = (type: GraphQLInputType): Coerce => {
  if (isLeafType(type)) return compileLeaf(type)
  const whole: Coerce = value => coerceInputValue(value, type, refuse)
  if (!isListType(type)) return whole
  const item = compileCoerce(type.ofType)
  // A value that is no array may still be iterable, or become a list of one.
  return value => (Array.isArray(value) ? Array.from(value, one => item(one)) : whole(value))
}

const compileCoerce = (type: GraphQLInputType): Coerce => {
  const isNonNull = isNonNullType(type)
  const coerce = compileNullable(isNonNull ? type.ofType : type)
  return value => {
    if (value != null) return coerce(value)
    return isNonNull ? refuse() : null
  }
}

/** Puts the value of one variable among the others. */
type Put = (values: Record<string, unknown>, given: CoercedVariables) => void

const compileVariable = (schema: GraphQLSchema, node: VariableDefinitionNode): Put => {
  const { variable, defaultValue } = node
  const name = variable.name.value
  const type = typeFromAST(schema, node.type)
  // Assigning `__proto__` would replace the prototype.
  if (!isInputType(type) || name === '__proto__') return refuse
  const coerce = compileCoerce(type)
  return (values, given) => {
    if (Object.hasOwn(given, name)) {
      // As in graphql-js, undefined is null where the variable may be null.
      values[name] = coerce(given[name])
    } else if (defaultValue) values[name] = valueFromAST(defaultValue, type)
    else if (isNonNullType(type)) refuse()
  }
}

/** Coerces variables, or gives the first error of graphql-js. */
export type CoerceVariables = (given: CoercedVariables) => ReturnType<typeof getVariableValues>

/**
 * Options of graphql-js: one error is enough here, since quoting a large value in many of them would block the event
 * loop.
 */
const OPTIONS = { maxErrors: 1 }

/** Redacted copies serve to find errors only: without an error the values themselves are coerced. */
const coerceWhole = (
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: CoercedVariables,
): ReturnType<CoerceVariables> => {
  const checked = getVariableValues(schema, definitions, redactVariables(given), OPTIONS)
  return checked.errors ? checked : getVariableValues(schema, definitions, given, OPTIONS)
}

/** Compiles the coercion of the variables of an operation. */
export function compileVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): CoerceVariables {
  const puts = definitions.map(node => compileVariable(schema, node))
  return given => {
    const coerced: Record<string, unknown> = {}
    try {
      for (const put of puts) put(coerced, given)
      return { coerced }
    } catch {
      return coerceWhole(schema, definitions, given)
    }
  }
}
