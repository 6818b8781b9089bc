/** The arguments of a field: constant ones are coerced once, variables put in at each call, all else is graphql-js's. */
import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  getArgumentValues,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
} from 'graphql'
import { type Copy, copierOf } from './constants.ts'

/** An operation's variables, coerced. */
export type Variables = Readonly<Record<string, unknown>>

type Values = Record<string, unknown>

/** The arguments of a field. */
export interface CompiledArguments {
  /** Whether they can be wrong; where they cannot, a field that reads none need not make them. */
  readonly canFail: boolean
  /**
   * Those of one call, which its resolver may change.
   * @throws GraphQLError for arguments that are missing or wrong.
   */
  read(variables: Variables): Values
}

/** Puts one argument among the others; false where it takes graphql-js to say what it is, or what is wrong with it. */
type Put = (values: Values, variables: Variables) => boolean

const OMITTED: Put = () => true

const putConstant =
  (name: string, copy: Copy): Put =>
  values => {
    values[name] = copy()
    return true
  }

/** An argument that is not given. */
const compileAbsent = ({ name, type, defaultValue }: GraphQLArgument): Put | undefined => {
  if (defaultValue !== undefined) return putConstant(name, () => defaultValue)
  return isNonNullType(type) ? undefined : OMITTED
}

const compileVariable = (argument: GraphQLArgument, variable: string): Put => {
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

/** Undefined where the value is wrong, or holds what cannot be copied. */
const compileConstant = ({ name, type }: GraphQLArgument, node: ValueNode): Put | undefined => {
  const copy = copierOf(valueFromAST(node, type))
  return copy && putConstant(name, copy)
}

const compileArgument = (argument: GraphQLArgument, node: ValueNode | undefined): Put | undefined => {
  if (!node) return compileAbsent(argument)
  if (node.kind === Kind.VARIABLE) return compileVariable(argument, node.name.value)
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
  const general = (variables: Variables) => getArgumentValues(definition, node, variables)
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
