/**
 * Arguments of an example as variables. The examples of the reference have literals (`customer(customerAccountNumber:
 * "100002")`); as tools they are of use only where the caller says whom and how many.
 */
import {
  type ArgumentNode,
  type ConstDirectiveNode,
  type ConstValueNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parseType,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** Arguments that say how an answer is cut, and not whom it is about: what the example says is a good default. */
const SHAPING: ReadonlySet<string> = new Set(['first', 'last', 'by', 'groupBy', 'orderBy'])

/** Default that the schema declares, as a literal. */
const declaredDefault = ({ astNode }: GraphQLArgument): ConstValueNode | undefined => astNode?.defaultValue

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

class Lifted {
  readonly definitions: VariableDefinitionNode[]
  readonly #names: Set<string>

  constructor({ variableDefinitions = [] }: OperationDefinitionNode) {
    this.definitions = [...variableDefinitions]
    this.#names = new Set(variableDefinitions.map(({ variable }) => variable.name.value))
  }

  /** Declares a variable for an argument, and gives the argument with it. */
  declare(argument: GraphQLArgument, prefix: string, fallback: ConstValueNode | undefined): ArgumentNode {
    const name = this.#free(argument.name, prefix)
    const variable = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } as const
    this.definitions.push({
      kind: Kind.VARIABLE_DEFINITION,
      variable,
      type: parseType(String(argument.type), { noLocation: true }),
      directives: [] as readonly ConstDirectiveNode[],
      ...(fallback && { defaultValue: fallback }),
    })
    return { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: argument.name }, value: variable }
  }

  #free(name: string, prefix: string): string {
    const wanted = this.#names.has(name) ? `${prefix}${capitalised(name)}` : name
    let free = wanted
    for (let next = 2; this.#names.has(free); next += 1) free = `${wanted}${next}`
    this.#names.add(free)
    return free
  }
}

/** Literal of an example that becomes the variable's default; below the root also where something must be given. */
const defaultFor = (argument: GraphQLArgument, value: ValueNode, isRoot: boolean) => {
  const isKept = SHAPING.has(argument.name) || (!isRoot && isNonNullType(argument.type))
  return isKept ? (value as ConstValueNode) : undefined
}

/** Order in which arguments are declared: what is required comes first. */
const byNeed = (one: GraphQLArgument, other: GraphQLArgument): number =>
  Number(isNonNullType(other.type)) - Number(isNonNullType(one.type))

/**
 * Makes every argument of the root fields a variable, and every literal below them. Sizes, orders and groups of the example
 * stay as defaults.
 */
export function liftArguments(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): OperationDefinitionNode {
  const lifted = new Lifted(operation)
  const info = new TypeInfo(schema)
  let depth = 0
  const argumentsOf = (field: FieldNode): ArgumentNode[] => {
    const given = new Map((field.arguments ?? []).map(one => [one.name.value, one]))
    const declared = info.getFieldDef()?.args ?? []
    const isRoot = depth === 1
    return declared.toSorted(byNeed).flatMap(argument => {
      const own = given.get(argument.name)
      if (own?.value.kind === Kind.VARIABLE) return [own]
      if (own) return [lifted.declare(argument, field.name.value, defaultFor(argument, own.value, isRoot))]
      return isRoot && !argument.deprecationReason
        ? [lifted.declare(argument, field.name.value, declaredDefault(argument))]
        : []
    })
  }
  const changed = visit(
    operation,
    visitWithTypeInfo(info, {
      Field: {
        enter(field) {
          depth += 1
          return { ...field, arguments: argumentsOf(field) }
        },
        leave() {
          depth -= 1
        },
      },
    }),
  )
  return { ...changed, variableDefinitions: lifted.definitions }
}
