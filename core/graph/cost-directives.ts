/**
 * Costs as a schema declares them: `@cost` and `@listSize` of the GraphQL cost directives specification (IBM), which
 * subgraphs write and composition carries into the supergraph.
 */
import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql'

/** Size of a list, as `@listSize` gives it. */
export interface DeclaredSize {
  /** Arguments that say it; the greatest of those given counts. */
  readonly slicingArguments: readonly string[]
  /** Size where none of them is given. */
  readonly assumedSize: number | undefined
}

/** Cost of a field, as far as the schema declares it. */
export interface DeclaredCost {
  /** Weight of the field, by `@cost` on it or on its type. */
  readonly weight: number | undefined
  /** Weights of arguments that are given. */
  readonly argumentWeights: ReadonlyMap<string, number>
  readonly size: DeclaredSize | undefined
}

/** Finds what is declared of a field by the names of its type and its own; undefined where nothing is. */
export type DeclaredCosts = (typeName: string, fieldName: string) => DeclaredCost | undefined

interface Directed {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] } | null | undefined
}

/** Arguments of a directive; undefined where it is not applied. */
const argumentsOf = ({ astNode }: Directed, name: string): Record<string, unknown> | undefined => {
  const directive = astNode?.directives?.find(one => one.name.value === name)
  if (!directive) return undefined
  return Object.fromEntries(
    (directive.arguments ?? []).map(one => [one.name.value, valueFromASTUntyped(one.value)]),
  )
}

/** Weight by `@cost`: an integer, or as the specification writes it a text of digits. */
const weightOf = (directed: Directed): number | undefined => {
  const weight = argumentsOf(directed, 'cost')?.['weight']
  return weight === undefined ? undefined : Number(weight)
}

const sizeOf = (field: Directed): DeclaredSize | undefined => {
  const given = argumentsOf(field, 'listSize')
  if (!given) return undefined
  const { slicingArguments = [], assumedSize } = given as Partial<DeclaredSize>
  return { slicingArguments, assumedSize }
}

const argumentWeightsOf = (args: readonly GraphQLArgument[]): Map<string, number> =>
  new Map(
    args.flatMap(argument => {
      const weight = weightOf(argument) ?? weightOf(getNamedType(argument.type))
      return weight === undefined ? [] : [[argument.name, weight] as const]
    }),
  )

const costOf = (field: GraphQLField<unknown, unknown>): DeclaredCost | undefined => {
  const weight = weightOf(field) ?? weightOf(getNamedType(field.type))
  const argumentWeights = argumentWeightsOf(field.args)
  const size = sizeOf(field)
  const isDeclared = weight !== undefined || size !== undefined || argumentWeights.size > 0
  return isDeclared ? { weight, argumentWeights, size } : undefined
}

const fieldsOf = (type: GraphQLNamedType) =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []

/**
 * Reads what a schema declares, once.
 * @param schema one that has its directives: a subgraph's own, or the supergraph; an API schema has none.
 */
export function readDeclaredCosts(schema: GraphQLSchema): DeclaredCosts {
  const costs = new Map<string, DeclaredCost>()
  for (const type of Object.values(schema.getTypeMap()))
    for (const field of fieldsOf(type)) {
      const cost = costOf(field)
      if (cost) costs.set(`${type.name}.${field.name}`, cost)
    }
  return (typeName, fieldName) => costs.get(`${typeName}.${fieldName}`)
}
