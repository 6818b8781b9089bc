/** JSON Schema of an operation's answer, by its selection: the output of a tool. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { type JsonSchema, leafSchema } from './json-schema.ts'

/** A schema that takes null beside its own values. */
const orNull = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values } = schema as { type?: unknown; enum?: readonly unknown[] }
  if (typeof type === 'string')
    return { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) }
  return 'anyOf' in schema ? { anyOf: [...(schema['anyOf'] as JsonSchema[]), { type: 'null' }] } : schema
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
