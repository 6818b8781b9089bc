/**
 * Coordinates of the schema that an operation uses (GraphQL, "Schema Coordinates"): fields, the arguments that it gives, the
 * fields of inputs and the values of enums in these, in its text as in its variables. Those of a text are found once.
 */
import {
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** A part of the schema that goes some day, which an operation uses. */
export interface Deprecation {
  readonly coordinate: string
  /** Reason that the schema gives, which says what to use in its place. */
  readonly reason: string
}

/** The use that one execution of an operation makes of the schema. */
export interface SchemaUse {
  /** Coordinates of its text: the same list for each execution. */
  readonly text: readonly string[]
  /** Coordinates of its variables that its text does not have. */
  readonly variables: readonly string[]
  readonly deprecations: readonly Deprecation[]
}

/** Executed operation with its variables as they came. */
export interface UsingOperation {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName?: string | null
  readonly variables?: Readonly<Record<string, unknown>> | null
}

/** Collects coordinates, each once, with the reasons of those that are deprecated. */
class Collected {
  readonly coordinates = new Set<string>()
  readonly deprecations: Deprecation[] = []

  add(coordinate: string, reason: string | null | undefined): void {
    if (this.coordinates.has(coordinate)) return
    this.coordinates.add(coordinate)
    if (reason != null) this.deprecations.push({ coordinate, reason })
  }
}

interface VariableType {
  readonly name: string
  readonly type: GraphQLInputType
}

/** Use of an operation that its text alone decides. */
interface TextUse {
  readonly coordinates: readonly string[]
  readonly known: ReadonlySet<string>
  readonly deprecations: readonly Deprecation[]
  /** Variables in whose values there can be coordinates. */
  readonly variables: readonly VariableType[]
}

const hasCoordinates = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type)
  return isInputObjectType(named) || isEnumType(named)
}

const variablesOf = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): VariableType[] =>
  variableDefinitions.flatMap(({ variable, type }) => {
    const found = typeFromAST(schema, type) as GraphQLInputType | undefined
    return found && hasCoordinates(found) ? [{ name: variable.name.value, type: found }] : []
  })

/** The operation that is executed with the fragments of its document; other operations are left out. */
const executedPart = (document: DocumentNode, operation: OperationDefinitionNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.filter(
    node => node === operation || node.kind === Kind.FRAGMENT_DEFINITION,
  ),
})

const collectText = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): TextUse => {
  const found = new Collected()
  const info = new TypeInfo(schema)
  visit(
    executedPart(document, operation),
    visitWithTypeInfo(info, {
      Field() {
        const [type, field] = [info.getParentType(), info.getFieldDef()]
        if (type && field && !field.name.startsWith('__'))
          found.add(`${type.name}.${field.name}`, field.deprecationReason)
      },
      Argument({ name }) {
        const [type, field, argument] = [info.getParentType(), info.getFieldDef(), info.getArgument()]
        if (type && field && argument && !info.getDirective())
          found.add(`${type.name}.${field.name}(${name.value}:)`, argument.deprecationReason)
      },
      ObjectField({ name }) {
        const type = getNamedType(info.getParentInputType())
        if (isInputObjectType(type))
          found.add(`${type.name}.${name.value}`, type.getFields()[name.value]?.deprecationReason)
      },
      EnumValue({ value }) {
        const type = getNamedType(info.getInputType())
        if (isEnumType(type)) found.add(`${type.name}.${value}`, type.getValue(value)?.deprecationReason)
      },
    }),
  )
  const { coordinates, deprecations } = found
  return {
    coordinates: [...coordinates],
    known: coordinates,
    deprecations,
    variables: variablesOf(schema, operation),
  }
}

const collectInput = (type: GraphQLInputObjectType, value: object, found: Collected): void => {
  for (const [name, own] of Object.entries(value)) {
    const field = type.getFields()[name]
    if (!field || own === undefined) continue
    found.add(`${type.name}.${name}`, field.deprecationReason)
    collectValue(field.type, own, found)
  }
}

const collectValue = (type: GraphQLInputType, value: unknown, found: Collected): void => {
  const own = getNullableType(type)
  if (value === undefined || value === null) return
  if (isListType(own)) {
    for (const item of Array.isArray(value) ? value : [value]) collectValue(own.ofType, item, found)
  } else if (isEnumType(own) && typeof value === 'string') {
    found.add(`${own.name}.${value}`, own.getValue(value)?.deprecationReason)
  } else if (isInputObjectType(own) && typeof value === 'object') {
    collectInput(own, value, found)
  }
}

const NONE: readonly string[] = []

const withVariables = (text: TextUse, given: Readonly<Record<string, unknown>>): SchemaUse => {
  const found = new Collected()
  for (const { name, type } of text.variables) collectValue(type, given[name], found)
  const { known, deprecations } = text
  return {
    text: text.coordinates,
    variables: [...found.coordinates].filter(one => !known.has(one)),
    deprecations: [...deprecations, ...found.deprecations.filter(({ coordinate }) => !known.has(coordinate))],
  }
}

/** Finds the use of an operation; undefined where none of its document is meant. */
export type UseOf = (operation: UsingOperation) => SchemaUse | undefined

/** Makes the function that finds uses, and remembers what is the text's as long as the server keeps its document. */
export function createUseOf(): UseOf {
  const texts = new WeakMap<DocumentNode, Map<string | null | undefined, TextUse>>()
  const textOf = ({ schema, document, operationName }: UsingOperation): TextUse | undefined => {
    const known = texts.get(document) ?? new Map<string | null | undefined, TextUse>()
    texts.set(document, known)
    const found = known.get(operationName)
    if (found) return found
    const operation = getOperationAST(document, operationName)
    if (!operation) return undefined
    const use = collectText(schema, document, operation)
    known.set(operationName, use)
    return use
  }
  return operation => {
    const text = textOf(operation)
    if (!text || text.variables.length === 0)
      return text && { text: text.coordinates, variables: NONE, deprecations: text.deprecations }
    return withVariables(text, operation.variables ?? {})
  }
}
