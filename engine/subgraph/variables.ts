/** Coerces an operation's variables: their types are looked up once, and what is wrong with them graphql-js says. */
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
import type { Variables } from './arguments.ts'

/** What is wrong. */
class Wrong extends Error {}

/** @throws Wrong, or what a scalar throws. */
type Coerce = (value: unknown) => unknown

const refuse = (): never => {
  throw new Wrong()
}

/** These take no object or list, and would word all of it. */
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
  // What is no array may still be a list, or become one.
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
type Put = (values: Record<string, unknown>, given: Variables) => void

const compileVariable = (schema: GraphQLSchema, node: VariableDefinitionNode): Put => {
  const { variable, defaultValue } = node
  const name = variable.name.value
  const type = typeFromAST(schema, node.type)
  // That one is no property like others.
  if (!isInputType(type) || name === '__proto__') return refuse
  const coerce = compileCoerce(type)
  return (values, given) => {
    if (Object.hasOwn(given, name)) {
      // Where a variable itself may be null, undefined is null as well.
      values[name] = coerce(given[name])
    } else if (defaultValue) values[name] = valueFromAST(defaultValue, type)
    else if (isNonNullType(type)) refuse()
  }
}

/** The coerced variables, or the first error of those that were given, whoever has to word them all. */
export type CoerceVariables = (given: Variables) => ReturnType<typeof getVariableValues>

/** That there is one is all that is asked here: to word many of a large value would hold up everybody. */
const OPTIONS = { maxErrors: 1 }

/** What fits after all must be the values themselves. */
const coerceWhole = (
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Variables,
): ReturnType<CoerceVariables> => {
  const told = getVariableValues(schema, definitions, redactVariables(given), OPTIONS)
  return told.errors ? told : getVariableValues(schema, definitions, given, OPTIONS)
}

/** Compiles how the variables of an operation are coerced. */
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
