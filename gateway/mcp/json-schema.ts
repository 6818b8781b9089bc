/** JSON Schema of an operation's variables: the input of a tool. */
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'

/** A JSON Schema (2020-12), as tools declare it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The form of a scalar's values in JSON; a scalar that stands here under no name may be any value. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Decimal: { type: 'number' },
  Boolean: { type: 'boolean' },
  String: { type: 'string' },
  ID: { type: 'string' },
  Currency: { type: 'string' },
  DateTime: { type: 'string' },
  PhoneNumber: { type: 'string' },
  UUID: { type: 'string' },
  URL: { type: 'string' },
}

/** First paragraph of a description, in one line. */
export const summaryOf = (description: string | null | undefined): string | undefined =>
  description
    ?.split(/\n\s*\n/, 1)[0]
    ?.replace(/\s+/g, ' ')
    .trim() || undefined

const described = (schema: JsonSchema, description: string | null | undefined): JsonSchema => {
  const text = summaryOf(description)
  return text ? { ...schema, description: text } : schema
}

/** Gives the schema of a scalar or an enumeration. */
export const leafSchema = (type: GraphQLNamedType): JsonSchema =>
  isEnumType(type)
    ? { type: 'string', enum: type.getValues().map(({ name }) => name) }
    : (SCALARS[type.name] ?? {})

const inputSchema = (type: GraphQLInputType, above: readonly string[] = []): JsonSchema => {
  if (isNonNullType(type)) return inputSchema(type.ofType, above)
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType, above) }
  if (!isInputObjectType(type))
    return isSpecifiedScalarType(type) ? leafSchema(type) : described(leafSchema(type), type.description)
  // An input that contains itself is described once; the server checks what is below.
  if (above.includes(type.name)) return { type: 'object' }
  const fields = Object.values(type.getFields()).filter(({ deprecationReason }) => !deprecationReason)
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      fields.map(field => [
        field.name,
        described(inputSchema(field.type, [...above, type.name]), field.description),
      ]),
    ),
    required: fields.filter(isRequiredInputField).map(({ name }) => name),
  }
}

/** Descriptions of variables: of the arguments to which they are given. */
const describeVariables = (schema: GraphQLSchema, operation: OperationDefinitionNode) => {
  const found = new Map<string, string | null | undefined>()
  const root = schema.getRootType(operation.operation)
  const note = (value: ValueNode, type: GraphQLInputType, description: string | null | undefined): void => {
    const named = getNamedType(type)
    if (value.kind === Kind.VARIABLE && !found.has(value.name.value)) found.set(value.name.value, description)
    if (value.kind !== Kind.OBJECT || !isInputObjectType(named)) return
    for (const one of value.fields) {
      const field = named.getFields()[one.name.value]
      if (field) note(one.value, field.type, field.description)
    }
  }
  const look = (type: GraphQLNamedType | null | undefined, { selections }: SelectionSetNode): void => {
    if (!isObjectType(type) && !isAbstractType(type)) return
    const fields = 'getFields' in type ? type.getFields() : {}
    for (const node of selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) look(type, node.selectionSet)
      if (node.kind !== Kind.FIELD) continue
      const field = fields[node.name.value]
      for (const { name, value } of node.arguments ?? []) {
        const argument = field?.args.find(one => one.name === name.value)
        if (argument) note(value, argument.type, argument.description)
      }
      if (field && node.selectionSet) look(getNamedType(field.type), node.selectionSet)
    }
  }
  look(root, operation.selectionSet)
  return found
}

/** Makes the schema of an operation's variables. */
export function inputSchemaOf(schema: GraphQLSchema, operation: OperationDefinitionNode): JsonSchema {
  const descriptions = describeVariables(schema, operation)
  const { variableDefinitions = [] } = operation
  const properties = variableDefinitions.map(({ variable, type, defaultValue }) => {
    const name = variable.name.value
    const own = inputSchema(typeFromAST(schema, type) as GraphQLInputType)
    const withDefault = defaultValue ? { ...own, default: valueFromASTUntyped(defaultValue) } : own
    return [name, described(withDefault, descriptions.get(name))] as const
  })
  const required = variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .map(({ variable }) => variable.name.value)
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties), required }
}
