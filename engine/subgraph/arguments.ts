/**
 * Coercion of a field's arguments and an operation's variables. Constants are coerced once, types of variables are looked up once,
 * and variables are put in at each call; graphql-js does the rest, and reports the faults.
 */
import {
  coerceInputValue,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  isEnumType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  Kind,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql'
import { redactVariables } from '#core/graph/redact.ts'

/** Variables of an operation after coercion. */
export type CoercedVariables = Readonly<Record<string, unknown>>

type Values = Record<string, unknown>

/** Arguments of a field, ready to be read at each call. */
export interface CompiledArguments {
  /** Whether reading them can fail; where it cannot, a field that uses none need not read them. */
  readonly canFail: boolean
  /**
   * Makes the arguments of one call, which its resolver may change.
   * @throws GraphQLError for arguments that are missing or wrong.
   */
  read(variables: CoercedVariables): Values
}

/** Puts one argument among the others; false where graphql-js has to coerce it, or to report what is wrong with it. */
type Put = (values: Values, variables: CoercedVariables) => boolean

const OMITTED: Put = () => true

const putConstant =
  (name: string, copy: Copy): Put =>
  values => {
    values[name] = copy()
    return true
  }

/** Compiles an argument that is not given. */
const compileAbsent = ({ name, type, defaultValue }: GraphQLArgument): Put | undefined => {
  if (defaultValue !== undefined) return putConstant(name, () => defaultValue)
  return isNonNullType(type) ? undefined : OMITTED
}

const compileFromVariable = (argument: GraphQLArgument, variable: string): Put => {
  const { name, type } = argument
  const absent = compileAbsent(argument)
  return (values, variables) => {
    if (!Object.hasOwn(variables, variable)) return absent?.(values, variables) ?? false
    const value = variables[variable]
    if (value === undefined || (value === null && isNonNullType(type))) return false
    values[name] = value
    return true
  }
}

const hasVariable = (node: ValueNode): boolean => {
  if (node.kind === Kind.LIST) return node.values.some(hasVariable)
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => hasVariable(value))
  return node.kind === Kind.VARIABLE
}

/** Compiles a constant; undefined where it is wrong, or cannot be copied. */
const compileConstant = ({ name, type }: GraphQLArgument, node: ValueNode): Put | undefined => {
  const copy = copierOf(valueFromAST(node, type))
  return copy && putConstant(name, copy)
}

const compileArgument = (argument: GraphQLArgument, node: ValueNode | undefined): Put | undefined => {
  if (!node) return compileAbsent(argument)
  if (node.kind === Kind.VARIABLE) return compileFromVariable(argument, node.name.value)
  return hasVariable(node) ? undefined : compileConstant(argument, node)
}

const isVariable = (node: ValueNode | undefined) => node?.kind === Kind.VARIABLE

const nodesByName = ({ arguments: given = [] }: FieldNode) =>
  new Map(given.map(({ name, value }) => [name.value, value]))

const NONE: CompiledArguments = { canFail: false, read: () => ({}) }

/** Compiles the arguments of a field. */
export function compileArguments(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): CompiledArguments {
  if (definition.args.length === 0) return NONE
  const nodes = nodesByName(node)
  const puts = definition.args.map(argument => compileArgument(argument, nodes.get(argument.name)))
  const general = (variables: CoercedVariables) => getArgumentValues(definition, node, variables)
  if (!puts.every(put => put !== undefined)) return { canFail: true, read: general }
  return {
    canFail: definition.args.some(({ name }) => isVariable(nodes.get(name))),
    read(variables) {
      const values: Values = {}
      for (const put of puts) if (!put(values, variables)) return general(variables)
      return values
    },
  }
}

/** Copies a constant: a resolver may change its arguments, and the next call gets them unchanged. */
type Copy = () => unknown

const isPrimitive = (value: unknown): boolean =>
  value === null || (typeof value !== 'object' && typeof value !== 'function')

/** Whether graphql-js made an object from a literal; objects with a prototype are a scalar's own. */
const isInputObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null

/** Makes the copiers of several values; undefined where one of them cannot be copied. */
const copiersOf = (values: readonly unknown[]): Copy[] | undefined => {
  const copies = values.map(copierOf).filter(copy => copy !== undefined)
  return copies.length === values.length ? copies : undefined
}

const arrayCopier = (values: readonly unknown[]): Copy | undefined => {
  const copies = copiersOf(values)
  return copies && (() => copies.map(copy => copy()))
}

const objectCopier = (value: Record<string, unknown>): Copy | undefined => {
  const names = Object.keys(value)
  const copies = copiersOf(Object.values(value))
  if (!copies) return undefined
  return () => {
    const copied: Record<string, unknown> = Object.create(null)
    for (const [index, name] of names.entries()) copied[name] = copies[index]!()
    return copied
  }
}

/** Makes the copier of a literal's value; undefined without a value, and where it holds an object of a scalar. */
function copierOf(value: unknown): Copy | undefined {
  if (value === undefined) return undefined
  if (isPrimitive(value)) return () => value
  if (Array.isArray(value)) return arrayCopier(value)
  return isInputObject(value) ? objectCopier(value) : undefined
}

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
type PutVariable = (values: Values, given: CoercedVariables) => void

const compileVariable = (schema: GraphQLSchema, node: VariableDefinitionNode): PutVariable => {
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

/** Options of graphql-js: one error is enough, since quoting a large value in many would block the event loop. */
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
