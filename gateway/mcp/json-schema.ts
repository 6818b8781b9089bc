/** JSON Schemas of an operation: of its variables as the input of a tool, of its selection as the output. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
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
  type SelectionNode,
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

/** A schema that takes null beside its own values. */
const orNull = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values } = schema as { type?: unknown; enum?: readonly unknown[] }
  if (typeof type === 'string')
    return { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) }
  return 'anyOf' in schema ? { anyOf: [...(schema['anyOf'] as JsonSchema[]), { type: 'null' }] } : schema
}

const leafSchema = (type: GraphQLNamedType): JsonSchema =>
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

const isConditional = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(({ name }) => name.value === 'skip' || name.value === 'include')

/** A response name with what was selected under it. */
interface Selected {
  readonly name: string
  readonly selections: SelectionNode[]
  isOptional: boolean
}

/** Collects the schemas of selections in one document. */
class OutputSchemas {
  readonly #schema: GraphQLSchema
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema
    this.#fragments = new Map(
      document.definitions
        .filter(node => node.kind === Kind.FRAGMENT_DEFINITION)
        .map(node => [node.name.value, node]),
    )
  }

  /** The schema of what is selected of a type. Several possible types have a schema each, unless these are equal. */
  ofSelection(type: GraphQLNamedType, selections: readonly SelectionNode[]): JsonSchema {
    const types = isAbstractType(type) ? this.#schema.getPossibleTypes(type) : [type as GraphQLObjectType]
    const schemas = new Map(
      types.map(one => this.#ofObject(one, selections)).map(one => [JSON.stringify(one), one]),
    )
    const [first, ...others] = schemas.values()
    return others.length > 0 ? { anyOf: [first!, ...others] } : first!
  }

  #ofObject(type: GraphQLObjectType, selections: readonly SelectionNode[]): JsonSchema {
    const selected = new Map<string, Selected>()
    this.#collect(type, selections, false, selected)
    const fields = type.getFields()
    const all = [...selected].map(([key, one]) => {
      const field = fields[one.name]
      const schema = field ? this.#ofType(field.type, one.selections) : { type: 'string' }
      return { key, schema, isOptional: one.isOptional }
    })
    return {
      type: 'object',
      properties: Object.fromEntries(all.map(({ key, schema }) => [key, schema])),
      required: all.filter(({ isOptional }) => !isOptional).map(({ key }) => key),
    }
  }

  #ofType(type: GraphQLOutputType, selections: readonly SelectionNode[]): JsonSchema {
    if (!isNonNullType(type)) return orNull(this.#ofValue(type, selections))
    return this.#ofValue(type.ofType, selections)
  }

  #ofValue(type: GraphQLOutputType, selections: readonly SelectionNode[]): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.#ofType(type.ofType, selections) }
    const named = getNamedType(type)
    return isObjectType(named) || isAbstractType(named)
      ? this.ofSelection(named, selections)
      : leafSchema(named)
  }

  #collect(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    isOptional: boolean,
    selected: Map<string, Selected>,
  ): void {
    for (const node of selections) {
      const skips = isOptional || isConditional(node)
      if (node.kind === Kind.FIELD) this.#add(node, skips, selected)
      else if (this.#applies(node, type)) this.#collect(type, this.#within(node), skips, selected)
    }
  }

  #add(node: FieldNode, isOptional: boolean, selected: Map<string, Selected>): void {
    const key = node.alias?.value ?? node.name.value
    const known = selected.get(key) ?? { name: node.name.value, selections: [], isOptional: true }
    known.selections.push(...(node.selectionSet?.selections ?? []))
    known.isOptional &&= isOptional
    selected.set(key, known)
  }

  #within(node: Exclude<SelectionNode, FieldNode>): readonly SelectionNode[] {
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node
    return fragment?.selectionSet.selections ?? []
  }

  #applies(node: Exclude<SelectionNode, FieldNode>, type: GraphQLObjectType): boolean {
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node
    const name = fragment?.typeCondition?.name.value
    if (name === undefined || name === type.name) return true
    const condition = this.#schema.getType(name)
    return isAbstractType(condition) && this.#schema.isSubType(condition, type)
  }
}

/** Errors of single fields beside the data. */
const ERRORS: JsonSchema = {
  type: 'array',
  description: 'Fields that could not be answered; they are null in data.',
  items: {
    type: 'object',
    properties: {
      message: { type: 'string' },
      path: { type: 'array', items: { type: ['string', 'number'] } },
      code: { type: 'string' },
      reason: { type: 'string' },
    },
    required: ['message'],
  },
}

/** Makes the schema of an operation's answer: its data, and the errors of single fields where there are some. */
export function outputSchemaOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): JsonSchema {
  const root = schema.getRootType(operation.operation)!
  const data = new OutputSchemas(schema, document).ofSelection(root, operation.selectionSet.selections)
  return { type: 'object', properties: { data, errors: ERRORS }, required: ['data'] }
}
